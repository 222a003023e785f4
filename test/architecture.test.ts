import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** The parts that any other part of src may import. They import nothing but each other. */
const ground = [
  ...["src/config", "src/url", "src/lists", "src/key-forms", "src/async", "src/zod"],
  ...["src/errors", "src/failure-kinds", "src/sheet-failure", "src/sheet-failure-kinds"],
];

/** Each part of the product, and the parts that its files may import. A part is a folder, or a file at the top of src. */
const arrows: Record<string, string[]> = {
  ...Object.fromEntries(ground.map((part) => [part, ground])),
  "src/ribbon-commands": [],
  "src/engine/absence": ground,
  "src/engine/transport": ground,
  "src/engine/cache": [...ground, "src/engine/absence"],
  "src/engine/api": [...ground, "src/engine/transport"],
  "src/engine/lookup": [...ground, "src/engine"],
  "src/settings": ground,
  "src/workbook/sheet/values": ground,
  "src/workbook/sheet": [...ground, "src/workbook/sheet/values"],
  "src/find": [...ground, "src/engine", "src/workbook/sheet/values"],
  "src/workbook/formula-text": [...ground, "src/engine/api", "src/engine/lookup"],
  "src/workbook/cell-formulas": [
    ...ground,
    ...["src/engine", "src/workbook/sheet", "src/workbook/formula-text", "src/workbook/work-note"],
  ],
  "src/pictures": [...ground, "src/workbook/sheet/values"],
  "src/workbook/work-note": [...ground, "src/workbook/sheet"],
  "src/workbook/imports": [
    ...ground,
    ...["src/engine", "src/find", "src/pictures", "src/workbook/sheet", "src/workbook/formula-text"],
    "src/workbook/work-note",
  ],
  "src/workbook/templates": [...ground, ...["src/engine", "src/workbook/sheet"]],
  "src/workbook/last-known": [
    ...[...ground, "src/engine", "src/workbook/sheet", "src/workbook/formula-text"],
    "src/workbook/cell-formulas",
  ],
  "src/workbook/unfinished": [
    ...ground,
    ...["src/engine", "src/workbook/sheet", "src/workbook/imports", "src/workbook/cell-formulas"],
    "src/workbook/work-note",
  ],
  "src/workbook/uses": [
    ...ground,
    ...["src/engine", "src/workbook/sheet", "src/workbook/imports", "src/workbook/cell-formulas"],
  ],
  "src/workbook/precedents": [
    ...ground,
    ...["src/engine", "src/workbook/sheet", "src/workbook/formula-text", "src/workbook/imports"],
    "src/workbook/cell-formulas",
  ],
  "src/workbook/dated-sheets": [
    ...ground,
    ...["src/engine", "src/workbook/sheet", "src/workbook/imports", "src/workbook/work-note"],
  ],
  "src/formula-asks": [...ground, "src/engine"],
  "src/hold": ground,
  "src/app": [
    ...ground,
    ...["src/engine", "src/formula-asks", "src/hold", "src/settings"],
    ...["src/workbook/sheet", "src/workbook/imports"],
  ],
  "src/functions": [
    ...ground,
    ...["src/app", "src/engine", "src/find", "src/workbook/sheet", "src/workbook/formula-text"],
  ],
  "src/taskpane": [
    ...ground,
    ...[
      "src/ribbon-commands",
      "src/app",
      "src/engine",
      "src/find",
      "src/hold",
      "src/pictures",
      "src/settings",
      "src/workbook",
    ],
  ],
  "src/help": ["src/config"],
  "src/main": [
    ...[
      "src/async",
      "src/ribbon-commands",
      "src/app",
      "src/functions",
      "src/engine",
      "src/settings",
      "src/taskpane",
    ],
    ...["src/workbook/last-known", "src/workbook/sheet/date-system", "src/workbook/sheet/parts"],
  ],
  "reference-service": ["src/engine/api", "src/engine/transport/rate-headers"],
  deployment: [
    ...["src/config", "src/url", "src/engine/api", "src/engine/transport", "src/pictures/county-outlines"],
    "src/settings",
  ],
  workbench: ["xlsx"],
  xlsx: [],
  command: ["src", "workbench", "xlsx"],
};

/** Outside interfaces, and the only files that may use each. */
const outsideInterfaces: { pattern: RegExp; allowed: RegExp }[] = [
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
  {
    pattern: /(?<![.\w])fetch\((?!\))/,
    allowed: /^(src\/(main\.ts|engine\/transport\/)|command\/regdata\.ts)/,
  },
  // Cells are written by swap, which loses nothing that people type.
  {
    pattern: /\.(?:values|formulas|numberFormat|hyperlink) = |\bfill\.(?:color|pattern) = /,
    allowed:
      // A planned cell has a number format, too.
      /^(?!src\/)|^src\/workbook\/sheet\/(?:swap\/|values\/value-column\.ts)/,
  },
  // Whatever the command writes goes through one writer, which replaces nothing unseen and follows no link.
  {
    pattern:
      /import (?:\* as \w+|\{[^}]*\b(?:writeFile|appendFile|rename|copyFile|cp|open|createWriteStream|truncate)(?:Sync)?\b[^}]*\}) from "node:fs/,
    allowed: /^(command\/workbook\/safe-write|workbench\/certificate)\.ts$/,
  },
  { pattern: /from "zod/, allowed: /^(deployment\/|command\/mcp\/|src\/zod\.ts$)/ },
  {
    pattern: /from "(\.\.?\/)+zod"/,
    allowed: /^src\/(engine|find|settings|workbook)\/|^src\/functions\/data-type-arguments\.ts$/,
  },
];

