import { mayPassSmaller } from "../api/answer-failure";
import type { Answer, Client } from "../api/client";
import type { DataPointType, MatrixCell } from "../api/schemas";
import { createAnswerStore } from "../cache/answer-store";
import { config } from "../config";
import { asFailure, Failure, type FailureKind } from "../errors";
import type { ExchangeOptions } from "../transport/transport";
import type { Catalogue } from "./catalogue";
import { planRectangles, type Rectangle, type Wanted } from "./plan";

/** What the service said of one AHJ and type, or why it said nothing. */
export type CellAnswer = { type: DataPointType; cell: MatrixCell } | Failure;

export interface MatrixReader {
  /** The answer, where it has been read already. */
  known(ahjId: number, typeId: number): CellAnswer | undefined;
  /**
   * Asks the service for what is wanted and not yet known. Afterwards every wanted cell has its answer; nothing
   * is thrown but `cancelled`.
   */
  read(wanted: Wanted, options?: ReadOptions): Promise<MatrixAnswers>;
  /** How many requests `read` would send. */
  requestsFor(wanted: Wanted): number;
}

export interface ReadOptions extends ExchangeOptions {
  /** Told how many more cells have been answered. */
  onProgress?: ((cells: number) => void) | undefined;
  /** Any failure makes the rest worthless, so nothing more is asked. */
  failFast?: boolean | undefined;
}

export interface MatrixAnswers {
  of(ahjId: number, typeId: number): CellAnswer;
}

// One of each for all cells: thousands may share a reason, and an Error of its own costs each its stack.
const noValue = new Failure("no-value");
const unknownType = new Failure("unknown-type");
const unknownJurisdiction = new Failure("unknown-jurisdiction");
const outsideSubscription = new Failure("outside-subscription");

