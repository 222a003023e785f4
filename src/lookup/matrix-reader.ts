import { mayPassSmaller } from "../api/answer-failure";
import type { Answer, Client } from "../api/client";
import type { DataPointType, MatrixCell } from "../api/schemas";
import { createAnswerStore } from "../cache/answer-store";
import { config } from "../config";
import { asFailure, Failure } from "../errors";
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
  /** Cells answered so far, out of those asked for. */
  onProgress?: ((answered: number) => void) | undefined;
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

  /** Reads one rectangle into `known`; a transient failure goes to `failed` instead. */
  async function readRectangle(
    rectangle: Rectangle,
    failed: FailedRectangle[],
    options: ReadOptions,
    blindHalvings = 0,
  ): Promise<void> {
    const cells = rectangle.ahjIds.length * rectangle.typeIds.length;
    const mayHalveBlindly = cells > 1 && blindHalvings < config.blindHalvings;
    try {
      const answer = await client.matrix(
        { ahj_ids: rectangle.ahjIds, data_point_type_ids: rectangle.typeIds },
        // A gateway that gives up over a large matrix is asked for smaller ones instead.
        mayHalveBlindly ? { ...options, gatewayRetries: 0 } : options,
      );
      keep(rectangle, answer);
      options.onProgress?.(cells);
    } catch (thrown) {
      const failure = asFailure(thrown, "unexpected-answer");
      if (failure.kind === "cancelled" && options.signal?.aborted) throw failure;
      const smaller = mayPassSmaller(failure);
      const isLate = options.giveUpAtMs !== undefined && Date.now() > options.giveUpAtMs;
      if (cells > 1 && (smaller === "yes" || (smaller === "perhaps" && mayHalveBlindly && !isLate))) {
        maxCells = Math.min(maxCells, Math.ceil(cells / 2));
        const parts = planRectangles(wantedOf(rectangle), maxCells);
        const halvings = blindHalvings + (smaller === "perhaps" ? 1 : 0);
        await Promise.all(parts.map((part) => readRectangle(part, failed, options, halvings)));
      } else if (failure.kind === "outside-subscription") {
        for (const ahjId of rectangle.ahjIds) setAll(ahjId, rectangle.typeIds, failure);
      } else {
        const typeIds = failure.kind === "invalid-request" ? await realTypes(rectangle) : rectangle.typeIds;
        if (typeIds.length === rectangle.typeIds.length) failed.push({ rectangle, failure });
        else if (typeIds.length > 0) await readRectangle({ ...rectangle, typeIds }, failed, options);
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
  async function realTypes({ ahjIds, typeIds }: Rectangle): Promise<number[]> {
    const types = await catalogue.types().catch(() => null);
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
      const failed: FailedRectangle[] = [];
      const plan = planRectangles(unknownOf(wanted), maxCells);
      await Promise.all(plan.map((rectangle) => readRectangle(rectangle, failed, options)));
      return { of: (ahjId, typeId) => known.get(ahjId, typeId) ?? failureAt(failed, ahjId, typeId) };
    },
    requestsFor: (wanted) => planRectangles(unknownOf(wanted), maxCells).length,
  };
}

interface FailedRectangle {
  rectangle: Rectangle;
  failure: Failure;
}

function failureAt(failed: FailedRectangle[], ahjId: number, typeId: number): Failure {
  const hit = failed.find(
    ({ rectangle }) => rectangle.ahjIds.includes(ahjId) && rectangle.typeIds.includes(typeId),
  );
  return hit?.failure ?? new Failure("unexpected-answer");
}

function wantedOf({ ahjIds, typeIds }: Rectangle): Wanted {
  const types = new Set(typeIds);
  return new Map(ahjIds.map((ahjId) => [ahjId, types]));
}

function answerOf(type: DataPointType, cell: MatrixCell | null | undefined): CellAnswer {
  // An empty text is no value either; the interface leaves open whether it occurs.
  return cell?.value ? { type, cell } : noValue;
}
