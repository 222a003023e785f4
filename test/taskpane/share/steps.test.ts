import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/errors";
import { attempt } from "../../../src/taskpane/share/share-control";

describe("a step of preparing a workbook", () => {
  it("that is cancelled is told as such, and none is begun after it", async () => {
    const controller = new AbortController();
    const tools = { signal: controller.signal };
    const begun: string[] = [];
    const step = (name: string, isCancelled = false) =>
      attempt(tools, () => {
        begun.push(name);
        if (!isCancelled) return Promise.resolve(name);
        controller.abort();
        return Promise.reject(new Failure("cancelled"));
      });
    const report = [await step("freeze"), await step("sources", true), await step("keys")];
    expect(report).toEqual([
      "freeze",
      expect.objectContaining({ kind: "cancelled" }),
      expect.objectContaining({ kind: "cancelled" }),
    ]);
    expect(begun).toEqual(["freeze", "sources"]);
  });
});
