import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");

const rules = read("docs/excel-rules.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Rule|-)/.test(line))
  .map((line) => {
    const [rule = "", source = "", , user = "", test = ""] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [, file = "", title = ""] = /^`(test\/[^`]+)`: (.+)$/.exec(test) ?? [];
    return { rule, source, user, file, title };
  });

describe("docs/excel-rules.md", () => {
  it.each(rules.map(({ rule, file, title }) => [rule, file, title]))(
    "%s: its test exists",
    (_, file, title) => {
      expect(existsSync(resolve(root, file))).toBe(true);
      expect(read(file)).toContain(title.replaceAll('"', '\\"'));
    },
  );

  it("has a source for each rule, and says which a user can meet", () => {
    for (const { rule, source, user } of rules) {
      expect(source, rule).not.toBe("");
      expect(["", "yes"], rule).toContain(user);
    }
  });
});
