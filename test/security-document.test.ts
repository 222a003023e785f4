import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const document = readFileSync(resolve(root, "docs/security.md"), "utf8");

const [, afterTitle = ""] = document.split("## What is promised\n");
const [promised = ""] = afterTitle.split(/^## /m);
const promises = promised
  .split(/^- /m)
  .slice(1)
  .map((item) => item.split(/^#/m)[0]?.replace(/\s+/g, " ").trim() ?? "");

/** The tests that a promise names: a file in backticks, then titles in quotes until the next file. */
function testsOf(promise: string): [file: string, title: string][] {
  return promise
    .split("`test/")
    .slice(1)
    .flatMap((part) => {
      const [file = "", titles = ""] = part.split("`:");
      return [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]): [string, string] => [
        `test/${file}`,
        title,
      ]);
    });
}

describe("docs/security.md", () => {
  it("has promises", () => {
    expect(promises.length).toBeGreaterThan(15);
  });

  it.each(promises)("names tests that there are: %s", (promise) => {
    const tests = testsOf(promise);
    expect(tests).not.toEqual([]);
    for (const [file, title] of tests) {
      expect(existsSync(resolve(root, file)), file).toBe(true);
      const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      expect(readFileSync(resolve(root, file), "utf8"), title).toMatch(
        new RegExp(`\\(\\s*["'\`]${quoted}["'\`]`),
      );
    }
  });
});
