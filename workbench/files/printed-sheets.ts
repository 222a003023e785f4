import { type PrintSetup as FileSetup, type SheetFile, type WorkbookFile } from "../../xlsx/workbook-file";
import { formatAddress, parseAddress } from "../address";
import type { PrintSetup } from "../host/office-document";

/** Excel's own names for them, each belonging to its sheet. Source: ECMA-376 Part 1, 18.2.5. */
const [areaName, titlesName] = ["_xlnm.Print_Area", "_xlnm.Print_Titles"];

/** How the sheets of a file are printed, as far as the workbench keeps it; the rest stays in the file. */
export function readPrintSetups(
  file: WorkbookFile,
  idOf: (sheet: SheetFile) => string,
): [string, PrintSetup][] {
  const formulas = new Map(
    file.definedNames.map(({ name, sheet, formula }) => [keyOf(name, sheet ?? ""), formula]),
  );
  return file.sheets.flatMap((sheet) => {
    const setup = setupOf(sheet, (name) => formulas.get(keyOf(name, sheet.name)) ?? "");
    return Object.keys(setup).length > 0 ? [[idOf(sheet), setup]] : [];
  });
}

const keyOf = (name: string, sheet: string) => `${name}\n${sheet}`;

function setupOf(sheet: SheetFile, named: (name: string) => string): PrintSetup {
  const { orientation, fitToPages, footer } = sheet.printSetup;
  const area = parseAddress(named(areaName));
  const [, first, last] = /!\$(\d+):\$(\d+)$/.exec(named(titlesName)) ?? [];
  return {
    ...(orientation && { orientation: orientation === "portrait" ? "Portrait" : "Landscape" }),
    ...(fitToPages && { fitToPages }),
    ...(first !== undefined && last !== undefined && { titleRows: `${first}:${last}` }),
    ...(area && { area: formatAddress(null, area.rect) }),
    ...(footer !== null && { footer: footerParts(footer) }),
  };
}

/** `&L`, `&C` and `&R` begin the parts; a text before them is in the middle. */
function footerParts(footer: string): NonNullable<PrintSetup["footer"]> {
  const parts = { left: "", center: "", right: "" };
  const names = { L: "left", C: "center", R: "right" } as const;
  for (const [, code, text = ""] of footer.matchAll(/(?:^|&([LCR]))((?:(?!&[LCR])[^])*)/g))
    parts[names[(code as keyof typeof names | undefined) ?? "C"]] += text;
  return parts;
}

/** Writes what has changed. `idOf` names the file's sheets as `now` and `before` do. */
export function writePrintSetups(
  file: WorkbookFile,
  sheetOf: (id: string) => SheetFile | undefined,
  now: readonly (readonly [string, PrintSetup])[],
  before: readonly (readonly [string, PrintSetup])[],
): void {
  const earlier = new Map(before);
  const names = new Map<string, string>();
  for (const [id, setup] of now) {
    const sheet = sheetOf(id);
    if (!sheet || JSON.stringify(setup) === JSON.stringify(earlier.get(id))) continue;
    sheet.setPrintSetup(fileSetup(setup));
    const place = `'${sheet.name.replaceAll("'", "''")}'!`;
    if (setup.area !== undefined) names.set(keyOf(areaName, sheet.name), place + absolute(setup.area));
    if (setup.titleRows !== undefined)
      names.set(keyOf(titlesName, sheet.name), place + absolute(setup.titleRows));
  }
  if (names.size === 0) return;
  const kept = file.definedNames.filter(
    ({ name, sheet }) => sheet === null || !names.has(keyOf(name, sheet)),
  );
  const added = [...names].map(([key, formula]) => {
    const [name = "", sheet = ""] = key.split("\n");
    return { name, formula, comment: "", sheet, hidden: false };
  });
  file.setDefinedNames([...kept, ...added]);
}

/** `$A$1:$E$40` for `A1:E40`. */
function absolute(address: string): string {
  return address.replaceAll(/[A-Z]+|\d+/g, "$$$&");
}

function fileSetup({ orientation, fitToPages, footer }: PrintSetup): FileSetup {
  const parts =
    footer &&
    ([
      ["&L", footer.left],
      ["&C", footer.center],
      ["&R", footer.right],
    ] as const);
  return {
    orientation: orientation === undefined ? null : orientation === "Portrait" ? "portrait" : "landscape",
    fitToPages: fitToPages ?? null,
    footer: parts ? parts.flatMap(([code, text]) => (text === "" ? [] : [code + text])).join("") : null,
  };
}
