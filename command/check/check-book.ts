import { frozenNamespace, parseFrozenXml } from "../../src/workbook/cell-formulas/frozen-formulas";
import { holdName } from "../../src/workbook/sheet/parts/hold-here";
import { type Hold, holdWords, parseHold } from "../../src/workbook/sheet/parts/hold-name";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import { type DefinedName, openWorkbookFile, type WorkbookFile } from "../../xlsx/workbook-file";
import { otherStuck } from "../repair/stuck-formulas";
import { fileImports } from "../imports/file-imports";
import { readBook } from "../workbook/safe-write";
import { looksLikeKey } from "./key-like";
import { keyPlaces } from "./key-search";

export const problemKinds = {
  key: "Keys in the file",
  "key-like": "Texts in the form of a key",
  stuck: "Formulas that are stuck",
  stale: "Imports whose last run is too old",
  frozen: "Frozen formulas",
  "on-hold": "Workbooks on hold",
  services: "Imports of more than one service",
  "table-gone": "Imports whose table is gone",
  unreadable: "Parts that could not be read",
  "gone-place": "Places that are not in the directory",
  "gone-question": "Questions that are not in the catalogue",
} as const;

export interface Problem {
  kind: keyof typeof problemKinds;
  /** The address of a cell, or a description of another place. Like the detail, it may repeat a key, which the output masks. */
  place: string;
  /** A detail of the problem; "" if there is none. */
  detail: string;
}

export interface CheckOptions {
  /** The namespace of the custom functions. */
  namespace: string;
  /** Keys to search for. */
  keys: readonly string[];
  /** The service's address that imports are expected to have; null for any. */
  service: string | null;
  olderThanDays: number;
  nowMs: number;
}

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * Finds the problems that somebody who passes the workbook on, or relies on it, should know of. Changes nothing. Throws a
 * WorkbookFileError.
 */
export function checkBook(file: WorkbookFile, options: CheckOptions): Problem[] {
  return [
    ...keys(file, options),
    ...stuck(file, options),
    ...stuckElsewhere(file, options),
    ...ofImports(file, options),
    ...frozen(file, options),
    ...held(file),
  ];
}

/** The hold of the workbook in a file; null if it is not on hold. */
export function holdOf({ definedNames }: Pick<WorkbookFile, "definedNames">): Hold | null {
  const isHold = ({ name, sheet }: DefinedName) =>
    sheet === null && name.toLowerCase() === holdName.toLowerCase();
  const found = definedNames.find(isHold);
  return found ? parseHold(`=${found.formula}`) : null;
}

function held(file: WorkbookFile): Problem[] {
  const hold = holdOf(file);
  if (!hold) return [];
  const detail = `on hold${holdWords(hold, dayOf)}: it is not refreshed until somebody releases it`;
  return [{ kind: "on-hold", place: "the workbook", detail }];
}

/** Opens a file to be read alone. Fails with a CommandFailure "file" or a WorkbookFileError. */
export async function openToCheck(path: string): Promise<WorkbookFile> {
  const { bytes } = await readBook(path);
  // The signature may be dropped in memory, because nothing is written: in the file it stays valid.
  return openWorkbookFile(bytes, { dropSignature: true });
}

function keys(file: WorkbookFile, options: CheckOptions): Problem[] {
  return keyPlaces(file, options.keys).map(({ place, kind }) =>
    kind === "known"
      ? { kind: "key", place, detail: "holds the key" }
      : { kind: "key-like", place, detail: "has the form of a key" },
  );
}

const perhapsOurs = {
  gone: "calls #REF!(…), a function that is gone: if it was one of RegData's, write the formula anew",
  elsewhere:
    "calls a function of another workbook: if it was one of RegData's, write the formula without that workbook's name",
};

function stuckElsewhere(file: WorkbookFile, { namespace }: CheckOptions): Problem[] {
  return otherStuck(file, namespace).map(({ place, state }) => {
    const detail = {
      ...perhapsOurs,
      uncalled: "Excel calls no custom function there",
      misnamed: "calls a function by a name that Excel does not call",
    }[state];
    return { kind: "stuck", place, detail };
  });
}

function stuck(file: WorkbookFile, { namespace }: CheckOptions): Problem[] {
  return file.customFunctions(namespace).flatMap((call): Problem[] => {
    const { sheet, row, column, state, isError, cachedValue, isSheetProtected } = call;
    if (state === "live" || state === "spilled") return [];
    const isMisnamed = "is stored by a name that Excel does not call";
    const shows = state !== "stuck" ? perhapsOurs[state] : isError ? `shows ${cachedValue}` : isMisnamed;
    return [
      {
        kind: "stuck",
        place: addressOf({ sheetName: sheet.name, row, column }),
        detail: isSheetProtected ? `${shows}, on a protected sheet` : shows,
      },
    ];
  });
}

function ofImports(file: WorkbookFile, { service, olderThanDays, nowMs }: CheckOptions): Problem[] {
  const { imports, refused } = fileImports(file);
  const problems: Problem[] = [];
  for (const { saved, table } of imports) {
    const { atMs } = saved.lastRun;
    const place = table
      ? `${saved.name}, ${addressOf({ ...table.table.ref, sheetName: table.sheet.name })}`
      : saved.name;
    if (!table) problems.push({ kind: "table-gone", place, detail: `last run ${dayOf(atMs)}` });
    const days = Math.floor((nowMs - atMs) / dayMs);
    if (days > olderThanDays)
      problems.push({
        kind: "stale",
        place,
        detail: `last run ${dayOf(atMs)}, ${days.toLocaleString("en-US")} days ago`,
      });
  }
  const services = new Set(imports.map(({ saved }) => saved.service));
  const isOther = (address: string) => (service === null ? services.size > 1 : address !== service);
  for (const { saved } of imports)
    if (isOther(saved.service)) problems.push({ kind: "services", place: saved.name, detail: saved.service });
  for (const part of refused)
    problems.push({
      kind: "unreadable",
      place: part,
      detail: "calls itself an import and is none that this version reads",
    });
  return problems;
}

function frozen(file: WorkbookFile, { namespace }: CheckOptions): Problem[] {
  return file.customXmlParts
    .filter((part) => part.namespace === frozenNamespace)
    .flatMap(({ part, xml }): Problem[] => {
      const freezing = parseFrozenXml(xml, namespace);
      if (!freezing)
        return [{ kind: "unreadable", place: part, detail: "calls itself frozen formulas and is none" }];
      return freezing.formulas.map(({ sheetName, row, column, formula }) => ({
        kind: "frozen",
        place: addressOf({ sheetName, row, column }),
        detail: looksLikeKey(formula)
          ? "with a text in the form of a key"
          : `since ${dayOf(freezing.atMs)}: ${formula}`,
      }));
    });
}
