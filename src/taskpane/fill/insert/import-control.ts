import type { Session } from "../../../app";
import { createListeners } from "../../../async/listeners";
import { config } from "../../../config";
import type { Hold } from "../../../engine/cache/answer-cache";
import { asFailure, type Failure } from "../../../errors";
import { createGate, type Gate } from "../../../workbook/imports/run/gate";
import type {
  ImportData,
  ImportOrder,
  ImportProgress,
  OrderedList,
  Placement,
} from "../../../workbook/imports/run/import-types";
import type { PlaceOptions } from "../../../workbook/imports/run/place-import";
import { type Mark, startWatch, timeLeftMs, type Watch } from "../../../workbook/imports/run/time-left";
import type { TableSize } from "../../../workbook/sheet/layout/table-plan";
import type { BesideOffer, BesidePlace, ColumnCounts } from "../../../workbook/sheet/lists/beside-list";
import type { TargetPlace } from "../../../workbook/sheet/tables/target-place";
import type { Destination, TableTarget } from "../../../workbook/sheet/tables/write-table";
import type { UserStorage } from "../../../settings/connection";
import { createLastChoice, type LastChoice } from "../../../settings/choices/last-choice";
import { entryOf, mostEntries } from "../../../settings/choices/saved-territories";
import type { PaneApp } from "../../pane-app";
import type { JobKind } from "../../jobs/jobs";
import type { Unmatched } from "../jurisdictions/chosen-jurisdictions";

/** An import with the choices that the user had made when it was started. Later choices in the pane are for the next import. */
export interface InsertOrder extends ImportOrder {
  /** The estimated size of the table. */
  size: TableSize;
  /** The number of tables, each on a sheet of its own. There is more than one if memory can't hold the import at once. */
  parts: number;
  unmatched: readonly Unmatched[];
  beside?: ListOrder | undefined;
}

/** A list as it stands in the sheet. */
export interface ListOrder extends OrderedList {
  /** Addresses of the list's blank cells. */
  blanks: readonly string[];
  /** True if the list is to become a table, unless it is in one. */
  wantsTable: boolean;
  /** The reason why it does not become a table, once it is known. */
  notTable?: string | null;
}

/** An import beside a list. */
export type BesideOrder = InsertOrder & { beside: ListOrder; columns: ColumnCounts };

type SoleTarget = Exclude<TableTarget, { kind: "beside" }>;

/** The data that had arrived when an import ended early, for users who want to keep them. */
export interface PartialImport {
  order: InsertOrder;
  destination: Destination;
  data: ImportData;
}

export type ImportState =
  | { status: "idle" }
  | {
      status: "running";
      isPaused: boolean;
      progress: ImportProgress | undefined;
      /** The time left for the current phase, reading or writing; null if it can't be told. */
      leftMs: number | null;
      waitingUntilMs: number | undefined;
    }
  /** Cells with content are in the way of the table; the user decides. */
  | { status: "in-the-way"; order: InsertOrder; target: SoleTarget; place: TargetPlace }
  /** Cells with content are right of the list; the user chooses where the new columns go. */
  | { status: "beside-in-the-way"; order: BesideOrder; place: BesidePlace }
  | ({ status: "done"; order: InsertOrder } & Placement)
  /** `placed` has the parts that had been placed before the failure; `order` is what is not in the workbook. */
  | {
      status: "failed";
      failure: Failure;
      partial: PartialImport | null;
      placed: Placement | null;
      order: InsertOrder | null;
    };

export interface ImportControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ImportState;
  insertOnNewSheet(order: InsertOrder): void;
  /** Inserts the table at the selected cell. Asks first if cells with content are in the way. */
  insertAtSelectedCell(order: InsertOrder): void;
  /** Inserts columns beside a list. Asks first if cells with content are in the way. */
  insertBeside(order: BesideOrder): void;
  /** Goes on in the way that the user chose. */
  chooseWay(offer: BesideOffer): void;
  /** Replaces an earlier import. Asks first if cells with content are in the way beyond the old table. */
  replace(order: InsertOrder & { replaces: NonNullable<InsertOrder["replaces"]> }): void;
  /** Goes on and overwrites the cells that the user was asked about. */
  overwrite(): void;
  /** Stops requests and writing until `goOn`; answers to requests that were already sent still arrive. */
  pause(): void;
  goOn(): void;
  cancel(): void;
  /** Writes the data that had arrived when an import ended early. */
  keepPartial(): void;
  /** Asks for the jurisdictions that an import without a list lacks, and puts them on a sheet of their own. */
  insertRest(): void;
  dismiss(): void;
  /** Cancels the run and keeps nothing, when the screen is left. */
  end(): void;
}

/** The means to control a run, and to tell its state. */
interface Running {
  controller: AbortController;
  gate: Gate;
  watch: Watch;
  /** True once the screen was left: nothing of the run is kept. */
  isLeft: boolean;
  tell(change: { progress?: ImportProgress; waitingUntilMs?: number | undefined; isPaused?: boolean }): void;
}

