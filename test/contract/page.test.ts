/** Compares docs/interface.md with statements.ts, and with the comments that cite it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { headings, isMeant, otherLines, pageStatements, root } from "./page";
import { leftOpen, statements } from "./statements";

const listed = Object.entries(statements).flatMap(([heading, own]) =>
  Object.entries(own).map(([words, held]) => ({ heading, words, held })),
);
const binding = pageStatements.filter(({ heading }) => heading !== leftOpen);

describe("docs/interface.md", () => {
  it("has each heading once", () => {
    expect(headings.length).toBeGreaterThan(30);
    expect(new Set(headings).size).toBe(headings.length);
    expect(headings).toContain(leftOpen);
  });

  it("has each statement of statements.ts once, under its heading", () => {
    const strays = listed.filter(
      ({ heading, words }) =>
        binding.filter((one) => one.heading === heading && isMeant(one, words)).length !== 1,
    );
    expect(strays.map(({ heading, words }) => `${heading}: ${words}`)).toEqual([]);
  });

  it("has no bullet and no row that is not one statement of statements.ts", () => {
    const strays = binding.filter(
      (one) =>
        listed.filter(({ heading, words }) => one.heading === heading && isMeant(one, words)).length !== 1,
    );
    expect(strays.map(({ heading, text }) => `${heading}: ${text}`)).toEqual([]);
  });

  it('has only bullets and rows between its introduction and "Left open"', () => {
    expect(otherLines.filter(({ heading }) => heading !== leftOpen)).toEqual([]);
  });

  it("names somebody who is held to each statement, or statements.ts says why nobody is", () => {
    const unheld = listed.filter(({ held }) =>
      "nobodyBecause" in held ? !held.nobodyBecause.endsWith(".") : held.length === 0,
    );
    expect(unheld).toEqual([]);
  });
});

describe("the comments", () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (entry) =>
      entry.isDirectory() && !/^(\.|assets|build|coverage|dist|docs|node_modules|reports)/.test(entry.name),
  );
  const sources = folders.flatMap(({ name: folder }) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|js|mts)$/.test(name))
      .map((name) => ({ name: join(folder, name), text: readFileSync(join(root, folder, name), "utf8") })),
  );
  /** Joins the lines of comments: a citation may go on in the next line. */
  const unbroken = (text: string) => text.replaceAll(/\s*\n\s*(?:\*|\/\/)\s/g, " ");

  it("cite only headings that docs/interface.md has", () => {
    const cited = sources.flatMap(({ name, text }) =>
      [...unbroken(text).matchAll(/docs\/interface\.md,\s+"([^"]+)"/g)].map(([, heading = ""]) => ({
        name,
        heading,
      })),
    );
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ heading }) => !headings.includes(heading))).toEqual([]);
  });

  it("say where the interface is described when they cite it", () => {
    expect(sources.filter(({ text }) => /[(]interface, /.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
