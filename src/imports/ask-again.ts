import type { Client } from "../api/client";
import { Failure, type FailureKind } from "../errors";
import type { Lookup } from "../lookup/lookup";
import type { Wanted } from "../lookup/plan";
import { readCollection } from "../lookup/read-collection";
import type { Published } from "../sheet/table-plan";
import type { RunOptions } from "./run-import";

/** What the service says of an AHJ and type: null where there is no value, a Failure where it says nothing. */
export type OutcomeOf = (ahjId: number, typeId: number) => Published | null | Failure;

/** Asks anew, whatever is kept. Fails where a part of it can't be had. */
export async function askMatrix(wanted: Wanted, lookup: Lookup, options: RunOptions): Promise<OutcomeOf> {
  const total = [...wanted.values()].reduce((sum, typeIds) => sum + typeIds.size, 0);
  const answers = await lookup.answers.read(
    { values: wanted },
    {
      signal: options.signal,
      onWait: options.onWait,
      // Half a refresh would pass for a whole one.
      failFast: true,
      sinceMs: Date.now(),
      onProgress: (done) => options.onProgress?.({ phase: "fetching", done, total }),
    },
  );
  return (ahjId, typeId) => {
    const answer = answers.of(ahjId, typeId);
    if (!(answer instanceof Failure)) return answer.cell;
    if (answer.kind === "no-value") return null;
    if (!keptKinds.has(answer.kind)) throw answer;
    return answer;
  };
}

/** Where the service says nothing of an AHJ or a type, the last values stay. */
const keptKinds = new Set<FailureKind>([
  "outside-subscription",
  "maybe-outside-subscription",
  "unknown-jurisdiction",
  "unknown-type",
]);

/** Executes the collection anew for these AHJs. Fails where a part of it can't be had. */
export async function askCollection(
  collectionId: string,
  wanted: Wanted,
  client: Client,
  { signal, onWait, onProgress }: RunOptions,
): Promise<OutcomeOf> {
  const { values, denialOf, missing } = await readCollection(collectionId, [...wanted.keys()], client, {
    signal,
    onWait,
    onValues: (done, total) => onProgress?.({ phase: "fetching", done, total }),
  });
  if (missing > 0) throw new Failure("unexpected-answer", { detail: "A list changed while it was read." });
  const fetchedAtMs = Date.now();
  const denials = new Map<number, Failure>();
  for (const ahjId of wanted.keys()) {
    const kind = denialOf(ahjId);
    if (kind) denials.set(ahjId, new Failure(kind));
  }
  return (ahjId, typeId) => {
    const found = values.get(ahjId)?.get(typeId);
    if (!found?.value) return denials.get(ahjId) ?? null;
    const { value, reference, section, updated_at: updatedAt } = found;
    return { value, reference, section, updatedAt, fetchedAtMs };
  };
}