/** Runs one import at a time and tells its state. */
export function createImportControl(app: PaneApp, session: Session): ImportControl {
  const listeners = createListeners();
  let state: ImportState = { status: "idle" };
  let running: Running | undefined;
  /** Keeps the last import's answers in memory until they are placed or given up. */
  let hold: Hold | undefined;
  const giveUp = () => {
    hold?.release();
    hold = undefined;
  };
  function show(next: ImportState) {
    state = next;
    listeners.tell();
  }

  async function start(order: InsertOrder, work: (run: Running) => Promise<ImportState>) {
    const kind = kindOf(order);
    if (running || app.jobs.isExcluded(kind)) return;
    hold ??= session.lookup.answers.hold();
    const run = (running = createRunning(show));
    run.tell({});
    const working = app.jobs.run({ kind, title: "An import is running.", isQuiet: true }, () => work(run));
    const outcome = await working.catch((thrown: unknown): ImportState => ({
      status: "failed",
      failure: asFailure(thrown),
      partial: null,
      placed: null,
      order: null,
    }));
    running = undefined;
    const isAsking = outcome.status === "in-the-way" || outcome.status === "beside-in-the-way";
    // While the user is asked, or may keep a part, the answers stay in memory, so that they are not fetched again.
    if (run.isLeft || (!isAsking && (outcome.status !== "failed" || !outcome.partial))) giveUp();
    // If the choice can't be stored, it is only not offered again, so the failure is ignored.
    if (outcome.status === "done") noteLastChoice(app.storage, outcome.order).catch(() => undefined);
    show(outcome);
  }

  /** `kept` is data that had arrived in an earlier run; if given, it is written instead of asking again. */
  async function run(
    order: InsertOrder,
    destination: Destination,
    { controller: { signal }, gate, tell }: Running,
    kept?: ImportData,
  ): Promise<ImportState> {
    const [{ placeNoted }, { placeInParts }] = await Promise.all([
      import("../../../workbook/unfinished/noted-import"),
      import("../../../workbook/imports/run/place-parts"),
    ]);
    const options: PlaceOptions = {
      signal,
      hold,
      gate: () => gate.pass(signal),
      onWait: (waitingUntilMs) => tell({ waitingUntilMs }),
      onProgress: (progress) => tell({ progress, waitingUntilMs: undefined }),
    };
    const dependencies = { workbook: app.workbook, session };
    // Data that are kept are one table. The workbook remembers it by the name of its sheet, which tells that it is a part.
    const named = destination.kind === "new-sheet" ? { sheetName: destination.name } : {};
    const whole = kept ? { ...order, ...named, parts: 1 } : order;
    const outcome = await placeInParts(whole, async (part) => {
      const placed = await placeNoted(app.unfinished, part, destination, dependencies, options, kept);
      // A part that is placed needs its answers no longer; the next part holds its own.
      if (placed.status === "done") hold?.release();
      return placed;
    });
    if (outcome.status === "done") return { ...outcome, order };
    const { failure, data, placed } = outcome;
    const left = { ...whole, ...outcome.left };
    const partial = data && { order: kept ? order : left, destination, data };
    return { status: "failed", failure, partial, placed, order: left };
  }

  const insertAt = (order: InsertOrder, findTarget: () => Promise<SoleTarget>) =>
    void start(order, async (running) => {
      const target = await findTarget();
      const { inspectTarget } = await import("../../../workbook/sheet/tables/write-table");
      const place = await inspectTarget(app.workbook, target, order.size);
      if (place.filled !== null) return { status: "in-the-way", order, target, place };
      return run(order, { ...target, contents: place.contents }, running);
    });
  const mayOverwrite = null;

  function runBeside(
    { beside: list, ...order }: BesideOrder,
    {
      offer: { way, block, contents, isInOneTable },
      notTable,
    }: { offer: BesideOffer; notTable: string | null },
    running: Running,
  ): Promise<ImportState> {
    // If the list and its new columns end up in one table, there is no reason to tell why not.
    const beside = { ...list, way, block, notTable: isInOneTable ? null : notTable };
    const mayOverwrite = { rows: contents.rows, columns: contents.columns };
    const place = { list: list.list, header: list.header, way, block };
    return run({ ...order, beside }, { kind: "beside", ...place, mayOverwrite, contents }, running);
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    insertOnNewSheet: (order) =>
      void start(order, (running) => run(order, { kind: "new-sheet", name: order.sheetName }, running)),
    insertAtSelectedCell: (order) =>
      insertAt(order, async () => ({
        kind: "cell",
        mayOverwrite,
        ...(await app.workbook.selectedPosition()),
      })),
    insertBeside: (order) =>
      void start(order, async (running) => {
        const { inspectBeside } = await import("../../../workbook/sheet/lists/beside-list");
        const { beside, columns } = order;
        const place = await inspectBeside(app.workbook, beside, columns, beside.wantsTable);
        return place.others === null
          ? runBeside(order, { offer: place.right, notTable: place.notTable }, running)
          : { status: "beside-in-the-way", order, place };
      }),
    replace({ replaces, ...order }) {
      const { kept, rows, headers } = replaces;
      const target: SoleTarget = {
        kind: "in-place",
        mayOverwrite,
        tableId: kept.saved.tableId,
        rows,
        headers,
      };
      insertAt({ ...order, replaces }, () => Promise.resolve(target));
    },
    overwrite() {
      if (state.status !== "in-the-way") return;
      const { order, target, place } = state;
      const given = { ...target, mayOverwrite: order.size, contents: place.contents };
      void start(order, (running) => run(order, given, running));
    },
    chooseWay(offer) {
      if (state.status !== "beside-in-the-way") return;
      const { order, place } = state;
      void start(order, (running) => runBeside(order, { offer, notTable: place.notTable }, running));
    },
    keepPartial() {
      if (state.status !== "failed" || !state.partial) return;
      const { order, destination, data } = state.partial;
      const isWhole = data.report.notRead.length === 0;
      // A partial table never replaces a whole one; it goes to a sheet of its own.
      const isApart = destination.kind === "new-sheet" || destination.kind === "in-place";
      const sheet: Destination = { kind: "new-sheet", name: partialName(order.sheetName) };
      void start(order, (running) =>
        isWhole || !isApart
          ? run(order, destination, running, data)
          : run({ ...order, replaces: undefined }, sheet, running, data),
      );
    },
    insertRest() {
      const rest = restOf(state);
      if (!rest) return;
      void start(rest, (running) => run(rest, { kind: "new-sheet", name: rest.sheetName }, running));
    },
    pause() {
      running?.gate.close();
      running?.watch.stop();
      running?.tell({ isPaused: true });
    },
    goOn() {
      running?.gate.open();
      running?.watch.goOn();
      running?.tell({ isPaused: false });
    },
    cancel: () => running?.controller.abort(),
    dismiss() {
      giveUp();
      show({ status: "idle" });
    },
    end() {
      if (!running) return giveUp();
      // A run that ends early looks for its answers once more and holds them, so they are given up after it has ended.
      running.isLeft = true;
      running.controller.abort();
    },
  };
}

