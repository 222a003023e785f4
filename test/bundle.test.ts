import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const dist = resolve(import.meta.dirname, "../dist");
const page = readFileSync(resolve(dist, "taskpane.html"), "utf8");
const own = [...page.matchAll(/<script[^>]*src="([^":]+)"/g)].map(([, source]) => source ?? "");
const [main = ""] = own;
const scripts = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".js"),
);
const onDemand = scripts.filter((name) => name.startsWith("formulas."));
const paneScripts = scripts.filter((name) => name.startsWith("pane."));
/** What the pane asks for by itself. */
const screenScripts = scripts.filter((name) => ![main, ...onDemand, ...paneScripts].includes(name));

const read = (name: string) => readFileSync(resolve(dist, name), "utf8");
const gzippedBytes = (name: string) => gzipSync(read(name), { level: 9 }).length;

/** Texts of React, Fluent and Griffel that no minifier shortens. */
const marksOfThePane = ["react.transitional.element", "__reactFiber", "fui-", "data-make-styles-bucket"];

describe("the built scripts", () => {
  it("give values all they need in one script of at most 60 kB gzipped, and the other formulas 10 kB more", () => {
    expect(own).toEqual([main]);
    expect(gzippedBytes(main)).toBeLessThanOrEqual(60_000);
    expect(onDemand).toHaveLength(1);
    for (const name of onDemand) expect(gzippedBytes(name)).toBeLessThanOrEqual(10_000);
  });

  it("keep React and Fluent out of that script", () => {
    const pane = paneScripts.map(read).join("");
    for (const mark of marksOfThePane) {
      expect(pane.includes(mark), `${mark} in the pane's script`).toBe(true);
      expect(read(main).includes(mark), `${mark} in the formulas' script`).toBe(false);
    }
  });

  it("bring the pane in at most 200 kB gzipped more, and each of its screens in 40 kB", () => {
    expect(paneScripts).toHaveLength(1);
    for (const name of paneScripts) expect(gzippedBytes(name)).toBeLessThanOrEqual(200_000);
    for (const name of screenScripts) expect(gzippedBytes(name), name).toBeLessThanOrEqual(40_000);
  });
});
