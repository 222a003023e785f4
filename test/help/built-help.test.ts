import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { allFailureKinds } from "../../src/sheet-failure-kinds";
import { writtenEntries } from "../../src/help/written-pages";

const dist = resolve(import.meta.dirname, "../../dist");
const read = (name: string) => readFileSync(resolve(dist, name), "utf8");

interface ExcelFunction {
  name: string;
  description: string;
  helpUrl: string;
  parameters: { name: string; description: string; optional?: boolean }[];
}
const { functions } = JSON.parse(read("functions.json")) as { functions: ExcelFunction[] };
const formulas = read("help/formulas.html");
const files = readdirSync(resolve(dist, "help/functions"));
const fileOf = ({ name }: ExcelFunction) => `${name.toLowerCase()}.html`;
/** A function's page; empty if there is none, which the first test reports. */
const pageOf = (one: ExcelFunction) =>
  files.includes(fileOf(one)) ? read(`help/functions/${fileOf(one)}`) : "";

/** The text that a reader sees of a piece of HTML. */
function shownText(html: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&([^;]+);/g, (_, entity: string) => entities[entity] ?? "?")
    .replace(/\s+/g, " ")
    .trim();
}

function pieces(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, piece]) => shownText(piece ?? ""));
}

const examplesOf = (page: string) =>
  [...page.matchAll(/<div class="example">(.*?)<\/div>/gs)].map(([, html = ""]) => ({
    formula: shownText(/<pre>(.*?)<\/pre>/s.exec(html)?.[1] ?? ""),
    explanation: shownText(/<p>(.*?)<\/p>/s.exec(html)?.[1] ?? ""),
    links: [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link),
  }));

/** The calls of the add-in's functions in a formula, with the number of arguments of each. */
function callsIn(formula: string): { name: string; count: number }[] {
  return [...formula.matchAll(/\bREGDATA\.(\w+)\(/g)].map(({ index, 0: start, 1: name = "" }) => {
    let [depth, commas, isText, end] = [1, 0, false, index + start.length];
    for (; depth > 0 && end < formula.length; end += 1) {
      const character = formula[end] ?? "";
      if (character === '"') isText = !isText;
      else if (!isText && "({".includes(character)) depth += 1;
      else if (!isText && ")}".includes(character)) depth -= 1;
      else if (!isText && depth === 1 && character === ",") commas += 1;
    }
    if (depth > 0) throw new Error(`${formula} does not end`);
    const isEmpty = formula.slice(index + start.length, end - 1).trim() === "";
    return { name, count: isEmpty ? 0 : commas + 1 };
  });
}

/** The texts of the sources of pane and ribbon, with each run of white space as one space. */
function namesShown(): string {
  const root = resolve(dist, "..");
  const sources = readdirSync(join(root, "src/taskpane"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, "src/taskpane", name), "utf8"));
  return [...sources, readFileSync(join(root, "manifest.xml"), "utf8")].join("\n").replace(/\s+/g, " ");
}