function createRunning(show: (state: ImportState) => void): Running {
  const watch = startWatch();
  let isPaused = false;
  let progress: ImportProgress | undefined;
  let waitingUntilMs: number | undefined;
  /** The state at which the phase began: work that was already done then says nothing about the pace. */
  let begun: Mark | undefined;
  return {
    controller: new AbortController(),
    gate: createGate(),
    watch,
    isLeft: false,
    tell(change) {
      const now = { done: (change.progress ?? progress)?.done ?? 0, atMs: watch.ms() };
      if (change.progress && change.progress.phase !== progress?.phase) begun = now;
      // Work that was under way at a pause ends in time that is not counted, and says nothing about the pace.
      else if (isPaused && begun) begun = { ...begun, done: begun.done + now.done - (progress?.done ?? 0) };
      if (change.progress) progress = change.progress;
      if ("waitingUntilMs" in change) waitingUntilMs = change.waitingUntilMs;
      isPaused = change.isPaused ?? isPaused;
      const leftMs = begun && progress ? timeLeftMs(begun, now, progress.total) : null;
      show({ status: "running", isPaused, progress, leftMs, waitingUntilMs });
    },
  };
}

/** The work that an order is for the workbook. */
export const kindOf = ({ replaces }: InsertOrder): JobKind => (replaces ? "imports" : "cells");

/** The order for the jurisdictions that an import lacks; null if it lacks none. A list keeps a row for each, which a refresh fills. */
export function restOf(state: ImportState): InsertOrder | null {
  const { order, report } =
    state.status === "done"
      ? state
      : state.status === "failed" && !state.partial
        ? { order: state.order, ...state.placed }
        : {};
  if (!order || order.beside || !report || report.notRead.length === 0) return null;
  const { question, parts } = order;
  const ofPart = Math.ceil(question.ahjs.length / parts);
  return {
    ...order,
    question: { ...question, ahjs: report.notRead, find: undefined },
    parts: Math.ceil(report.notRead.length / ofPart),
    unmatched: [],
    replaces: undefined,
  };
}

const partialMark = " (partial)";

/** The sheet's name with the mark. A name that is too long loses its last part, because the mark must not be cut off. */
function partialName(name: string): string {
  const room = config.sheetNameCharacters - partialMark.length - " 99".length;
  const [, parts] = /^(.{4,}), /s.exec(name.slice(0, room + 1)) ?? [];
  return (name.length <= room ? name : (parts ?? name.slice(0, room).trim())) + partialMark;
}

/**
 * Stores an import's jurisdictions and questions, to offer them again. An import beside a list stores only its questions. Fails if the
 * storage does.
 */
function noteLastChoice(
  storage: UserStorage,
  { question, beside }: Pick<InsertOrder, "question" | "beside">,
): Promise<void> {
  const { ahjs } = question;
  const entries = beside || ahjs.length > mostEntries ? [] : ahjs.map(entryOf);
  const typeIds = question.kind === "matrix" ? question.types.map(({ id }) => id) : [];
  const next = (before: LastChoice | null) => ({
    entries: entries.length > 0 ? entries : (before?.entries ?? []),
    typeIds: typeIds.length > 0 ? typeIds : (before?.typeIds ?? []),
  });
  return createLastChoice(storage).change(next);
}
