import type { Client } from "../../api/client";
import { readAll } from "../../api/paged-list";
import { inShortAddresses } from "../../api/address-length";
import { mayPassSmaller } from "../../api/answer-failure";
import { config } from "../../../config";
import type { Ahj } from "../../api/schemas";
import { asFailure, Failure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Catalogue } from "../catalogue/catalogue";
import type { MatrixSize } from "./matrix-size";
import { cellsOf, type Rectangle } from "./request-plan";
import { answersOfDataPoints } from "./read-data-points";
import { absencesOf, type AnswerOf, answersOfMatrix } from "./read-matrix";
import { createSharedWork } from "../shared-work";

/** Which endpoint answers: the list of data points tells when a value last changed, the matrix does not. */
export type Source = "matrix" | "data-points";

/** A rectangle that is planned, under way, or not taken yet. Whoever wants a part of it joins instead of asking again. */
export interface Piece {
  rectangle: Rectangle;
  ahjIds: ReadonlySet<number>;
  typeIds: ReadonlySet<number>;
  source: Source;
  /** Joins as SharedWork does. What was answered can be joined until each who has joined has taken its cells. */
  join(options: ExchangeOptions, take: (outcome: Outcome) => Promise<void>): Promise<void>;
}

/** How a rectangle ended: with its answers, or refused for its size, which a cut-off only suggests. */
export type Outcome = { answerOf: AnswerOf } | { tooLarge: "surely" | "perhaps" };

/** Fetches rectangles of cells, each once however many want it. */
export interface Pieces {
  open(): Iterable<Piece>;
  /**
   * A new piece; its request is sent when somebody joins. `mayBeCut`: a cut-off is an outcome too, for whoever would
   * rather ask for less than for the same again.
   */
  add(source: Source, rectangle: Rectangle, mayBeCut: boolean): Piece;
  /** Takes back a piece, unless somebody has joined it. */
  abandon(piece: Piece): void;
}

export interface PieceDoors {
  catalogue: Catalogue;
  size: MatrixSize;
  /** Told which AHJs came with an answer. */
  learnAhjs(ahjs: readonly Ahj[]): void;
}

export function createPieces(client: Client, { catalogue, size, learnAhjs }: PieceDoors): Pieces {
  const open = new Set<Piece>();
  const started = new WeakSet<Piece>();

  async function readMatrix(
    rectangle: Rectangle,
    mayBeCut: boolean,
    options: ExchangeOptions,
  ): Promise<Outcome> {
    const startedAtMs = Date.now();
    const cells = cellsOf(rectangle);
    try {
      const answer = await client.matrix(
        { ahj_ids: rectangle.ahjIds, data_point_type_ids: rectangle.typeIds },
        {
          ...options,
          retryCutOff: !mayBeCut,
          onStatus: (status) => status === 200 && size.accepted(cells),
        },
      );
      const tookMs = Date.now() - startedAtMs;
      catalogue.learn(answer.data.data_point_types);
      learnAhjs(answer.data.ahjs);
      if (cells > 1 && (answer.data.pagination?.total_pages ?? 1) > 1) {
        // A part would pass for the whole: what is not on this page would seem unknown.
        size.refused(cells);
        return { tooLarge: "surely" };
      }
      size.took(cells, tookMs);
      return { answerOf: answersOfMatrix(answer) };
    } catch (thrown) {
      const failure = asFailure(thrown);
      const smaller = mayPassSmaller(failure);
      if (smaller === "yes" && cells > 1) {
        size.refused(cells);
        return { tooLarge: "surely" };
      }
      if (smaller === "perhaps" && mayBeCut) {
        // A size that we have grown to ourselves is the likely cause.
        if (cells > config.matrixCells) size.refused(cells);
        return { tooLarge: "perhaps" };
      }
      if (failure.kind === "invalid-request") return readRealTypes(rectangle, failure, options);
      throw failure;
    }
  }

  /** A service may refuse a whole matrix for one type it doesn't know: asks again without those. */
  async function readRealTypes(
    { ahjIds, typeIds }: Rectangle,
    failure: Error,
    options: ExchangeOptions,
  ): Promise<Outcome> {
    const real = await catalogue.realTypeIds(typeIds, options);
    const known = typeIds.filter((typeId) => real.has(typeId));
    if (known.length === typeIds.length) throw failure;
    const absent = absencesOf(Date.now());
    if (known.length === 0) return { answerOf: () => absent["unknown-type"] };
    // Of types that were not asked for, its answer says that they are unknown.
    return readMatrix({ ahjIds, typeIds: known }, false, options);
  }

  async function readDataPoints({ ahjIds, typeIds }: Rectangle, options: ExchangeOptions): Promise<Outcome> {
    const real = await catalogue.realTypeIds(typeIds, options);
    if (real.size === 0) return { answerOf: () => absencesOf(Date.now())["unknown-type"] };
    const denied = new Set<number>();
    const lists = await inShortAddresses(ahjIds, async (part) => {
      try {
        return await readAll((paging) =>
          client.listDataPoints({ ahj_ids: part, data_point_type_ids: [...real], ...paging }, options),
        );
      } catch (thrown) {
        if (asFailure(thrown).kind !== "outside-subscription") throw thrown;
        // Every AHJ of this part is denied; those of the other parts may not be.
        for (const ahjId of part) denied.add(ahjId);
        return { items: [], warnings: [], missing: 0, atMs: Date.now() };
      }
    });
    if (lists.some((list) => list.missing > 0)) {
      throw new Failure("unexpected-answer", { detail: "A list changed while it was read." });
    }
    const items = lists.flatMap((list) => list.items);
    catalogue.learn(items.map((item) => item.data_point_type));
    learnAhjs(items.map((item) => item.ahj));
    const warnings = lists.flatMap((list) => list.warnings);
    const atMs = Math.min(...lists.map((list) => list.atMs));
    const answerOf = answersOfDataPoints({ items, warnings }, real, atMs);
    const outside = absencesOf(atMs)["outside-subscription"];
    return { answerOf: (ahjId, typeId) => (denied.has(ahjId) ? outside : answerOf(ahjId, typeId)) };
  }

  return {
    open: () => open,
    abandon(piece) {
      if (!started.has(piece)) open.delete(piece);
    },
    add(source, rectangle, mayBeCut) {
      const read = (options: ExchangeOptions) =>
        source === "matrix"
          ? readMatrix(rectangle, mayBeCut, options).catch(asDenied)
          : readDataPoints(rectangle, options);
      const work = createSharedWork(async (options) => {
        started.add(piece);
        const outcome = await read(options);
        if ("tooLarge" in outcome) open.delete(piece);
        return outcome;
      });
      let joined = 0;
      const piece: Piece = {
        rectangle,
        source,
        ahjIds: new Set(rectangle.ahjIds),
        typeIds: new Set(rectangle.typeIds),
        async join(options, take) {
          joined += 1;
          try {
            await take(await work.join(options));
          } finally {
            joined -= 1;
            // Who wanted only what is kept has not started it: others wait for it all the same.
            if (joined === 0 && started.has(piece)) open.delete(piece);
          }
        },
      };
      open.add(piece);
      return piece;
    },
  };
}

/** A refusal of a whole rectangle is an answer: all its AHJs are outside the subscription. */
function asDenied(thrown: unknown): Outcome {
  if (!(thrown instanceof Failure) || thrown.kind !== "outside-subscription") throw thrown;
  const denied = absencesOf(Date.now())["outside-subscription"];
  return { answerOf: () => denied };
}
