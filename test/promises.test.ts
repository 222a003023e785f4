import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { config } from "../src/config";
import { endpoints } from "../src/engine/api/endpoints";
import { promises } from "./mutation/promises/promises";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const privacy = read("docs/privacy.md");

/** The items of the lists under "What is promised". */
function promisesOf(document: string): string[] {
  const [, afterTitle = ""] = document.split("## What is promised\n");
  const [promised = ""] = afterTitle.split(/^## /m);
  return promised
    .split(/^- /m)
    .slice(1)
    .map((item) => (item.split(/\n\n/)[0] ?? "").replace(/\s+/g, " ").trim());
}

describe("the promises of docs/security.md, docs/privacy.md and docs/reliability.md", () => {
  it("have mutants each, in their order, and the list has no others", () => {
    const said = [read("docs/security.md"), privacy, read("docs/reliability.md")].flatMap(promisesOf);
    expect(said.length).toBeGreaterThan(40);
    expect(promises.map(({ says }) => says)).toEqual(said);
  });

  it.each(promises)("can be broken, and name tests that there are: $says", ({ mutants }) => {
    expect(mutants).not.toEqual([]);
    for (const mutant of mutants) {
      const { file, text, becomes } = mutant;
      expect(read(file).split(text).length - 1, `times “${text}” stands in ${file}`).toBe(1);
      expect(becomes).not.toBe(text);
      if ("rule" in mutant) expect(read(".oxlintrc.json")).toContain(`${mutant.rule}"`);
      else expect(hasTest(mutant), `${mutant.test}: ${mutant.title}`).toBe(true);
    }
  });
});

function hasTest({ test, title }: { test: string; title: string }): boolean {
  const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return existsSync(join(root, test)) && new RegExp(`\\(\\s*["'\`]${quoted}["'\`]`).test(read(test));
}

/** Every text of the shipped source that fits, each once. */
function inSource(pattern: RegExp): string[] {
  const found = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => [...read(join("src", name)).matchAll(pattern)].map(([, text = ""]) => text));
  return [...new Set(found)].sort();
}

const inPrivacy = (pattern: RegExp) =>
  [...new Set([...privacy.matchAll(pattern)].map(([, text = ""]) => text))].sort();

describe("the tables of what is sent and kept", () => {
  it("docs/privacy.md has every endpoint in its table, and no other", () => {
    const rows = [...privacy.matchAll(/^\| +(\d+) \| `(\w+) ([^`]+)`/gm)];
    const withoutNames = (path: string) => path.replace(/\{\w+\}/g, "{}");
    expect(rows.map(([, number, method, path = ""]) => [Number(number), method, withoutNames(path)])).toEqual(
      Object.values(endpoints).map(({ number, method, path }) => [number, method, withoutNames(path)]),
    );
  });

  it("docs/privacy.md names all that is kept in the user's storage, and nothing else", () => {
    expect(inSource(/"(regdata\.[\w-]+)"/g)).toEqual(inPrivacy(/^\| `(regdata\.[\w-]+)`/gm));
  });

  it("docs/privacy.md names all parts that are kept in the workbook, and nothing else", () => {
    expect(inSource(/"?`?(urn:regdata:\w+)/g)).toEqual(inPrivacy(/`(urn:regdata:\w+)/g));
  });

  it("docs/privacy.md tells how much is kept, and for how long", () => {
    expect(privacy).toContain(`take ${config.keptBytes / 1_000_000} MB at most`);
    expect(privacy).toContain(`erased ${config.documentAgeMs / 86_400_000} days after`);
  });
});
