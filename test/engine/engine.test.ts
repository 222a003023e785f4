import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

it("the engine answers a question in Node, without Excel, a page or React", () => {
  const program = join(import.meta.dirname, "alone.ts");
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", program], { encoding: "utf8" });
  expect(stderr).toBe("");
  const { values, foreign } = JSON.parse(stdout) as {
    values: { cell: { value: string } }[];
    foreign: string[];
  };
  expect(foreign).toEqual([]);
  expect(values[0]?.cell.value).toMatch(/\S/);
});
