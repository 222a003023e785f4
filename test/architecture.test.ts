import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Each part of the product, and the parts that its files may import. A part is a folder, or a file at the top of src. */
const arrows: Record<string, string[]> = {
  "src/config": [],
  "src/errors": [],
  "src/url": [],
  "src/ribbon-commands": [],
  "src/engine/transport": ["src/config", "src/errors", "src/url"],
  "src/engine/cache": ["src/config", "src/errors"],
  "src/engine/api": ["src/config", "src/errors", "src/engine/transport"],
  "src/engine/lookup": [
    "src/config",
    "src/errors",
    "src/engine/transport",
    "src/engine/cache",
    "src/engine/api",
  ],
  "src/settings": ["src/config", "src/errors", "src/url"],
  "src/workbook/formula-text": ["src/config", "src/errors", "src/engine/api", "src/engine/lookup"],
  "src/workbook/sheet": ["src/config", "src/errors", "src/url"],
  "src/workbook/imports": [
    "src/config",
    "src/errors",
    "src/engine",
    "src/workbook/sheet",
    "src/workbook/formula-text",
  ],
  "src/workbook/cell-formulas": [
    "src/config",
    "src/errors",
    "src/workbook/sheet",
    "src/workbook/formula-text",
  ],
  "src/workbook/travelling": [
    "src/config",
    "src/errors",
    "src/engine",
    "src/workbook/sheet",
    "src/workbook/formula-text",
  ],
  "src/app": [
    "src/config",
    "src/errors",
    "src/engine",
    "src/settings",
    "src/workbook/sheet",
    "src/workbook/imports",
  ],
  "src/functions": [
    "src/config",
    "src/errors",
    "src/app",
    "src/engine",
    "src/workbook/sheet",
    "src/workbook/formula-text",
  ],
  "src/taskpane": [
    "src/ribbon-commands",
    "src/config",
    "src/errors",
    "src/app",
    "src/engine",
    "src/settings",
    "src/workbook",
  ],
  "src/help": [],
  "src/main": [
    "src/ribbon-commands",
    "src/app",
    "src/functions",
    "src/engine",
    "src/settings",
    "src/taskpane",
    "src/workbook/travelling",
  ],
  "reference-service": ["src/engine/api", "src/engine/transport/rate-headers"],
  deployment: ["src/config", "src/url", "src/engine/api", "src/engine/transport", "src/settings"],
  workbench: [],
};

/** Outside things, and the only places that open their door. */
const doors: { pattern: RegExp; allowed: RegExp }[] = [
  { pattern: /from "react/, allowed: /^src\/taskpane\// },
  { pattern: /from "@fluentui/, allowed: /^src\/taskpane\// },
  { pattern: /\bindexedDB\b/, allowed: /^src\/engine\/cache\// },
  {
    pattern: /\b(local|session)Storage\b|\bOfficeRuntime\b|\bdocument\.cookie\b/,
    allowed: /^src\/settings\/user-storage\.ts$/,
  },
  { pattern: /\bCustomFunctions\.Error\(/, allowed: /^src\/functions\// },
  { pattern: /\bOffice\.onReady\(/, allowed: /^src\/(app|main)\.ts$/ },
  { pattern: /\bexcel\(\)\.run\(|\bExcel\.run\(/, allowed: /^src\/workbook\/sheet\// },
  { pattern: /(?<![.\w])fetch\((?!\))/, allowed: /^src\/(main\.ts|engine\/transport\/)/ },
  {
    pattern: /from "zod/,
    allowed: /^(deployment|src\/(engine|settings|workbook))\/|^src\/functions\/excel-value-arguments\.ts$/,
  },
];

const files = ["src", "reference-service", "workbench", "deployment"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({
      name: `${folder}/${name.replaceAll("\\", "/")}`,
      text: readFileSync(join(root, folder, name), "utf8"),
    })),
);

const isIn = (path: string) => (part: string) => path === part || path.startsWith(`${part}/`);

function partOf(path: string): string {
  const withoutEnding = path.replace(/\.tsx?$/, "");
  return Object.keys(arrows).find(isIn(withoutEnding)) ?? withoutEnding;
}

function importsOf({ name, text }: { name: string; text: string }): string[] {
  return [...text.matchAll(/(?:from|import\(?)\s*(?:\/\*.*?\*\/\s*)?"(\.[^"]+)"/g)].map(([, path]) =>
    relative(root, resolve(root, dirname(name), path ?? "")).replaceAll("\\", "/"),
  );
}

describe("the house", () => {
  it.each(files)("$name imports only what its part may", (file) => {
    const part = partOf(file.name);
    const allowed = [...(arrows[part] ?? []), part];
    expect(importsOf(file).filter((target) => !allowed.some(isIn(target)))).toEqual([]);
  });

  it("has one door to each outside thing", () => {
    const strays = files
      .filter(({ name }) => !/^(reference-service|workbench)\//.test(name))
      .flatMap(({ name, text }) =>
        doors
          .filter(({ pattern, allowed }) => pattern.test(text) && !allowed.test(name))
          .map(({ pattern }) => `${name}: ${pattern.source}`),
      );
    expect(strays).toEqual([]);
  });
});
