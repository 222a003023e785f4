import { utcMs } from "../api/utc-time";
import { Failure } from "../errors";
import type { Lookup } from "../lookup/lookup";
import type { Published, RowAhj } from "../sheet/table-plan";
import type { ImportRow } from "./import-rows";
import type { SavedImport } from "./saved-import";
import { cellKey, type Known, type Snapshot } from "./snapshots";

interface Signalled {
  signal?: AbortSignal | undefined;
}

/**
 * AHJs of a long table that had no value at the last run, and so have no row. Those that had some and have no row any
 * more were taken out.
 */
export async function rowlessAhjs(
  last: Snapshot | undefined,
  there: ReadonlyMap<number, unknown>,
  lookup: Lookup,
  options: Signalled,
): Promise<RowAhj[]> {
  const hadValue = new Map<number, boolean>();
  for (const [key, known] of last ?? []) {
    const ahjId = Number(key.split(" ")[0]);
    hadValue.set(ahjId, hadValue.get(ahjId) === true || known !== null);
  }
  const ids = [...hadValue].flatMap(([id, had]) => (had || there.has(id) ? [] : [id]));
  if (ids.length === 0) return [];
  const { ahjs } = await lookup.ask({ ahjs: ids }, options);
  // Who can't be told stays without a row until it can.
  return ahjs.flatMap((ahj) => (ahj instanceof Failure ? [] : [ahj]));
}

/**
 * Which values of a long table have no row yet, and are new: those that were not there at the last run. Where this
 * device has not kept that run, those whose date is later. All others have been taken out: `withoutRow` of them.
 */
export async function newValues(
  {
    saved,
    ahjs,
    rows,
    last,
    published,
  }: {
    saved: SavedImport;
    /** That may lack rows. */
    ahjs: readonly RowAhj[];
    rows: readonly ImportRow[];
    last: Snapshot | undefined;
    published: (ahjId: number, typeId: number) => Published | null;
  },
  lookup: Lookup,
  options: Signalled,
): Promise<{ isNew: (ahjId: number, typeId: number) => boolean; withoutRow: number }> {
  const there = new Set(rows.map(({ ahj, typeId }) => cellKey(ahj.id, typeId ?? 0)));
  const fresh = new Set<string>();
  const unsure: { ahj: RowAhj; type: { id: number }; after: Known | null }[] = [];
  let candidates = 0;
  for (const ahj of ahjs) {
    for (const type of saved.types) {
      const key = cellKey(ahj.id, type.id);
      const after = there.has(key) ? null : published(ahj.id, type.id);
      if (!after) continue;
      candidates += 1;
      const before = last?.get(key);
      if (before === null) fresh.add(key);
      else if (before === undefined) unsure.push({ ahj, type, after });
    }
  }
  await addDates(unsure, lookup, options);
  for (const { ahj, type, after } of unsure) {
    if (utcMs(after?.updatedAt ?? "") > saved.lastRun.atMs) fresh.add(cellKey(ahj.id, type.id));
  }
  return {
    isNew: (ahjId, typeId) => fresh.has(cellKey(ahjId, typeId)),
    withoutRow: candidates - fresh.size,
  };
}

/** More values than these are not asked about singly. */
const mostDated = 500;

/** A matrix does not tell when a value changed: of few values it is asked. Who can't say it, says nothing. */
export async function addDates(
  values: { ahj: { id: number }; type: { id: number }; after: Known | null }[],
  lookup: Lookup,
  { signal }: Signalled,
): Promise<void> {
  const undated = values.filter(({ after }) => after && after.updatedAt === null);
  if (undated.length === 0 || undated.length > mostDated) return;
  const dated = new Map<number, Set<number>>();
  for (const { ahj, type } of undated) dated.set(ahj.id, (dated.get(ahj.id) ?? new Set()).add(type.id));
  const answers = await lookup.answers.read({ values: new Map(), dated }, { signal });
  for (const value of undated) {
    const answer = answers.of(value.ahj.id, value.type.id);
    if (answer instanceof Failure || answer.cell.value !== value.after?.value) continue;
    value.after = { ...value.after, updatedAt: answer.cell.updatedAt };
  }
}
