import type { Client } from "../../api/client";
import { readAll } from "../../api/paged-list";
import { inShortAddresses } from "../../api/address-length";
import { mayPassSmaller } from "../../api/answer-failure";
import { config } from "../../../config";
import type { Ahj } from "../../api/schemas";
import type { Absence } from "../../cache/answer-cache";
import { asFailure, Failure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Catalogue } from "../catalogue/catalogue";
import type { MatrixSize } from "./matrix-size";
import type { Rectangle } from "./request-plan";
import { answersOfDataPoints } from "./read-data-points";
import type { MatrixReader } from "./matrix-reader";
import { absencesOf, type Answered, fillRectangle } from "./read-matrix";
import { createSharedWork } from "../shared-work";

/** Which endpoint answers: the list of data points tells when a value last changed, the matrix does not. */
export type Source = "matrix" | "data-points";

/** A rectangle that is planned, under way, or not taken yet. Whoever wants a part of it joins instead of asking again. */
export interface Piece {
  rectangle: Rectangle;
  ahjIds: ReadonlySet<number>;
  typeIds: ReadonlySet<number>;
  source: Source;
  /** Whether its answer has come, though it may not be read yet. */
  hasCome(): boolean;
  /** Joins as SharedWork does. What was answered can be joined until each who has joined has taken its cells. */
  join(options: ExchangeOptions, take: (outcome: Outcome) => Promise<void>): Promise<void>;
}

/** How a rectangle ended: with its answers, or refused for its size, which a cut-off only suggests. */
export type Outcome = Answered | { tooLarge: "surely" | "perhaps" };

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
  readBody: MatrixReader;
  /** Told which AHJs came with an answer. */
  learnAhjs(ahjs: readonly Ahj[]): void;
}

export function createPieces(client: Client, { catalogue, size, readBody, learnAhjs }: PieceDoors): Pieces {
  const open = new Set<Piece>();
  const started = new WeakSet<Piece>();
  const come = new WeakSet<Rectangle>();

  async function readMatrix(
    rectangle: Rectangle,
    mayBeCut: boolean,
    options: ExchangeOptions,
    askedTypeIds = rectangle.typeIds,
  ): Promise<Outcome> {
    const startedAtMs = Date.now();
    const cells = rectangle.ahjIds.length * askedTypeIds.length;
    try {
      const { body, atMs, failureOf } = await client.unreadMatrix(
        { ahj_ids: rectangle.ahjIds, data_point_type_ids: askedTypeIds },
        {
          ...options,
          retryCutOff: !mayBeCut,
          onStatus: (status) => status === 200 && size.accepted(cells),
        },
      );
      come.add(rectangle);
      const tookMs = Date.now() - startedAtMs;
      const read = await readBody(body, rectangle, atMs);
      if (!("filled" in read)) throw failureOf(read);
      catalogue.learn(read.types);
      learnAhjs(read.ahjs);
      if (cells > 1 && read.pages > 1) {
        // A part would pass for the whole: what is not on this page would seem unknown.
        size.refused(cells);
        return { tooLarge: "surely" };
      }
      size.took(cells, tookMs);
      return read;
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
      if (failure.kind === "invalid-request") return readRealTypes(rectangle, askedTypeIds, failure, options);
      throw failure;
    }
  }

  /** A service may refuse a whole matrix for one type it doesn't know: asks again without those. */
  async function readRealTypes(
    rectangle: Rectangle,
    askedTypeIds: readonly number[],
    failure: Error,
    options: ExchangeOptions,
  ): Promise<Outcome> {
    const real = await catalogue.realTypeIds(askedTypeIds, options);
    const known = askedTypeIds.filter((typeId) => real.has(typeId));
    if (known.length === askedTypeIds.length) throw failure;
    if (known.length === 0) return absent(rectangle, "unknown-type");
    // Of types that were not asked for, its answer says that they are unknown.
    return readMatrix(rectangle, false, options, known);
  }

  async function readDataPoints(rectangle: Rectangle, options: ExchangeOptions): Promise<Outcome> {
    const { ahjIds, typeIds } = rectangle;
    const real = await catalogue.realTypeIds(typeIds, options);
    if (real.size === 0) return absent(rectangle, "unknown-type");
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
    return fillRectangle(rectangle, (ahjId, typeId) =>
      denied.has(ahjId) ? outside : answerOf(ahjId, typeId),
    );
  }

  return {
    open: () => open,
    abandon(piece) {
      if (!started.has(piece)) open.delete(piece);
    },
    add(source, rectangle, mayBeCut) {
      const read = (options: ExchangeOptions) =>
        source === "matrix"
          ? readMatrix(rectangle, mayBeCut, options).catch((thrown: unknown) => asDenied(rectangle, thrown))
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
        hasCome: () => come.has(rectangle),
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
function asDenied(rectangle: Rectangle, thrown: unknown): Promise<Outcome> {
  if (!(thrown instanceof Failure) || thrown.kind !== "outside-subscription") throw thrown;
  return absent(rectangle, "outside-subscription");
}

function absent(rectangle: Rectangle, absence: Absence): Promise<Answered> {
  const answer = absencesOf(Date.now())[absence];
  return fillRectangle(rectangle, () => answer);
}
