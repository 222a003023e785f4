import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { officeMembers } from "../scripts/office-members";
import { newerMembers } from "../workbench/host/newer-members";

const root = resolve(import.meta.dirname, "..");
const planted = `
  type Asks = { hasExcelApi(version: string): boolean };
  function called(range: Excel.Range) { range.getMergedAreasOrNullObject(); }
  function loaded(range: Excel.Range) { range.load("address,valuesAsJson"); }
  function destructured(range: Excel.Range) { const { hasSpill } = range; return hasSpill; }
  function named(range: Excel.Range) { return range["getSpillParent"](); }
  function handedOver(range: Excel.Range) { range.set({ valuesAsJson: [] }); }
  const untyped = (work: (run: (context: Excel.RequestContext) => void) => void) =>
    work((context) => context.workbook.comments.load("items/content"));
  function askedForLess(range: Excel.Range, { hasExcelApi }: Asks) { if (hasExcelApi("1.11")) range.getSpillParent(); }
  function worded(range: Excel.Range, all: boolean) { range.copyFrom(range, all ? "All" : "Link"); range.values = [["free"]]; }
  function asked(range: Excel.Range, { hasExcelApi }: Asks) { if (hasExcelApi("1.12")) range.getSpillParent(); }
`;

describe("the Office APIs in use", () => {
  const { members, faults } = officeMembers(root, new Map([[join(root, "src/planted.ts"), planted]]));
  const plantedFaults = faults.filter((fault) => fault.startsWith("planted.ts"));

  it("are checked for if they are newer than the manifest requires", () => {
    expect(faults.filter((fault) => !plantedFaults.includes(fault))).toEqual([]);
  });

  it.each([
    ["called", "Excel.Range.getMergedAreasOrNullObject", "1.13"],
    ["loaded", "Excel.Range.valuesAsJson", "1.16"],
    ["destructured", "Excel.Range.hasSpill", "1.12"],
    ["named", "Excel.Range.getSpillParent", "1.12"],
    ["handedOver", "Excel.Interfaces.RangeUpdateData.valuesAsJson", "1.16"],
    ["untyped", "Excel.Comment.content", "1.10"],
    ["askedForLess", "Excel.Range.getSpillParent", "1.12"],
  ])("are a fault if nobody checks for them: %s", (user, member, version) => {
    expect(plantedFaults.filter((fault) => fault.startsWith(`planted.ts ${user} `))).toEqual([
      `planted.ts ${user} uses ${member} and does not ask for ExcelApi ${version}`,
    ]);
  });

  it("are no fault in a function that checks for them", () => {
    expect(plantedFaults.join()).not.toContain("planted.ts asked ");
  });

  it("are listed with the words that they are called with or set to, where Microsoft lists the words", () => {
    const of = (name: string) => members.find((member) => member.name === name);
    const words = [...(of("Excel.Range.copyFrom")?.words.values() ?? [])];
    for (const word of ["All", "Link"]) expect(words).toContainEqual({ index: 1, word });
    expect(of("Excel.Worksheet.visibility")).toMatchObject({ isSet: true });
    expect(of("Excel.Range.values")).toMatchObject({ isSet: true, words: new Map() });
    expect(of("Excel.Range.text")).toMatchObject({ isSet: false });
  });

  it("include the members that docs/excel-rules.md names", () => {
    const page = readFileSync(join(root, "docs/excel-rules.md"), "utf8");
    const named = [...page.matchAll(/`(Excel\.[\w.]+)`/g)].map(([, name]) => name ?? "");
    const unused = named.filter((one) => !members.some(({ name }) => `${name}.`.startsWith(`${one}.`)));
    expect(named).not.toEqual([]);
    expect(unused).toEqual([]);
  });

  it("are unknown to the workbench if it plays an Excel that is too old for them", () => {
    const used = members.flatMap(({ name, set, isNewer, isOfObject, files }) => {
      const [, className = "", member = ""] = name.split(".");
      const isOnWire = isOfObject && isNewer && !/^(items|load)$/.test(member);
      const wireName = member.charAt(0).toUpperCase() + member.slice(1);
      const isPlanted = [...files].every((file) => file === "planted.ts");
      return isOnWire && !isPlanted ? [`${className}.${wireName} ${set}`] : [];
    });
    const known = Object.entries(newerMembers).flatMap(([className, since]) =>
      Object.entries(since).map(([member, minor]) => `${className}.${member} ExcelApi 1.${minor}`),
    );
    expect(known.sort()).toEqual(used.sort());
  });
});
