import { utcMs } from "../../../engine/api/utc-time";
import { Failure } from "../../../errors";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { Answered, RowAhj } from "../../sheet/layout/table-plan";
import type { ImportRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";
import { answerKey, type Known, type Snapshot } from "../saved/snapshots";

interface Signalled {
  signal?: AbortSignal | undefined;
}

/**
 * The ids of AHJs of a long table that had no value at the last run, and so have no row. Those that had some and have
 * no row any more were taken out.
 */
export function rowlessAhjs(last: Snapshot | undefined, there: ReadonlyMap<number, unknown>): number[] {
  const hadValue = new Map<number, boolean>();
  for (const [key, known] of last ?? []) {
    const ahjId = Number(key.split(" ")[0]);
    hadValue.set(ahjId, hadValue.get(ahjId) === true || known !== null);
  }
  return [...hadValue].flatMap(([id, had]) => (had || there.has(id) ? [] : [id]));
}

/**
 * The values of a long table that have no row yet, and are new: those that were not there at the last run. Where this
 * device has not kept that run, those whose date is later. All others have been taken out: `withoutRow` of them.
 */
export async function newValues(
  {
    saved: { types, lastRun },
    ahjs,
    mayLackRows,
    rows,
    last,
    published,
  }: {
    saved: SavedImport;
    /** Those that have rows, by id. */
    ahjs: ReadonlyMap<number, RowAhj>;
    mayLackRows: readonly number[];
    rows: readonly ImportRow[];
    last: Snapshot | undefined;
    published: Answered["of"];
  },
  lookup: Lookup,
  options: Signalled,
): Promise<{ answered: Answered; withoutRow: number }> {
  const there = new Set(rows.map(({ ahj, typeId }) => answerKey(ahj.id, typeId ?? 0)));
  const candidates = mayLackRows.flatMap((id) =>
    types.flatMap((type) => {
      const after: Known | null = there.has(answerKey(id, type.id)) ? null : published(id, type.id);
      return after ? [{ ahj: { id }, type, after }] : [];
    }),
  );
  const keyOf = ({ ahj, type }: (typeof candidates)[number]) => answerKey(ahj.id, type.id);
  const unsure = candidates.filter((value) => last?.get(keyOf(value)) === undefined);
  await addDates(unsure, lookup, options);
  const fresh = [
    ...candidates.filter((value) => last?.get(keyOf(value)) === null),
    ...unsure.filter(({ after }) => utcMs(after.updatedAt ?? "") > lastRun.atMs),
  ];
  const isNew = new Set(fresh.map(keyOf));
  const ids = new Set(fresh.map(({ ahj }) => ahj.id));
  return {
    answered: {
      ahjs: await identified(
        mayLackRows.filter((id) => ids.has(id)),
        ahjs,
        lookup,
        options,
      ),
      types,
      of: (ahjId, typeId) => (isNew.has(answerKey(ahjId, typeId)) ? published(ahjId, typeId) : null),
    },
    withoutRow: candidates.length - fresh.length,
  };
}

/** Who AHJs are: as their other rows say, or else as the service does. */
async function identified(
  ids: readonly number[],
  known: ReadonlyMap<number, RowAhj>,
  lookup: Lookup,
  options: Signalled,
): Promise<RowAhj[]> {
  const unknown = ids.filter((id) => !known.has(id));
  const { ahjs } = unknown.length > 0 ? await lookup.ask({ ahjs: unknown }, options) : { ahjs: [] };
  const found = new Map(unknown.map((id, index) => [id, ahjs[index]]));
  return ids.map((id) => {
    const ahj = known.get(id) ?? found.get(id);
    // Its value is there, whoever it is.
    return ahj && !(ahj instanceof Failure)
      ? ahj
      : { id, name: `AHJ ${id}`, type: "", state_code: "", geoid: null };
  });
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
