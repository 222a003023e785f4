import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import type { Directory } from "../../../engine/lookup/directory/directory";
import { isNameOf, keyOf, type ListEntry } from "../../../engine/lookup/lists/list-entries";
import { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import {
  ahjsOfRows,
  entriesToLookUp,
  rowsOfColumn,
  selectedList,
} from "../../../workbook/imports/run/list-rows";
import { addBelowList } from "../../../workbook/sheet/lists/list-additions";
import { textCell } from "../../../workbook/sheet/values/cell-value";
import type { PaneApp } from "../../pane-app";
import { plural } from "../../ui/labels";

/** The outcome of adding jurisdictions to a list. */
export interface AddedToList {
  added: number;
  /** The number of jurisdictions that were in the list already. */
  there: number;
  /** The address of the list without its new rows. */
  address: string;
  /** True if they are written as geoIDs, because most of the list are. */
  areGeoids: boolean;
  /**
   * The number of jurisdictions in a list of names that are written as geoIDs, because another jurisdiction has the same name and state.
   */
  namesakes: number;
}

/**
 * True if adding to the selected list needs the whole list of jurisdictions, to look its names up, and that list is not stored on the
 * device.
 */
export async function mustReadDirectory(
  { workbook }: Pick<PaneApp, "workbook">,
  { lookup: { directory } }: Pick<Session, "lookup">,
): Promise<boolean> {
  const { column, read } = await selectedList(workbook);
  if (!entriesToLookUp(read, column).some(isNameOf)) return false;
  const kept = await directory.load(undefined, { keptOnly: true }).catch(() => null);
  // A stored list of jurisdictions from an earlier day must be read anew.
  return kept === null || !kept.ahjs.every(({ id }) => directory.byId(id));
}

/**
 * Writes the jurisdictions that the selected list lacks below its last row, in the list's own way: as geoIDs or as names. Nothing is
 * overwritten: fails with cells-in-the-way.
 */
export async function addToList(
  found: readonly Ahj[],
  { workbook }: Pick<PaneApp, "workbook">,
  { lookup }: Pick<Session, "lookup">,
): Promise<AddedToList> {
  const { column, read } = await selectedList(workbook);
  const { resolveList } = await import("../../../engine/lookup/lists/resolve-list");
  const resolved = await resolveList({ entries: entriesToLookUp(read, column) }, lookup);
  const rows = rowsOfColumn(column, read, resolved);
  const listed = new Set(ahjsOfRows(rows, resolved.found).flatMap((row) => row?.ahj.id ?? []));
  // An entry that could not be looked up is in the list all the same.
  const entries = new Set(rows.entries.map((entry) => entry && keyOf(entry.meaning)));
  const codeOf = coder(lookup.directory);
  const isNew = (ahj: Ahj) => !listed.has(ahj.id) && !entries.has(codeOf(ahj));
  const missing = found.filter(isNew);
  const areGeoids = !hasNames(rows.entries);
  const isNamesake = areGeoids ? () => false : namesakesAmong(lookup.directory.known());
  const outcome: AddedToList = {
    added: missing.length,
    there: found.length - missing.length,
    address: column.address,
    areGeoids,
    namesakes: missing.filter(isNamesake).length,
  };
  if (missing.length === 0) return outcome;
  // Namesakes are written as geoIDs, because nobody could tell them apart by name.
  const nameOf = (ahj: Ahj) => (areGeoids || isNamesake(ahj) ? codeOf(ahj) : nameAndState(ahj));
  const written = missing.map((ahj) => textCell(nameOf(ahj)));
  await workbook.runAsOneStep((context) => addBelowList(context, column, written));
  return outcome;
}

/** The code of an AHJ in a list of geoIDs: its geoID, or `ahj:` and its id if it has no geoID or shares it with an AHJ that comes first. */
function coder({ resolved }: Pick<Directory, "resolved">) {
  return ({ id, geoid }: Ahj): string => {
    const first = geoid === null ? null : resolved(geoid);
    const isShared = first && !(first instanceof Failure) && first.id !== id;
    return geoid === null || isShared ? `ahj:${id}` : geoid;
  };
}

/** True if most of a list's entries are names. */
function hasNames(entries: readonly (ListEntry | null)[]): boolean {
  const read = entries.filter((entry) => entry !== null && keyOf(entry.meaning) !== null);
  return read.filter((entry) => entry && !isNameOf(entry)).length * 2 < read.length;
}

const nameAndState = ({ name, state_code }: Ahj) => `${name}, ${state_code}`;

/** Returns a function that is true for an AHJ which shares its name and state with another one. */
function namesakesAmong(known: readonly Ahj[]): (ahj: Ahj) => boolean {
  const counts = new Map<string, number>();
  for (const ahj of known) counts.set(nameAndState(ahj), (counts.get(nameAndState(ahj)) ?? 0) + 1);
  return (ahj) => (counts.get(nameAndState(ahj)) ?? 0) > 1;
}

/** Tells the outcome in sentences. */
export function addedWords({ added, there, address, areGeoids, namesakes }: AddedToList): string {
  return [
    `${plural(added, "jurisdiction")} added below ${address}.`,
    ...(added > 0 && areGeoids ? ["They are written as geoIDs, as most of the list is."] : []),
    ...(namesakes > 0
      ? [
          `${namesakes.toLocaleString()} of them ${namesakes === 1 ? "is written as a geoID" : "are written as geoIDs"}, because others have the same name.`,
        ]
      : []),
    ...(there > 0 ? [`${there.toLocaleString()} ${there === 1 ? "was" : "were"} in it already.`] : []),
  ].join(" ");
}

/** Replaces the next step of the failure "no list is selected". */
export function asListFailure(failure: Failure): Failure {
  return failure.kind === "no-list" && failure.detail === undefined
    ? new SheetFailure("no-list", {
        nextStep: "Select your list's column in the sheet, then choose this again.",
      })
    : failure;
}