const files = ["src", "reference-service", "workbench", "xlsx", "deployment", "command"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({
      name: `${folder}/${name.replaceAll("\\", "/")}`,
      text: readFileSync(join(root, folder, name), "utf8"),
    })),
);

/** Files that can run anywhere at any time: neither they nor their run-time imports may wait for anything outside. */
const pureFiles = ["src/workbook/imports/refresh/plan-refresh.ts"];

const isIn = (path: string) => (part: string) => path === part || path.startsWith(`${part}/`);

function partOf(path: string): string {
  const withoutEnding = path.replace(/\.tsx?$/, "");
  return Object.keys(arrows).find(isIn(withoutEnding)) ?? withoutEnding;
}

/** The packages that a file imports at run time. */
function packagesOf({ text }: { text: string }): string[] {
  return [...withoutTypes(text).matchAll(/(?:from|import\(?)\s*"((?:@[\w-]+\/)?[\w-]+)[/"]/g)].map(
    ([, name = ""]) => name,
  );
}

/** The text without imports of types alone. */
function withoutTypes(text: string): string {
  return text.replaceAll(/^import (?:type [^;]*?|\{(?:\s*type \w+,?)+\s*\}) from "[^"]+";/gm, "");
}

function importsOf({ name, text }: { name: string; text: string }): string[] {
  return [...text.matchAll(/(?:from|import\(?)\s*(?:\/\*.*?\*\/\s*)?"(\.[^"]+)"/g)].map(([, path]) =>
    relative(root, resolve(root, dirname(name), path ?? "")).replaceAll("\\", "/"),
  );
}

/** The imports of a file that are more than types. */
function runTimeImportsOf({ name, text }: { name: string; text: string }): string[] {
  return importsOf({ name, text: withoutTypes(text) });
}

/** The names, without their endings, of a file and of all that it imports at run time. */
function closureOf(name: string, found = new Set<string>()): Set<string> {
  const path = name.replace(/\.tsx?$/, "");
  const file = files.find((each) => each.name.replace(/\.tsx?$/, "") === path);
  if (file && !found.has(path)) {
    found.add(path);
    for (const target of runTimeImportsOf(file)) closureOf(target, found);
  }
  return found;
}

describe("the house", () => {
  it.each(files)("$name imports only what its part may", (file) => {
    const part = partOf(file.name);
    const allowed = [...(arrows[part] ?? []), part];
    expect(importsOf(file).filter((target) => !allowed.some(isIn(target)))).toEqual([]);
  });

  it("uses each outside interface only in the files that may use it", () => {
    const strays = files
      .filter(({ name }) => !/^(reference-service|workbench|xlsx)\//.test(name))
      .flatMap(({ name, text }) =>
        outsideInterfaces
          .filter(({ pattern, allowed }) => pattern.test(text) && !allowed.test(name))
          .map(({ pattern }) => `${name}: ${pattern.source}`),
      );
    expect(strays).toEqual([]);
  });

  it("names as dependencies in package.json what the add-in and the command use at run time, and nothing else", () => {
    const atRunTime = closureOf("command/regdata", closureOf("src/main"));
    const used = files.filter(({ name }) => atRunTime.has(name.replace(/\.tsx?$/, ""))).flatMap(packagesOf);
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).sort()).toEqual([...new Set(used)].sort());
  });

  it("has an engine that knows nothing of Excel, of a page and of React", () => {
    const outside =
      /\b(Excel|Office|OfficeRuntime|CustomFunctions|document|window|navigator)\.|from "react|@fluentui/;
    const engine = files.filter(({ name }) => name.startsWith("src/engine/"));
    expect(engine.length).toBeGreaterThan(40);
    const knowing = engine.filter(({ text }) => outside.test(text.replaceAll(/\/\*.*?\*\/|\/\/.*/gs, "")));
    expect(knowing.map(({ name }) => name)).toEqual([]);
  });

  it.each(pureFiles)(
    "has in %s a file that waits for no Excel, network or clock, and imports none that does",
    (name) => {
      const outside =
        /\b(Excel|Office|CustomFunctions|document|window|navigator)\.\w|\b(fetch|setTimeout|Date\.now|Math\.random)\(|new Date\(\)|\b(async|await|Promise)\b/;
      const closure = closureOf(name);
      expect(closure).toContain("src/workbook/sheet/layout/table-plan");
      const knowing = files.filter(
        ({ name: each, text }) =>
          // errors.ts is exempt: a shown failure says how long to wait.
          each !== "src/errors.ts" &&
          closure.has(each.replace(/\.tsx?$/, "")) &&
          outside.test(text.replaceAll(/\/\*.*?\*\/|\/\/.*/gs, "")),
      );
      expect(knowing.map(({ name: each }) => each)).toEqual([]);
    },
  );
});
