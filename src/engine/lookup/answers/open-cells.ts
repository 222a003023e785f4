import type { Query, Source } from "./queries";
import type { WantedAnswers, UnknownAnswers } from "./request-plan";

/** Cells of one AHJ. */
export interface CellsOfAhj {
  ahjId: number;
  source: Source;
  typeIds: ReadonlySet<number>;
}

/**
 * Cells that wait for an answer, each until a query answers it. AHJs with the same set of types share one set object as long as none of its
 * cells is taken, which makes planning quick.
 */
export interface OpenCells {
  isEmpty(source: Source): boolean;
  /** The number of AHJs that have open cells. */
  ahjs(): number;
  /** Adds cells of an AHJ that has none yet of this source. */
  add(source: Source, ahjId: number, typeIds: ReadonlySet<number>): void;
  /** True if a query would answer at least one open cell of these sources. Default: of both. */
  wants(query: Query, sources?: readonly Source[]): boolean;
  /** The open cells that none of the queries will answer. */
  workBeside(queries: readonly Query[]): UnknownAnswers;
  /** Takes out the cells of an AHJ that a query answers, of either source. */
  take(query: Query, ahjId: number): CellsOfAhj[];
  /** Takes out the cells of the query's own source, which another source may still answer. */
  takeOwn(query: Query): CellsOfAhj[];
  takeAll(): CellsOfAhj[];
}

export function createOpenCells(): OpenCells {
  const without = createWithout();
  const cells = { matrix: new Map<number, ReadonlySet<number>>(), "data-points": new Map() } satisfies Record<
    Source,
    Map<number, ReadonlySet<number>>
  >;

  function beside(source: Source, queries: readonly Query[]): WantedAnswers {
    const answering = queries.filter((query) => answeredBy[query.source].includes(source));
    const rest = new Map<number, ReadonlySet<number>>();
    for (const [ahjId, typeIds] of cells[source]) {
      const ofAhj = answering.filter((query) => query.ahjIds.has(ahjId));
      const left = ofAhj.reduce((others, query) => without(others, query.typeIds), typeIds);
      if (left.size > 0) rest.set(ahjId, left);
    }
    return rest;
  }

  function wants(query: Query, sources: readonly Source[] = ["matrix", "data-points"]): boolean {
    return answeredBy[query.source].some(
      (source) =>
        sources.includes(source) &&
        query.rectangle.ahjIds.some((ahjId) => {
          const typeIds = cells[source].get(ahjId);
          return typeIds !== undefined && query.rectangle.typeIds.some((typeId) => typeIds.has(typeId));
        }),
    );
  }

  function take(query: Query, ahjId: number, sources = answeredBy[query.source]): CellsOfAhj[] {
    const taken: CellsOfAhj[] = [];
    for (const source of sources) {
      const typeIds = cells[source].get(ahjId);
      if (!typeIds || !query.ahjIds.has(ahjId)) continue;
      const left = without(typeIds, query.typeIds);
      if (left.size === 0) cells[source].delete(ahjId);
      else cells[source].set(ahjId, left);
      taken.push({ ahjId, source, typeIds: left.size === 0 ? typeIds : without(typeIds, left) });
    }
    return taken;
  }

  return {
    isEmpty: (source) => cells[source].size === 0,
    ahjs: () => new Set([...cells.matrix.keys(), ...cells["data-points"].keys()]).size,
    add: (source, ahjId, typeIds) => void cells[source].set(ahjId, typeIds),
    wants,
    workBeside: (queries) => ({ values: beside("matrix", queries), dated: beside("data-points", queries) }),
    take: (query, ahjId) => take(query, ahjId),
    takeOwn: (query) => query.rectangle.ahjIds.flatMap((ahjId) => take(query, ahjId, [query.source])),
    takeAll() {
      const taken: CellsOfAhj[] = [];
      for (const source of ["matrix", "data-points"] as const) {
        for (const [ahjId, typeIds] of cells[source]) taken.push({ ahjId, source, typeIds });
        cells[source].clear();
      }
      return taken;
    },
  };
}

/** Returns a set without others; the same set if nothing is removed. The last result is remembered, because AHJs mostly share sets. */
function createWithout() {
  let last: { set: ReadonlySet<number>; others: ReadonlySet<number>; left: ReadonlySet<number> } | undefined;
  return (set: ReadonlySet<number>, others: ReadonlySet<number>): ReadonlySet<number> => {
    if (last?.set === set && last.others === others) return last.left;
    const rest = [...set].filter((each) => !others.has(each));
    const left = rest.length === set.size ? set : new Set(rest);
    last = { set, others, left };
    return left;
  };
}

/** The sources whose cells each source answers. A data point tells everything that a matrix cell does. */
const answeredBy: Record<Source, readonly Source[]> = {
  matrix: ["matrix"],
  "data-points": ["data-points", "matrix"],
};
