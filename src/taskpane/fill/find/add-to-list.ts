import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import type { Directory } from "../../../engine/lookup/directory/directory";
import { resolveList } from "../../../engine/lookup/search/resolve-list";
import { Failure } from "../../../errors";
import { ahjsOfRows, listOfColumn, readCells, rowsOfColumn } from "../../../workbook/imports/run/list-rows";
import { roomBelowList } from "../../../workbook/sheet/lists/list-additions";
import { textCell } from "../../../workbook/sheet/values/cell-value";
import type { PaneApp } from "../../pane-app";

/** What came of adding jurisdictions to a list. */
export interface AddedToList {
  added: number;
  /** So many were in the list already. */
  there: number;
  /** Of the list, without its new rows. */
  address: string;
}

/**
 * Writes those that the selected list lacks below its last row, as the list names its own: geoIDs, or names. Nothing is overwritten:
 * fails with cells-in-the-way.
 */
export async function addToList(
  found: readonly Ahj[],
  { workbook }: Pick<PaneApp, "workbook">,
  { lookup }: Pick<Session, "lookup">,
): Promise<AddedToList> {
  const column = await workbook.readListColumn();
  const cells = await readCells(column);
  const resolved = await resolveList(listOfColumn(column, cells), lookup);
  const rows = rowsOfColumn(column, cells, resolved);
  const listed = new Set(ahjsOfRows(rows, resolved).flatMap((ahj) => ahj?.id ?? []));
  // One that could not be looked up is in the list all the same.
  const entries = new Set(rows.entries);
  const codeOf = coder(lookup.directory);
  const isNew = (ahj: Ahj) => !listed.has(ahj.id) && !entries.has(codeOf(ahj));
  const missing = found.filter(isNew);
  const outcome = { added: missing.length, there: found.length - missing.length, address: column.address };
  if (missing.length === 0) return outcome;
  const nameOf = hasNames(rows.entries) ? namer(lookup.directory.known(), codeOf) : codeOf;
  const area = await workbook.run((context) => roomBelowList(context, column, missing.length));
  const blank = { content: "", numberFormat: null };
  await workbook.replaceCells([
    {
      ...area,
      before: missing.map(() => [blank]),
      after: missing.map((ahj) => {
        const { value, numberFormat } = textCell(nameOf(ahj));
        return [{ content: value, numberFormat: numberFormat ?? null }];
      }),
    },
  ]);
  return outcome;
}

/** How a list of geoIDs names an AHJ: by its own id where another one has its geoID. */
function coder({ resolved }: Pick<Directory, "resolved">) {
  return ({ id, geoid }: Ahj): string => {
    const first = geoid === null ? null : resolved(geoid);
    const isShared = first && !(first instanceof Failure) && first.id !== id;
    return geoid === null || isShared ? `ahj:${id}` : geoid;
  };
}

/** Whether most of a list's entries are names. */
function hasNames(entries: readonly (string | null)[]): boolean {
  const codes = entries.filter((entry) => entry !== null && /^(\d+|ahj:\d+)$/.test(entry)).length;
  return codes * 2 < entries.filter((entry) => entry !== null).length;
}

/** Names with their states; of namesakes the code, since nobody could tell them apart. */
function namer(known: readonly Ahj[], codeOf: (ahj: Ahj) => string): (ahj: Ahj) => string {
  const label = ({ name, state_code }: Ahj) => `${name}, ${state_code}`;
  const counts = new Map<string, number>();
  for (const ahj of known) counts.set(label(ahj), (counts.get(label(ahj)) ?? 0) + 1);
  return (ahj) => ((counts.get(label(ahj)) ?? 0) > 1 ? codeOf(ahj) : label(ahj));
}

/** The next step of a failure to add to a list, where no list is selected. */
export function asListFailure(failure: Failure): Failure {
  return failure.kind === "no-list" && failure.detail === undefined
    ? new Failure("no-list", { nextStep: "Select your list's column in the sheet, then choose this again." })
    : failure;
}
