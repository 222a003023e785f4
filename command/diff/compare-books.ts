import type { WorkbookFile } from "../../xlsx/workbook-file";
import { type FileImport, fileImports } from "../imports/file-imports";
import { compareImports, type ImportDifference, readImport, type ImportData } from "./compare-imports";
import { compareCells, type CellDifference, readSheets, type ReadSheet } from "./read-sheet";

/** The differences between two versions of a workbook. */
export interface BookDifference {
  /** Names of added and removed sheets; a renamed sheet is in both lists. */
  sheets: { came: string[]; went: string[] };
  /** Names of imports that only one version remembers. */
  imports: { came: string[]; went: string[] };
  /** Imports that both versions have and that differ. */
  changedImports: ImportDifference[];
  /** Cells that differ outside of imports' tables, on sheets that both versions have. */
  cells: CellDifference[];
}

/** Compares contents: values, formulas and answers. Looks, charts and names are not compared. Throws a WorkbookFileError. */
export function compareBooks(before: WorkbookFile, now: WorkbookFile, namespace: string): BookDifference {
  const [oldBook, book] = [readBookFile(before, namespace), readBookFile(now, namespace)];
  const changedImports: ImportDifference[] = [];
  const [oldPlaces, places] = [new Map<ReadSheet, Set<number>>(), new Map<ReadSheet, Set<number>>()];
  for (const [id, current] of book.read) {
    const old = oldBook.read.get(id);
    if (!old) continue;
    leaveOut(oldPlaces, old);
    leaveOut(places, current);
    const difference = compareImports(old, current);
    if (difference.answers.length + difference.cells.length > 0) changedImports.push(difference);
  }
  const cells = [...book.sheets].flatMap(([name, sheet]) => {
    const old = oldBook.sheets.get(name);
    if (!old) return [];
    return compareCells(old, sheet, {
      before: (place) => oldPlaces.get(old)?.has(place) ?? false,
      now: (place) => places.get(sheet)?.has(place) ?? false,
    });
  });
  return {
    sheets: {
      came: [...book.sheets.values()]
        .filter(({ name }) => !oldBook.sheets.has(name.toLowerCase()))
        .map(nameOf),
      went: [...oldBook.sheets.values()]
        .filter(({ name }) => !book.sheets.has(name.toLowerCase()))
        .map(nameOf),
    },
    imports: {
      came: book.imports.filter(({ saved }) => !oldBook.hasImport(saved.id)).map(({ saved }) => saved.name),
      went: oldBook.imports.filter(({ saved }) => !book.hasImport(saved.id)).map(({ saved }) => saved.name),
    },
    changedImports,
    cells,
  };
}

export function isDifferent({ sheets, imports, changedImports, cells }: BookDifference): boolean {
  const lists = [sheets.came, sheets.went, imports.came, imports.went, changedImports, cells];
  return lists.some(({ length }) => length > 0);
}

const nameOf = ({ name }: { name: string }) => name;

function leaveOut(left: Map<ReadSheet, Set<number>>, { sheet, places }: ImportData): void {
  const all = left.get(sheet) ?? new Set();
  for (const place of places) all.add(place);
  left.set(sheet, all);
}

interface ReadBookFile {
  /** The sheets by their names in lower case. */
  sheets: Map<string, ReadSheet>;
  imports: FileImport[];
  /** The imports whose table was found, by their ids. */
  read: Map<string, ImportData>;
  hasImport(id: string): boolean;
}

function readBookFile(file: WorkbookFile, namespace: string): ReadBookFile {
  const sheets = new Map(readSheets(file, [namespace]).map((sheet) => [sheet.name.toLowerCase(), sheet]));
  const { imports } = fileImports(file);
  const read = new Map<string, ImportData>();
  for (const each of imports) {
    const sheet = each.table && sheets.get(each.table.sheet.name.toLowerCase());
    const own = sheet && readImport(each, sheet);
    if (own) read.set(each.saved.id, own);
  }
  return { sheets, imports, read, hasImport: (id) => imports.some(({ saved }) => saved.id === id) };
}
