import { ofKinds } from "../../../engine/lookup/directory/kind-words";
import type { Lookup } from "../../../engine/lookup/lookup";
import { columnsFor, findIn } from "../../../find/find";
import type { FindScope, SavedFind } from "../../../find/find-schema";
import { readAnswerColumns } from "../../../find/read-columns";
import type { RunOptions } from "../run/import-types";
import type { UncheckedReason } from "./unchecked";

/** The jurisdictions that meet the conditions of a find now. */
export interface FoundAgain {
  /** The jurisdictions that certainly meet them, in the order of the directory or of the user's choice. */
  ahjIds: readonly number[];
  /** The result for a jurisdiction: "yes" and "no" only if its answers were seen, otherwise the reason why it is not known. */
  resultFor(ahjId: number): "yes" | "no" | UncheckedReason;
}

/** Runs a find again. Answers fetched since `sinceMs` are not asked for twice. Fails if any answer can't be had. */
export async function findAgain(
  find: SavedFind,
  { directory, answers }: Pick<Lookup, "directory" | "answers">,
  { sinceMs, signal, onWait }: Pick<RunOptions, "signal" | "onWait"> & { sinceMs: number },
): Promise<FoundAgain> {
  const ahjIds = await idsWithin(find.within, directory, { signal, onWait });
  const { columns, failure } = await readAnswerColumns(ahjIds, columnsFor(find), answers, {
    sinceMs,
    signal,
    onWait,
  });
  // A jurisdiction that could not be asked for would look like one that no longer meets the conditions.
  if (failure) throw failure;
  const columnOf = new Map(columns.map((column) => [column.type.id, column]));
  const heaps = findIn(ahjIds.length, (typeId) => columnOf.get(typeId), find, Date.now());
  const placeOf = new Map(ahjIds.map((ahjId, place) => [ahjId, place]));
  return {
    ahjIds: heaps.placesIn("yes").flatMap((place) => ahjIds[place] ?? []),
    resultFor(ahjId) {
      const place = placeOf.get(ahjId);
      if (place === undefined) return "not-searched";
      const heap = heaps.heapOf(place);
      if (heap !== "not-known") return heap;
      const reasons = new Set(heaps.reasonsFor(place).map(({ reason }) => reason));
      const unseen = (["outside-subscription", "unknown-jurisdiction"] as const).find((one) =>
        reasons.has(one),
      );
      return unseen ?? "not-known";
    },
  };
}

async function idsWithin(
  within: FindScope,
  directory: Lookup["directory"],
  options: Pick<RunOptions, "signal" | "onWait">,
): Promise<readonly number[]> {
  if (within.kind === "chosen") return within.ahjIds;
  const ids: number[] = [];
  for (const state of within.kind === "all" ? [undefined] : within.states) {
    const { ahjs } = await directory.list(state, options);
    ids.push(...ofKinds(ahjs, within.kinds).map(({ id }) => id));
  }
  return ids;
}
