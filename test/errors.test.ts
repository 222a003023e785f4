import { describe, expect, it } from "vitest";
import { asFailure, Failure, type FailureKind } from "../src/errors";
import { SheetFailure } from "../src/sheet-failure";
import { allFailureKinds } from "../src/sheet-failure-kinds";
import { supportDetails } from "../src/taskpane/ui/failure-details";

describe("every failure", () => {
  it.each(Object.keys(allFailureKinds) as FailureKind[])("%s has a sentence and a next step", (kind) => {
    const { sentence, nextStep } = allFailureKinds[kind];
    for (const text of [sentence, nextStep]) expect(text).toMatch(/^[A-Z].* .*\.$|^Canceled\.$/s);
    expect(new SheetFailure(kind).message).toBe(`${sentence} ${nextStep}`);
  });

  it("says the details that are known", () => {
    const failure = new Failure("rate-limited", { untilMs: Date.now() + 1_000, status: 429 });
    expect(failure.message).toMatch(/used up\. It resets at \d.*Retry errors/);
  });
});

describe("anything that is thrown", () => {
  it("is a mistake of the add-in, and never blamed on service, Excel or user, unless it is a Failure", () => {
    const failure = new Failure("timeout");
    expect(asFailure(failure)).toBe(failure);
    const mistake = asFailure(new TypeError("x is undefined"));
    expect(mistake.kind).toBe("internal");
    expect(mistake.message).not.toMatch(/service|Excel|your/i);
  });

  it("names the network if a script of the add-in could not be loaded", () => {
    const cause = Object.assign(new Error("Loading chunk 12 failed."), { name: "ChunkLoadError" });
    expect(asFailure(cause).kind).toBe("script-missing");
  });

  it("has details for support without the error's message and without addresses, which may hold a key", () => {
    const thrown = new TypeError("Cannot read k3y of https://service.example/v1?key=k3y");
    thrown.stack = [
      `TypeError: ${thrown.message}`,
      "    at readRows (https://add-in.example/k3y/main.1a2b.js?et=k3y:12:345)",
      "    at async https://add-in.example/main.1a2b.js:1:99",
      "readRows@https://add-in.example/k3y/pane.js:7:8",
    ].join("\n");
    expect(supportDetails(asFailure(thrown))).toBe(
      [
        "RegData for Excel: internal, TypeError",
        "  readRows main.1a2b.js:12:345",
        "  async main.1a2b.js:1:99",
        "  readRows pane.js:7:8",
      ].join("\n"),
    );
  });
});
