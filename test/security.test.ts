import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

function filesIn(folder: string, ending: RegExp) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => ending.test(name))
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), "utf8") }));
}

/** The sources that ship: nothing that runs at build, on a server, or simulates Excel. */
const shipped = filesIn("src", /\.tsx?$/).filter(({ name }) => !/^help\//.test(name));
const scripts = filesIn("dist", /\.js$/);

describe("the source of the add-in", () => {
  it("tells other windows nothing without naming who may hear it", () => {
    expect(shipped.length).toBeGreaterThan(100);
    const telling = shipped.filter(({ text }) => /\.postMessage\([^)]*["']\*["']/.test(text));
    expect(telling.map(({ name }) => name)).toEqual([]);
  });
});

describe("the built scripts", () => {
  it("run no text as code", () => {
    expect(scripts.length).toBeGreaterThan(5);
    const running = scripts.filter(({ text }) => /\beval\(|\bnew Function\b|\bFunction\(["'`]/.test(text));
    expect(running.map(({ name }) => name)).toEqual([]);
  });

  it("name no third party's address, but for names of markup and where React explains its errors", () => {
    const hosts = scripts.flatMap(({ text }) =>
      [...text.matchAll(/\bhttps?:\/\/([\w-]+(?:\.[\w-]+)+)/g)].map(([, host = ""]) => host),
    );
    expect([...new Set(hosts)].sort()).toEqual(["react.dev", "www.w3.org"]);
  });
});

describe("the pages", () => {
  it("load scripts and styles from their own address alone, but for office.js", () => {
    const pages = filesIn("dist", /\.html$/);
    expect(pages.length).toBeGreaterThan(5);
    const elsewhere = pages.flatMap(({ text }) =>
      [
        ...text.matchAll(
          /<(?:script|link|img|iframe|object|embed)\b[^>]*?(?:src|href|data)="((?:https?:)?\/\/[^"]*)"/g,
        ),
      ].map(([, address]) => address),
    );
    expect(elsewhere).toEqual(["https://officeapis.public.onecdn.static.microsoft/1/office.js"]);
  });
});
