import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");
const inUse = read("docs/office-apis.md");

const rules = read("docs/excel-rules.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Rule|-)/.test(line))
  .map((line) => {
    const [rule = "", source = "", members = "", user = "", test = ""] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [, file = "", title = ""] = /^`(test\/[^`]+)`: (.+)$/.exec(test) ?? [];
    return {
      rule,
      source,
      user,
      file,
      title,
      members: [...members.matchAll(/`(Excel\.[^`]+)`/g)].map(([, name]) => name),
    };
  });

describe("docs/excel-rules.md", () => {
  it.each(rules.map(({ rule, file, title }) => [rule, file, title]))(
    "%s: its test exists",
    (_, file, title) => {
      expect(existsSync(resolve(root, file))).toBe(true);
      expect(read(file)).toContain(title.replaceAll('"', '\\"'));
    },
  );

  it("names members that are in use", () => {
    for (const { rule, members } of rules)
      for (const member of members)
        expect(inUse, rule).toMatch(new RegExp(`\`${member?.replaceAll(".", "\\.")}\\b`));
  });

  it("has a source for each rule, and says which a user can meet", () => {
    for (const { rule, source, user } of rules) {
      expect(source, rule).not.toBe("");
      expect(["", "yes"], rule).toContain(user);
    }
  });
});
