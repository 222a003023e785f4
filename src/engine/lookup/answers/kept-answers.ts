import { inTurns } from "../../../async/in-turns";
import { absences } from "../../absence";
import type { DataPointType } from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import type { AnswerCache } from "../../cache/answer-cache";
import { answersIn, type FilledPart, type PartRow } from "../../cache/answer-part";
import type { CachedAnswer, CachedValue } from "../../cache/cached-answer";
import type { Failure } from "../../../errors";
import type { Catalogue } from "../catalogue/catalogue";
import type { Source } from "./queries";

/** The service's answer for one AHJ and type, or the reason why there is none. */
export type CellAnswer = FoundAnswer | Failure;

export interface FoundAnswer {
  type: DataPointType;
  /** The answer as the cache keeps it. It has an `updatedAt` if the date was asked for. */
  cell: CachedValue;
  /** True if the answer is older than the user wants, and is given because the service could not be asked. */
  isOld: boolean;
}

/** The answers in memory, with their types, as formulas and imports show them. */
export interface KeptAnswers {
  /** True if this source need not be asked: memory has an answer that tells all that the source would, and is not too old. */
  isFresh(source: Source, ahjId: number, typeId: number, sinceMs?: number): boolean;
  /** The answer that memory holds for a cell, marked if it is old; undefined for an old reason of having no value. */
  get(ahjId: number, typeId: number, isOld?: boolean): CellAnswer | undefined;
  /** An answer of the cache with its type; undefined if the type is not known. */
  withType(answer: CachedAnswer, typeId: number, isOld: boolean): CellAnswer | undefined;
  /** Puts the wanted answers of a request into memory. Pauses for the page. */
  keep(filled: readonly FilledPart[], wantedOf: (ahjId: number) => ReadonlySet<number>): Promise<void>;
}

export interface KeptAnswersDependencies {
  cache: AnswerCache;
  catalogue: Pick<Catalogue, "knownType">;
  maxAgeMs: () => number;
  /** Called with the cells that the service has answered anew. */
  onKept(ahjId: number, typeIds: Iterable<number>): void;
}

export function createKeptAnswers(dependencies: KeptAnswersDependencies): KeptAnswers {
  const { cache, catalogue, maxAgeMs, onKept } = dependencies;

  function withType(answer: CachedAnswer, typeId: number, isOld: boolean): CellAnswer | undefined {
    if ("absence" in answer) return isOld ? undefined : absences[answer.absence].failure;
    const type = catalogue.knownType(typeId);
    return type && { type, cell: answer, isOld };
  }

  return {
    withType,
    isFresh(source, ahjId, typeId, sinceMs = 0) {
      const seen = cache.see(ahjId, typeId);
      if (!seen || seen.fetchedAtMs < sinceMs || !isWithinAge(seen.fetchedAtMs, maxAgeMs())) return false;
      return (
        seen.absence !== null ||
        (catalogue.knownType(typeId) !== undefined && (source === "matrix" || seen.isDated))
      );
    },
    get(ahjId, typeId, isOld) {
      const answer = cache.get(ahjId, typeId);
      return answer && withType(answer, typeId, isOld ?? !isWithinAge(answer.fetchedAtMs, maxAgeMs()));
    },
    async keep(filled, wantedOf) {
      // Earlier answers of an AHJ that the subscription no longer includes must not be shown any more.
      const denied = filled.flatMap(({ part, rows }) =>
        rows
          .filter((row) => isDenied(part.at(row.start)) && wantedOf(row.ahj).size > 0)
          .map(({ ahj }) => ahj),
      );
      if (denied.length > 0) cache.drop(denied);
      await inTurns(filled, ({ part, rows }) => {
        const whole: PartRow[] = [];
        for (const row of rows) {
          const wanted = wantedOf(row.ahj);
          if (wanted.size === 0) continue;
          if (wanted.size === row.count) whole.push(row);
          else
            cache.put(
              row.ahj,
              [...answersIn(part, row)].filter(([typeId]) => wanted.has(typeId)),
            );
          onKept(row.ahj, wanted);
        }
        cache.putPart({ part, rows: whole });
      });
    },
  };
}

/** True if the answer says that the AHJ is outside the subscription. All its answers then say so. */
function isDenied(answer: CachedAnswer): boolean {
  return "absence" in answer && answer.absence === "outside-subscription";
}
