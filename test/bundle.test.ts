import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { type ecmaVersion, parse } from "acorn";
import { describe, expect, it } from "vitest";

const dist = resolve(import.meta.dirname, "../dist");
const page = readFileSync(resolve(dist, "taskpane.html"), "utf8");
const own = [...page.matchAll(/<script[^>]*src="([^":]+)"/g)].map(([, source]) => source ?? "");
const [main = ""] = own;
const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));

const read = (name: string) => readFileSync(resolve(dist, name), "utf8");
const gzippedBytes = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);

/** The scripts that each `import()` in these scripts loads, as webpack writes it: `Promise.all([e(1), e(2)])`, or `e(3e3)`. */
function loadedBy(names: readonly string[]): string[][] {
  return names.flatMap((name) =>
    [...read(name).matchAll(/(?:\w+\.e\([\de]+\),?)+/g)].map(([calls]) =>
      [...calls.matchAll(/\(([\de]+)\)/g)].map(
        ([, id]) => scripts.find((script) => script.startsWith(`${Number(id)}.`)) ?? `no script ${id}`,
      ),
    ),
  );
}

/** Texts of React, Fluent and Griffel that no minifier shortens. */
const marksOfThePane = ["react.transitional.element", "__reactFiber", "fui-", "data-make-styles-bucket"];
const hasMark = (name: string) => marksOfThePane.some((mark) => read(name).includes(mark));

const loadedByMain = loadedBy([main]);
const paneScripts = loadedByMain.find((names) => names.some(hasMark)) ?? [];
/** The scripts that formulas load on demand: to read a name, an unusual code or a data type, to tell of a code that has gone, to find a jurisdiction by its id, to fill a matrix, to list, to find, to show when an answer has changed, to learn the date system, to run a collection, or to answer from last-known values. */
const onDemand = loadedByMain.filter((names) => names !== paneScripts);
/** True for the scripts that suggest the questions which an unknown name may mean. */
const suggesting = (names: readonly string[]) => names.some((name) => read(name).includes("nfpa 70"));
const formulaScripts = onDemand.flat();
const firstPaint = [main, ...paneScripts];
const worker = scripts.filter((name) => name.startsWith("worker."));
const workers = [...worker, ...loadedBy(worker).flat()];
/** The scripts that hold the shapes of the map's counties, which are data and no code. */
const shapes = scripts.filter((name) => read(name).includes('"geoids":["01001"'));
const notScreens = [...firstPaint, ...workers, ...formulaScripts, ...shapes];
const others = scripts.filter((name) => !notScreens.includes(name));

describe("the built scripts", () => {
  it("give formulas all they need in one script of at most 60 kB gzipped", () => {
    expect(own).toEqual([main]);
    expect(gzippedBytes([main])).toBeLessThanOrEqual(60_000);
  });

  it("are read by the oldest browser of package.json's browserslist: one that can't read a script runs none of it", () => {
    const { compilerOptions } = JSON.parse(readFileSync(resolve(dist, "../tsconfig.json"), "utf8")) as {
      compilerOptions: { target: string };
    };
    const ecmaVersion = Number(compilerOptions.target.slice(2)) as ecmaVersion;
    for (const name of scripts) {
      expect(() => parse(read(name), { ecmaVersion, sourceType: "script" }), name).not.toThrow();
    }
  });

  it("keep React and Fluent out of that script", () => {
    const pane = paneScripts.map(read).join("");
    for (const mark of marksOfThePane) {
      expect(pane.includes(mark), `${mark} in the pane's scripts`).toBe(true);
      expect(read(main).includes(mark), `${mark} in the formulas' script`).toBe(false);
    }
  });

  it("show the pane with at most 230 kB gzipped, the first script included", () => {
    expect(loadedByMain).toHaveLength(19);
    expect(gzippedBytes(firstPaint)).toBeLessThanOrEqual(230_000);
  });

  it("read names, other spellings of codes and data types, tell of codes that have gone or are denied, find jurisdictions by id, fill a matrix, list, find, suggest names, show dates, learn the date system, run collections, answer without a key, read the kept connections, and quote a refusal, with at most 12 kB gzipped more each, and nothing of the pane", () => {
    expect(onDemand).toHaveLength(18);
    expect(formulaScripts.filter(hasMark)).toEqual([]);
    for (const names of onDemand)
      if (!suggesting(names)) expect(gzippedBytes(names)).toBeLessThanOrEqual(12_000);
  });

  it("suggest questions with at most 16 kB gzipped, because the list of the trade's words grows", () => {
    const found = onDemand.filter(suggesting);
    expect(found).toHaveLength(1);
    for (const names of found) expect(gzippedBytes(names)).toBeLessThanOrEqual(16_000);
  });

  it("read large answers in a worker of at most 40 kB gzipped, its share of other scripts included", () => {
    expect(worker).toHaveLength(1);
    expect(gzippedBytes(workers)).toBeLessThanOrEqual(40_000);
  });

  it("draw a map with at most 60 kB gzipped of code and 120 kB of shapes, which come when one is looked at", () => {
    expect(shapes).toHaveLength(1);
    expect(gzippedBytes(shapes)).toBeLessThanOrEqual(120_000);
    const [drawing = ""] = others.filter((name) =>
      loadedBy([name]).some(([each = ""]) => shapes.includes(each)),
    );
    const code = loadedBy(others).filter((names) => names.includes(drawing));
    expect(code).not.toEqual([]);
    for (const names of code) {
      const more = names.filter((name) => !firstPaint.includes(name));
      expect(gzippedBytes(more), more.join(" ")).toBeLessThanOrEqual(60_000);
    }
  });

  it("bring each later screen in at most 65 kB gzipped, with the scripts that it shares with others", () => {
    const screens = loadedBy([...paneScripts, ...formulaScripts, ...others]).filter(
      ([name = ""]) => !shapes.includes(name),
    );
    // A screen may share a script with formulas, for example the one that compares answers.
    const measured = new Set(screens.flat());
    expect(others.filter((name) => !measured.has(name))).toEqual([]);
    for (const screen of screens) {
      const more = screen.filter((name) => !firstPaint.includes(name));
      expect(gzippedBytes(more), more.join(" ")).toBeLessThanOrEqual(65_000);
    }
  });
});
