import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const src = resolve(import.meta.dirname, "../src");

/** What each folder, or file at the top, may import of the others (docs/architecture.md). */
const arrows: Record<string, string[]> = {
  config: [],
  errors: [],
  url: [],
  transport: ["config", "errors", "url"],
  cache: ["config", "errors"],
  settings: ["config", "errors", "url"],
  sheet: ["config", "errors", "url"],
  api: ["config", "errors", "transport"],
  lookup: ["config", "errors", "transport", "cache", "api"],
  imports: ["config", "errors", "transport", "cache", "api", "lookup", "sheet"],
  formulas: ["config", "errors", "sheet"],
  travelling: ["config", "errors", "api", "lookup", "imports", "sheet"],
  app: ["config", "errors", "transport", "cache", "settings", "sheet", "api", "lookup", "imports"],
  functions: ["config", "errors", "transport", "app", "api", "lookup", "sheet"],
  taskpane: [
    ...["config", "errors", "cache", "app", "api", "lookup", "imports", "formulas", "sheet", "settings"],
    "travelling",
  ],
  main: ["app", "functions", "lookup", "settings", "taskpane", "travelling"],
  service: ["api"],
  deployment: ["api", "config", "settings", "transport", "url"],
  workbench: [],
};

/** Outside things, and the only places that open their door. */
const doors: { pattern: RegExp; allowed: RegExp }[] = [
  { pattern: /from "react/, allowed: /^taskpane\// },
  { pattern: /from "@fluentui/, allowed: /^taskpane\// },
  { pattern: /\bindexedDB\b/, allowed: /^cache\// },
  {
    pattern: /\b(local|session)Storage\b|\bOfficeRuntime\b|\bdocument\.cookie\b/,
    allowed: /^settings\/user-storage\.ts$/,
  },
  { pattern: /\bCustomFunctions\.Error\(/, allowed: /^functions\// },
  { pattern: /\bOffice\.onReady\(/, allowed: /^(app|main)\.ts$/ },
  { pattern: /\bexcel\(\)\.run\(|\bExcel\.run\(/, allowed: /^sheet\// },
  { pattern: /(?<![.\w])fetch\((?!\))/, allowed: /^(main\.ts|transport\/)/ },
  {
    pattern: /from "zod/,
    allowed:
      /^(api|cache|deployment|formulas|imports|lookup|settings|travelling)\/|^functions\/data-type-arguments\.ts$/,
  },
];

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(join(src, name), "utf8") }));

function partOf(path: string): string {
  return path.split("/")[0]?.replace(/\.tsx?$/, "") ?? path;
}

function importsOf({ name, text }: { name: string; text: string }): string[] {
  return [...text.matchAll(/(?:from|import\(?)\s*"(\.[^"]+)"/g)].map(([, path]) =>
    relative(src, resolve(src, dirname(name), path ?? "")).replaceAll("\\", "/"),
  );
}

describe("the house", () => {
  it.each(files.map(({ name }) => name))("%s imports only what its folder may", (name) => {
    const file = files.find((candidate) => candidate.name === name);
    const part = partOf(name);
    const allowed = [...(arrows[part] ?? []), part];
    const imported = file ? importsOf(file).map(partOf) : [];
    expect(imported.filter((target) => !allowed.includes(target))).toEqual([]);
  });

  it("has one door to each outside thing", () => {
    const strays = files
      .filter(({ name }) => !/^(service|workbench)\//.test(name))
      .flatMap(({ name, text }) =>
        doors
          .filter(({ pattern, allowed }) => pattern.test(text) && !allowed.test(name))
          .map(({ pattern }) => `${name}: ${pattern.source}`),
      );
    expect(strays).toEqual([]);
  });
});
