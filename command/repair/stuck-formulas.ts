import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import {
  type CellScalar,
  customCalls,
  type FoundCall,
  shownFormula,
  storedFormula,
  type WorkbookFile,
} from "../../xlsx/workbook-file";

/** A stuck formula and how it will be mended. */
export interface Mending {
  call: FoundCall;
  /** The cell's address with its sheet, such as `Fees!D7`. */
  address: string;
  /** The formula as Excel shows it, without "=". */
  formula: string;
  /** The stored answer; undefined if there is none, so that Excel calculates the cell when it opens the file. */
  kept?: Exclude<CellScalar, null> | undefined;
}

/** The stuck formulas of a namespace, sheet by sheet and row by row. */
export function stuckFormulas(file: WorkbookFile, namespace: string): Mending[] {
  return file
    .customFunctions(namespace)
    .filter(({ state }) => state === "stuck")
    .map((call) => ({
      call,
      address: addressOf({ sheetName: call.sheet.name, row: call.row, column: call.column }),
      formula: call.shownText,
    }));
}

/** A formula outside cells that does not work. */
export interface OtherStuck {
  /** For people, such as `the name Rate`. */
  place: string;
  /** As Excel shows it, without "=". */
  formula: string;
  /**
   * `misnamed`: it calls a function by a name that Excel does not call. `uncalled`: Excel calls no custom function there. `gone` and
   * `elsewhere`: as of a cell. Only one that is misnamed can be mended for certain.
   */
  state: "misnamed" | "uncalled" | "gone" | "elsewhere";
}

/** The formulas of names, rules, calculated columns and charts that call custom functions of a namespace and do not work. */
export function otherStuck(file: WorkbookFile, namespace: string): OtherStuck[] {
  return file.otherFormulas.flatMap(({ of, where, sheet, text }): OtherStuck[] => {
    const kind = customCalls(text, namespace);
    if (kind === null) return [];
    const canCall = of === "name" || of === "calculated column";
    if (kind === "stored" && canCall) return [];
    const isDoubtful = kind === "gone" || kind === "elsewhere";
    return [
      {
        place: sheet === null ? `the name ${where}` : `${sheet}, ${of} ${where}`,
        formula: shownFormula(text, [namespace]),
        state: isDoubtful ? kind : canCall ? "misnamed" : "uncalled",
      },
    ];
  });
}

/**
 * Writes names and calculated columns with the names that Excel stores, where they are misnamed. Excel calculates the cells that use such a
 * name and show an error when it opens the file.
 */
export function mendOthers(file: WorkbookFile, namespace: string): void {
  const mended = (stored: string) =>
    customCalls(stored, namespace) === "shown"
      ? storedFormula(shownFormula(stored, [namespace]), [namespace])
      : stored;
  const before = file.definedNames;
  const after = before.map((each) => ({ ...each, formula: mended(each.formula) }));
  const names = before.flatMap(({ name, formula }, at) => (formula === after[at]?.formula ? [] : name));
  file.setDefinedNames(after);
  for (const sheet of file.sheets) {
    sheet.changeColumnFormulas(mended);
    if (names.length === 0 || !sheet.mayHaveFormulas) continue;
    const users = [...sheet.cells()].filter(({ isError, formula }) => isError && uses(formula?.text, names));
    sheet.setCells(users.map(({ row, column }) => ({ row, column, calculateOnOpening: true })));
  }
}

function uses(formula = "", names: readonly string[]): boolean {
  const words: string[] = formula.toLowerCase().match(/[\p{L}_\\][\p{L}\p{N}_.\\?]*/gu) ?? [];
  return names.some((name) => words.includes(name.toLowerCase()));
}

/**
 * Writes stuck formulas with the names that Excel stores, and replaces errors with stored answers; a cell without a stored answer is marked
 * for calculation. The add-in `addinId` gets the functions' ids if the file has a list of its functions. Nothing else changes.
 */
export function mendFormulas(
  file: WorkbookFile,
  mendings: readonly Mending[],
  { namespace, addinId }: { namespace: string; addinId: string | null },
): void {
  for (const { call, formula, kept } of mendings) {
    const { sheet, row, column, area, isError, cachedValue } = call;
    const text = storedFormula(formula, [namespace]);
    const isOneCell = area.rows * area.columns === 1;
    // A stale value is better than none, but an error is not kept.
    const value = kept ?? (isError ? null : cachedValue);
    sheet.setCells([
      {
        row,
        column,
        value,
        formula: isOneCell ? { text } : { text, area },
        ...(kept === undefined && { calculateOnOpening: true }),
      },
    ]);
  }
  listFunctions(file, mendings, namespace, addinId);
}

const storedName = /_xldudf_\w+/g;

function listFunctions(
  file: WorkbookFile,
  mendings: readonly Mending[],
  namespace: string,
  addinId: string | null,
): void {
  const prefix = `_xldudf_${namespace.replaceAll(".", "_")}_`.toLowerCase();
  const used = new Set(
    mendings.flatMap(({ formula }) => storedFormula(formula, [namespace]).match(storedName) ?? []),
  );
  const extension = file.webExtensions.find(({ reference, customFunctionIds: ids }) =>
    addinId === null
      ? ids.some((id) => id.toLowerCase().startsWith(prefix))
      : reference.id.toLowerCase() === addinId.toLowerCase() && ids.length > 0,
  );
  if (!extension) return;
  const known = new Set(extension.customFunctionIds.map((id) => id.toLowerCase()));
  const added = [...used].filter((id) => id.toLowerCase().startsWith(prefix) && !known.has(id.toLowerCase()));
  if (added.length > 0) file.setExtensionFunctions(extension, [...extension.customFunctionIds, ...added]);
}