describe("the built help", () => {
  it("has a page for each of the add-in's functions, and no other", () => {
    expect(functions.length).toBeGreaterThan(0);
    expect(files.sort()).toEqual(functions.map(fileOf).sort());
  });

  it("lists all functions, in Excel's words", () => {
    const listed = [
      ...formulas.matchAll(/<th scope="row"><a href="([^"]+)">(.*?)<\/a><\/th>\s*<td>(.*?)<\/td>/gs),
    ].map(([, link, name, description]) => ({ link, name, description: shownText(description ?? "") }));
    expect(listed).toEqual(
      functions.map(({ name, description }) => ({
        link: `functions/${name.toLowerCase()}.html`,
        name,
        description,
      })),
    );
  });

  it("explains each status word", () => {
    const words = pieces(formulas.split('id="status"')[1] ?? "", /<th scope="row">(.*?)<\/th>/gs);
    for (const kind of Object.values(allFailureKinds)) {
      if ("status" in kind) expect(words).toContain(kind.status);
    }
    expect(words).toEqual(expect.arrayContaining(["ok", "old answer"]));
  });

  it("names in bold only what the pane, the ribbon and the cells' menu say", () => {
    const shown = namesShown();
    for (const { path } of writtenEntries) {
      const named = pieces(read(`help/${path}`), /<b>(.*?)<\/b>/gs);
      for (const name of named) expect(shown.includes(name), `${name} in ${path}`).toBe(true);
    }
  });

  it("has no link and no picture that leads nowhere", () => {
    const pages = readdirSync(resolve(dist, "help"), { recursive: true, encoding: "utf8" })
      .map((name) => `help/${name.replaceAll("\\", "/")}`)
      .filter((name) => name.endsWith(".html"));
    expect(pages).toHaveLength(writtenEntries.length + functions.length);
    for (const name of pages) {
      const links = [...read(name).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link ?? "");
      expect(links.length, name).toBeGreaterThan(1);
      for (const link of links) {
        const [path = "", mark] = link.split("#");
        const target = path === "" ? resolve(dist, name) : resolve(dist, dirname(name), path);
        expect(existsSync(target), `${link} in ${name}`).toBe(true);
        if (mark) expect(readFileSync(target, "utf8"), `${link} in ${name}`).toContain(`id="${mark}"`);
      }
    }
  });
});

describe.each(functions)("the page of $name", (one) => {
  const page = pageOf(one);

  it("is where Excel's help leads, below the manifest's address", () => {
    const pane = /<SourceLocation DefaultValue="([^"]+)"/.exec(read("manifest.xml"))?.[1] ?? "";
    const base = new URL(".", pane).href;
    expect(one.helpUrl.startsWith(base), one.helpUrl).toBe(true);
    expect(read(one.helpUrl.slice(base.length))).toBe(page);
  });

  it("says the same as Excel", () => {
    expect(pieces(page, /<h1>(.*?)<\/h1>/gs)).toEqual([`REGDATA.${one.name}`]);
    expect(pieces(page, /<\/h1>\s*<p>(.*?)<\/p>/gs)).toEqual([one.description]);
    const parameters = [
      ...page.matchAll(/<th scope="row">\s*<code>(.*?)<\/code>(.*?)<\/th>\s*<td>(.*?)<\/td>/gs),
    ].map(([, name, mark = "", description = ""]) => ({
      name,
      description: shownText(description),
      optional: mark.includes("optional"),
    }));
    expect(parameters).toEqual(
      one.parameters.map(({ name, description, optional = false }) => ({ name, description, optional })),
    );
    const names = parameters.map(({ name, optional }) => (optional ? `[${name}]` : name));
    expect(pieces(page, /<pre>(.*?)<\/pre>/gs)[0]).toBe(`=REGDATA.${one.name}(${names.join(", ")})`);
  });

  it("has three examples that can be entered", () => {
    const examples = examplesOf(page);
    expect(examples).toHaveLength(3);
    for (const { formula, explanation, links } of examples) {
      expect(formula).toMatch(/^=/);
      expect(explanation).not.toBe("");
      const calls = callsIn(formula);
      expect(calls.length, formula).toBeGreaterThan(0);
      for (const { name, count } of calls) {
        const called = functions.find((other) => other.name === name);
        expect(count, formula).toBeLessThanOrEqual(called?.parameters.length ?? -1);
        const needed = called?.parameters.filter(({ optional = false }) => !optional).length;
        expect(count, formula).toBeGreaterThanOrEqual(needed ?? Infinity);
      }
      // An example that uses only other functions is checked for their names.
      const others = calls.some(({ name }) => name === one.name) ? [] : calls;
      expect(links, formula).toEqual(others.map(({ name }) => `../functions/${name.toLowerCase()}.html`));
    }
  });
});
