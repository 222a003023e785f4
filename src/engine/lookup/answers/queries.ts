import type { Client } from "../../api/client";
import { mayPassSmaller } from "../../api/answer-failure";
import { config } from "../../../config";
import type { Ahj } from "../../api/schemas";
import type { Absence } from "../../absence";
import { absentAnswers } from "../../cache/cached-answer";
import { asFailure, Failure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Catalogue } from "../catalogue/catalogue";
import type { MatrixSize } from "./matrix-size";
import type { Rectangle } from "./request-plan";
import type { MatrixReader } from "./matrix-reader";
import { type AnsweredRectangle, fillRectangle } from "./read-matrix";
import { createSharedWork } from "../shared-work";

/** The endpoint that answers. The list of data points tells when a value last changed, the matrix does not. */
export type Source = "matrix" | "data-points";

/** A rectangle that is planned, under way or not fully read. Callers that want a cell in it join it instead of asking again. */
export interface Query {
  rectangle: Rectangle;
  ahjIds: ReadonlySet<number>;
  typeIds: ReadonlySet<number>;
  source: Source;
  /** True if the answer has come, though it may not be read yet. */
  hasCome(): boolean;
  /** Joins as `SharedWork` does. A caller that has got an outcome must leave once it has taken its cells. */
  join(options: ExchangeOptions): Promise<RectangleOutcome>;
  /** Ends a caller's part in the query. An answered query can be joined until every caller that has joined has left. */
  leave(): void;
}

/** The answers to a rectangle; or `tooLarge` if the service refused its size ("surely"), or cut the answer off, perhaps for its size. */
export type RectangleOutcome = AnsweredRectangle | { tooLarge: "surely" | "perhaps" };

/** Fetches rectangles of cells, each once however many callers want it. */
export interface Queries {
  open(): Iterable<Query>;
  /**
   * Adds a query. Its request is sent when a caller joins. `mayBeCut`: a cut-off counts as an outcome, for a caller that would rather ask
   * for less than for the same again.
   */
  add(source: Source, rectangle: Rectangle, mayBeCut: boolean): Query;
  /** Takes back a query, unless its request has started. */
  abandon(query: Query): void;
}

export interface QueryDependencies {
  catalogue: Catalogue;
  size: MatrixSize;
  readBody: MatrixReader;
  /** Called with the AHJs that came with an answer. */
  learnAhjs(ahjs: readonly Ahj[]): void;
}

export function createQueries(
  client: Client,
  { catalogue, size, readBody, learnAhjs }: QueryDependencies,
): Queries {
  const open = new Set<Query>();
  const started = new WeakSet<Query>();
  const come = new WeakSet<Rectangle>();

  async function readMatrix(
    rectangle: Rectangle,
    mayBeCut: boolean,
    options: ExchangeOptions,
    askedTypeIds = rectangle.typeIds,
  ): Promise<RectangleOutcome> {
    const startedAtMs = Date.now();
    const cells = rectangle.ahjIds.length * askedTypeIds.length;
    try {
      const { body, charset, atMs, failureOf } = await client.unreadMatrix(
        { ahj_ids: rectangle.ahjIds, data_point_type_ids: askedTypeIds },
        {
          ...options,
          retryCutOff: !mayBeCut,
          onStatus: (status) => status === 200 && size.accepted(cells),
        },
      );
      come.add(rectangle);
      const tookMs = Date.now() - startedAtMs;
      const read = await readBody(body, rectangle, atMs, charset);
      if (!("filled" in read)) throw await failureOf(read);
      catalogue.learn(read.types);
      learnAhjs(read.ahjs);
      if (cells > 1 && read.pages > 1) {
        // A page would pass for the whole matrix: cells that are not on it would seem unknown.
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
        // A matrix larger than the first size was the add-in's own try, so its size is the likely cause.
        if (cells > config.matrixCells) size.refused(cells);
        return { tooLarge: "perhaps" };
      }
      if (failure.kind === "invalid-request") return readRealTypes(rectangle, askedTypeIds, failure, options);
      throw failure;
    }
  }

  /** Asks again without the types that the service doesn't know, because a service may refuse a whole matrix for one of them. */
  async function readRealTypes(
    rectangle: Rectangle,
    askedTypeIds: readonly number[],
    failure: Error,
    options: ExchangeOptions,
  ): Promise<RectangleOutcome> {
    const real = await catalogue.realTypeIds(askedTypeIds, options);
    const known = askedTypeIds.filter((typeId) => real.has(typeId));
    if (known.length === askedTypeIds.length) throw failure;
    if (known.length === 0) return absent(rectangle, "unknown-type");
    // The answer then says that the types which were not asked for are unknown.
    return readMatrix(rectangle, false, options, known);
  }

  /** The script that asks for dates is loaded with the first of them. */
  async function readDataPoints(rectangle: Rectangle, options: ExchangeOptions): Promise<RectangleOutcome> {
    const script = await import("./ask-data-points");
    const real = await catalogue.realTypeIds(rectangle.typeIds, options);
    if (real.size === 0) return absent(rectangle, "unknown-type");
    return script.askDataPoints(rectangle, real, { client, catalogue, learnAhjs }, options);
  }

  return {
    open: () => open,
    abandon(query) {
      if (!started.has(query)) open.delete(query);
    },
    add(source, rectangle, mayBeCut) {
      const read = (options: ExchangeOptions) =>
        source === "matrix"
          ? readMatrix(rectangle, mayBeCut, options).catch((thrown: unknown) => asDenied(rectangle, thrown))
          : readDataPoints(rectangle, options);
      const work = createSharedWork(async (options) => {
        started.add(query);
        const outcome = await read(options);
        if ("tooLarge" in outcome) open.delete(query);
        return outcome;
      });
      let joined = 0;
      const query: Query = {
        rectangle,
        source,
        hasCome: () => come.has(rectangle),
        ahjIds: new Set(rectangle.ahjIds),
        typeIds: new Set(rectangle.typeIds),
        async join(options) {
          joined += 1;
          try {
            return await work.join(options);
          } catch (thrown) {
            query.leave();
            throw thrown;
          }
        },
        leave() {
          joined -= 1;
          // A caller with `keptOnly` has not started the request, and others may still wait for it.
          if (joined === 0 && started.has(query)) open.delete(query);
        },
      };
      open.add(query);
      return query;
    },
  };
}

/** A refusal of a whole rectangle is an answer: all its AHJs are outside the subscription. */
function asDenied(rectangle: Rectangle, thrown: unknown): Promise<RectangleOutcome> {
  if (!(thrown instanceof Failure) || thrown.kind !== "outside-subscription") throw thrown;
  return absent(rectangle, "outside-subscription");
}

function absent(rectangle: Rectangle, absence: Absence): Promise<AnsweredRectangle> {
  const answer = absentAnswers(Date.now())[absence];
  return fillRectangle(rectangle, () => answer);
}
