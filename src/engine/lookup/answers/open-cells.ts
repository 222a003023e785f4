import type { Piece, Source } from "./pieces";
import type { Wanted, Work } from "./request-plan";

export type OpenCell = readonly [ahjId: number, typeId: number, source: Source];

/** Cells that wait for an answer, each until a piece takes it. */
export interface OpenCells {
  isEmpty(): boolean;
  add(source: Source, ahjId: number, typeId: number): void;
  /** Those of the pieces that would answer something. */
  joinable(pieces: Iterable<Piece>): Piece[];
  /** What none of the pieces will answer. */
  workBeside(pieces: readonly Piece[]): Work;
  /** Takes out what a piece answers, of all its AHJs or of one. */
  take(piece: Piece, ahjId?: number): OpenCell[];
  takeAll(): Iterable<OpenCell>;
}

export function createOpenCells(): OpenCells {
  const cells: Record<Source, Map<number, Set<number>>> = { matrix: new Map(), "data-points": new Map() };

  function* cellsOf(piece: Piece, ofAhjId?: number): Generator<OpenCell> {
    for (const source of answeredBy[piece.source]) {
      for (const ahjId of ofAhjId === undefined ? piece.rectangle.ahjIds : [ofAhjId]) {
        for (const typeId of cells[source].get(ahjId) ?? []) {
          if (piece.covers(ahjId, typeId)) yield [ahjId, typeId, source];
        }
      }
    }
  }

  function beside(source: Source, pieces: readonly Piece[]): Wanted {
    const answering = pieces.filter((piece) => answeredBy[piece.source].includes(source));
    if (answering.length === 0) return cells[source];
    const rest = new Map<number, Set<number>>();
    for (const [ahjId, typeIds] of cells[source]) {
      const left = [...typeIds].filter((typeId) => !answering.some((piece) => piece.covers(ahjId, typeId)));
      if (left.length > 0) rest.set(ahjId, new Set(left));
    }
    return rest;
  }

  return {
    isEmpty: () => cells.matrix.size + cells["data-points"].size === 0,
    add(source, ahjId, typeId) {
      const typeIds = cells[source].get(ahjId);
      if (typeIds) typeIds.add(typeId);
      else cells[source].set(ahjId, new Set([typeId]));
    },
    joinable: (pieces) => [...pieces].filter((piece) => !cellsOf(piece).next().done),
    workBeside: (pieces) => ({ values: beside("matrix", pieces), dated: beside("data-points", pieces) }),
    take(piece, ofAhjId) {
      const taken = [...cellsOf(piece, ofAhjId)];
      for (const [ahjId, typeId, source] of taken) {
        const typeIds = cells[source].get(ahjId);
        typeIds?.delete(typeId);
        if (typeIds?.size === 0) cells[source].delete(ahjId);
      }
      return taken;
    },
    *takeAll() {
      for (const source of ["matrix", "data-points"] as const) {
        for (const [ahjId, typeIds] of cells[source]) {
          for (const typeId of typeIds) yield [ahjId, typeId, source];
        }
        cells[source].clear();
      }
    },
  };
}

/** A data point tells all that a matrix cell does. */
const answeredBy: Record<Source, readonly Source[]> = {
  matrix: ["matrix"],
  "data-points": ["data-points", "matrix"],
};