export function createMatrixReader(client: Client, catalogue: Catalogue): MatrixReader {
  const known = createAnswerStore<CellAnswer>();
  let maxCells: number = config.matrixCells;

  function unknownOf(wanted: Wanted): Map<number, Set<number>> {
    const unknown = new Map<number, Set<number>>();
    for (const [ahjId, typeIds] of wanted) {
      const missing = [...typeIds].filter((typeId) => !known.get(ahjId, typeId));
      if (missing.length > 0) unknown.set(ahjId, new Set(missing));
    }
    return unknown;
  }

  /** Reads one rectangle into `known`, or notes why it can't be had. */
  async function readRectangle(
    rectangle: Rectangle,
    fail: (rectangle: Rectangle, failure: Failure) => void,
    options: ReadOptions,
    blindHalvings = 0,
  ): Promise<void> {
    const cells = rectangle.ahjIds.length * rectangle.typeIds.length;
    const mayHalveBlindly = cells > 1 && blindHalvings < config.blindHalvings;
    const readParts = async (most: number, halvings: number) => {
      const parts = planRectangles(wantedOf(rectangle), most);
      await Promise.all(parts.map((part) => readRectangle(part, fail, options, halvings)));
    };
    try {
      const answer = await client.matrix(
        { ahj_ids: rectangle.ahjIds, data_point_type_ids: rectangle.typeIds },
        // A gateway that gives up over a large matrix is asked for smaller ones instead.
        mayHalveBlindly ? { ...options, retryCutOff: false } : options,
      );
      keep(rectangle, answer);
      options.onProgress?.(cells);
    } catch (thrown) {
      const failure = asFailure(thrown, "unexpected-answer");
      const smaller = mayPassSmaller(failure);
      const isLate = options.giveUpAtMs !== undefined && Date.now() > options.giveUpAtMs;
      const half = Math.ceil(cells / 2);
      if (smaller === "yes" && cells > 1) {
        maxCells = Math.min(maxCells, half);
        await readParts(half, blindHalvings);
      } else if (smaller === "perhaps" && mayHalveBlindly && !isLate) {
        await readParts(half, blindHalvings + 1);
      } else if (failure.kind === "outside-subscription") {
        for (const ahjId of rectangle.ahjIds) setAll(ahjId, rectangle.typeIds, failure);
      } else {
        const typeIds =
          failure.kind === "invalid-request" ? await realTypes(rectangle, options) : rectangle.typeIds;
        if (typeIds.length === rectangle.typeIds.length) fail(rectangle, failure);
        else if (typeIds.length > 0) await readRectangle({ ...rectangle, typeIds }, fail, options);
      }
    }
  }

  function keep({ ahjIds, typeIds }: Rectangle, { data: report, warnings }: Answer<"matrix">) {
    // By id, never by position: the interface promises no order.
    const types = new Map(report.data_point_types.map((type) => [type.id, type]));
    const rows = new Map(report.rows.map((row) => [row.ahj.id, row.values]));
    const excluded = new Set(warnings.flatMap((warning) => warning.excluded_ahj_ids));
    const someDenied = warnings.some((warning) => warning.code === "AHJ_ACCESS_DENIED");
    for (const ahjId of ahjIds) {
      const values = rows.get(ahjId);
      if (!values) {
        const isDenied = excluded.has(ahjId) || (excluded.size === 0 && someDenied);
        setAll(ahjId, typeIds, isDenied ? outsideSubscription : unknownJurisdiction);
        continue;
      }
      for (const typeId of typeIds) {
        const type = types.get(typeId);
        const cell = values[typeId];
        known.set(ahjId, typeId, type ? answerOf(type, cell) : unknownType);
      }
    }
  }

  function setAll(ahjId: number, typeIds: readonly number[], failure: Failure) {
    for (const typeId of typeIds) known.set(ahjId, typeId, failure);
  }

  /** A service may refuse a whole matrix for one type it doesn't know: notes those, and gives the others. */
  async function realTypes({ ahjIds, typeIds }: Rectangle, options: ReadOptions): Promise<number[]> {
    const types = await catalogue.types(options).catch(() => null);
    if (types === null) return typeIds;
    const real = new Set(types.map((type) => type.id));
    for (const typeId of typeIds) {
      if (!real.has(typeId)) for (const ahjId of ahjIds) known.set(ahjId, typeId, unknownType);
    }
    return typeIds.filter((typeId) => real.has(typeId));
  }

  return {
    known: known.get,
    async read(wanted, options = {}) {
      const stop = new AbortController();
      const cancel = () => stop.abort();
      options.signal?.addEventListener("abort", cancel, { once: true });
      const failures = createAnswerStore<Failure>();
      let hopeless: Failure | undefined;
      const fail = ({ ahjIds, typeIds }: Rectangle, failure: Failure) => {
        if (options.failFast || hopelessKinds.has(failure.kind)) hopeless ??= failure;
        if (hopeless) stop.abort();
        for (const ahjId of ahjIds) {
          for (const typeId of typeIds) failures.set(ahjId, typeId, hopeless ?? failure);
        }
      };
      const plan = planRectangles(unknownOf(wanted), maxCells);
      const inTurn = { ...options, signal: stop.signal };
      await Promise.all(plan.map((rectangle) => readRectangle(rectangle, fail, inTurn)));
      options.signal?.removeEventListener("abort", cancel);
      if (options.signal?.aborted) throw new Failure("cancelled");
      return {
        of: (ahjId, typeId) =>
          known.get(ahjId, typeId) ?? failures.get(ahjId, typeId) ?? new Failure("unexpected-answer"),
      };
    },
    requestsFor: (wanted) => planRectangles(unknownOf(wanted), maxCells).length,
  };
}

/** Failures that every further request would meet as well. */
const hopelessKinds = new Set<FailureKind>(["wrong-key", "rate-limited"]);

function wantedOf({ ahjIds, typeIds }: Rectangle): Wanted {
  const types = new Set(typeIds);
  return new Map(ahjIds.map((ahjId) => [ahjId, types]));
}

function answerOf(type: DataPointType, cell: MatrixCell | null | undefined): CellAnswer {
  // An empty text is no value either; the interface leaves open whether it occurs.
  return cell?.value ? { type, cell } : noValue;
}
