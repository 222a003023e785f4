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
  const { orientation, fitToPages, footer, header } = sheet.printSetup;
  const area = parseAddress(named(areaName));
  const [, first, last] = /!\$(\d+):\$(\d+)$/.exec(named(titlesName)) ?? [];
  const [, left, right] = /!\$([A-Z]+):\$([A-Z]+)(?:,|$)/.exec(named(titlesName)) ?? [];
  return {
    ...(orientation && { orientation: orientation === "portrait" ? "Portrait" : "Landscape" }),
    ...(fitToPages && { fitToPages }),
    ...(first !== undefined && last !== undefined && { titleRows: `${first}:${last}` }),
    ...(left !== undefined && right !== undefined && { titleColumns: `${left}:${right}` }),
    ...(area && { area: formatAddress(null, area.rect) }),
    ...(header !== null && { header: pageParts(header) }),
    ...(footer !== null && { footer: pageParts(footer) }),
  };
}

/** `&L`, `&C` and `&R` begin the parts; a text before them is in the middle, and `&&` is an ampersand. */
function pageParts(text: string): NonNullable<PrintSetup["footer"]> {
  const parts = { left: "", center: "", right: "" };
  const names = { L: "left", C: "center", R: "right" } as const;
  for (const [, code, part = ""] of text.matchAll(/(?:^(?!&[LCR])|&([LCR]))((?:&&|(?!&[LCR])[^])*)/g))
    parts[names[(code as keyof typeof names | undefined) ?? "C"]] += part;
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
    // Columns come before rows, each with the sheet's name.
    const titles = [setup.titleColumns, setup.titleRows].flatMap((range) =>
      range === undefined ? [] : [place + absolute(range)],
    );
    if (titles.length > 0) names.set(keyOf(titlesName, sheet.name), titles.join(","));
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

function fileSetup({ orientation, fitToPages, footer, header }: PrintSetup): FileSetup {
  return {
    orientation: orientation === undefined ? null : orientation === "Portrait" ? "portrait" : "landscape",
    fitToPages: fitToPages ?? null,
    header: header ? withCodes(header) : null,
    footer: footer ? withCodes(footer) : null,
  };
}

function withCodes({ left, center, right }: NonNullable<PrintSetup["footer"]>): string {
  const parts = [
    ["&L", left],
    ["&C", center],
    ["&R", right],
  ] as const;
  return parts.flatMap(([code, text]) => (text === "" ? [] : [code + text])).join("");
}
