import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { officeApis, officeApisPage } from "../scripts/office-apis/document";
import { newerMembers } from "../workbench/host/newer-members";

const root = resolve(import.meta.dirname, "..");
const planted = join(root, "src/sheet/planted.ts");

/** What must not pass, each line with the fault that it is. */
const faulty: [line: string, fault: string][] = [
  [`void range.valuesAsJson;`, "Excel.Range.valuesAsJson takes ExcelApi 1.16, and Excel is not asked before"],
  [
    `range.load("valuesAsJson");`,
    "Excel.Range.valuesAsJson takes ExcelApi 1.16, and Excel is not asked before",
  ],
  [`const { hasSpill } = range;`, "Excel.Range.hasSpill takes ExcelApi 1.12, and Excel is not asked before"],
  [
    `range["getSpillParent"]();`,
    "Excel.Range.getSpillParent takes ExcelApi 1.12, and Excel is not asked before",
  ],
  [`range.set({ valuesAsJson: [] });`, "valuesAsJson takes ExcelApi 1.16, and Excel is not asked before"],
  [
    `if (!has("1.11")) void range.hasSpill;`,
    "Excel.Range.hasSpill takes ExcelApi 1.12, and Excel is not asked before",
  ],
  [
    `if (hasExcelApi("1.11")) range.getSpillParent();`,
    "getSpillParent takes ExcelApi 1.12, and Excel is not asked",
  ],
  [`rows.add(undefined, [], true);`, "Excel.TableRowCollection.add (argument 3) takes ExcelApi 1.15"],
  [`older(range);`, ""],
  [`(range as unknown as { anything(): void }).anything();`, "a cast of Office's"],
  [`(range as any).anything();`, "a cast of Office's"],
  [`range.load(name);`, "nobody can tell what is loaded"],
  [`void range[name as keyof Excel.Range];`, "Excel.Range.getSpillParent takes ExcelApi 1.12"],
  [`own({ Excel: { anything: 1 } });`, ""],
];
const head = [
  `export function hidden(`,
  `  range: Excel.Range, rows: Excel.TableRowCollection, name: string,`,
  `  hasExcelApi: (version: string) => boolean, has: (version: string) => boolean,`,
  `) {`,
];
const tail = [
  `}`,
  `function older(range: Excel.Range) { range.getSpillParent(); }`,
  `function own(_host: { Excel: { anything: number } }) {}`,
  `export function shown(range: Excel.Range, hasExcelApi: (version: string) => boolean) {`,
  `  const canSee = hasExcelApi("1.12");`,
  `  if (!canSee) return;`,
  `  behind(range);`,
  `}`,
  `function behind(range: Excel.Range) { void range.hasSpill; }`,
];

describe("the Office APIs in use", () => {
  const text = [...head, ...faulty.map(([line]) => line), ...tail].join("\n");
  const found = officeApis(
    root,
    readFileSync(join(root, "manifest.xml"), "utf8"),
    new Map([[planted, text]]),
  );
  const plantedFaults = found.faults.filter((fault) => fault.startsWith("src/sheet/planted.ts"));
  const faultsAt = (line: number) =>
    plantedFaults.filter((fault) => fault.startsWith(`src/sheet/planted.ts:${line}:`)).join("\n");

  it("are asked for first, wherever they are newer than what the manifest requires", () => {
    expect(found.faults.filter((fault) => !plantedFaults.includes(fault))).toEqual([]);
  });

  it("are unknown to the workbench where it plays an Excel that is too old for them", () => {
    const played = found.apis.filter(({ isNewer, workbench }) => isNewer && workbench === "yes");
    const wire = played.flatMap(({ name, set }) => {
      const [, className = "", member = ""] = name.split(".");
      if (member === "items") return [];
      const wireName = member.charAt(0).toUpperCase() + member.slice(1);
      return [`${className}.${wireName} ${set?.version}`];
    });
    const known = Object.entries(newerMembers).flatMap(([className, members]) =>
      Object.entries(members).map(([name, minor]) => `${className}.${name} 1.${minor}`),
    );
    expect(known.sort()).toEqual(wire.sort());
  });

  it("are those in the document, which `npm run office-apis` makes", () => {
    expect(readFileSync(join(root, "docs/office-apis.md"), "utf8")).toBe(officeApisPage(found));
  });

  it.each(
    faulty
      .map(([line, fault], index) => [line, fault, head.length + 1 + index] as const)
      .filter(([, fault]) => fault),
  )("do not hide: %s", (_line, fault, at) => expect(faultsAt(at)).toContain(fault));

  it("do not hide in a function that others call, nor behind a type of one's own", () => {
    const first = head.length + faulty.length + 1;
    expect(faultsAt(first + 1)).toContain("Excel.Range.getSpillParent takes ExcelApi 1.12");
    expect(faultsAt(first + 2)).toContain("an own type for Office");
  });

  it("may stand in a function that is called behind the question", () => {
    expect(faultsAt(head.length + faulty.length + tail.length)).toBe("");
  });
});
