/** Holds the reference service and the client to docs/interface.md, and the comments that cite it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { clientChecks } from "./client";
import { headings, isMeant, leftOpen, otherLines, pageStatements, root } from "./page";
import { serviceChecks } from "./service";

/** Statements that bind nobody, because they explain a word and ask for nothing. */
const meanings = {
  Terms: [
    "An AHJ (authority having jurisdiction)",
    "asks all AHJs the same question",
    "can all bind the same place",
  ],
};

const wordsOf = (heading: string, all: readonly string[]) => all.map((words) => ({ heading, words }));
const named = (table: Record<string, object>) =>
  Object.entries(table).flatMap(([heading, own]) => wordsOf(heading, Object.keys(own)));
const held = [...named(serviceChecks), ...named(clientChecks)];
const explained = Object.entries(meanings).flatMap(([heading, own]) => wordsOf(heading, own));

const binding = pageStatements.filter(({ heading }) => heading !== leftOpen);
const meant = ({ heading, words }: { heading: string; words: string }) =>
  binding.filter((one) => one.heading === heading && isMeant(one, words));

describe.each([
  ["the reference service", serviceChecks],
  ["the client", clientChecks],
])("%s keeps docs/interface.md", (_, checks) => {
  afterEach(() => void vi.useRealTimers());

  describe.each(Object.entries(checks))("%s", (heading, own) => {
    for (const [words, check] of Object.entries(own)) it(meant({ heading, words })[0]?.text ?? words, check);
  });
});

describe("docs/interface.md", () => {
  it("has each heading once", () => {
    expect(headings.length).toBeGreaterThan(30);
    expect(new Set(headings).size).toBe(headings.length);
    expect(headings).toContain(leftOpen);
  });

  it("has once, under its heading, each statement that a check is named by", () => {
    const strays = [...held, ...explained].filter((one) => meant(one).length !== 1);
    expect(strays).toEqual([]);
  });

  it("has no statement that neither the reference service nor the client is held to, but for explained words", () => {
    const kept = new Set(held.flatMap(meant));
    const free = binding.filter((one) => !kept.has(one));
    expect(free).toEqual(explained.flatMap(meant));
  });

  it("has no statement that two checks of one subject are named by", () => {
    for (const checks of [serviceChecks, clientChecks]) {
      const statements = named(checks).flatMap(meant);
      expect(statements.filter((one, at) => statements.indexOf(one) !== at)).toEqual([]);
    }
  });

  it('has only bullets and rows between its introduction and "Left open"', () => {
    expect(otherLines.filter(({ heading }) => heading !== leftOpen)).toEqual([]);
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
