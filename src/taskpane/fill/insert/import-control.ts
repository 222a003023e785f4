import type { Session } from "../../../app";
import type { PaneApp } from "../../pane-app";
import { createListeners } from "../../../async/listeners";
import { config } from "../../../config";
import type { Hold } from "../../../engine/cache/answer-cache";
import { asFailure, type Failure } from "../../../errors";
import { createGate, type Gate } from "../../../workbook/imports/run/gate";
import type {
  PlacedList,
  PlacedOrder,
  PlaceOptions,
  WrittenImport,
} from "../../../workbook/imports/run/place-import";
import type { ImportProgress, ReadImport } from "../../../workbook/imports/run/run-import";
import { type Mark, startWatch, timeLeftMs, type Watch } from "../../../workbook/imports/run/time-left";
import type { TableSize } from "../../../workbook/sheet/layout/table-plan";
import type { BesideOffer, BesidePlace, ColumnCounts } from "../../../workbook/sheet/lists/beside-list";
import type { Place } from "../../../workbook/sheet/tables/target-place";
import type { Destination, Target } from "../../../workbook/sheet/tables/write-table";
import { noteLastChoice } from "../note-last-choice";
import type { UnmatchedGeoid } from "../jurisdictions/chosen-jurisdictions";

/** An import as it was when the user started it; what is chosen in the pane afterwards is for the next one. */
export interface ImportOrder extends PlacedOrder {
  /** As estimated. */
  size: TableSize;
  /** Tables, each on a sheet of its own: more than one where memory can't hold it at once. */
  parts: number;
  unmatched: readonly UnmatchedGeoid[];
  beside?: ListOrder | undefined;
}

/** A list as it stands in the sheet. */
export interface ListOrder extends PlacedList {
  /** Addresses of its blank cells. */
  blanks: readonly string[];
  /** It is to become a table, if it is in none. */
  wantsTable: boolean;
  /** Why it does not, once that is known. */
  notTable?: string | null;
}

/** An import beside a list. */
export type BesideOrder = ImportOrder & { beside: ListOrder; columns: ColumnCounts };

type SoleTarget = Exclude<Target, { kind: "beside" }>;

/** What had come when an import ended early, for whoever would rather have that than nothing. */
export interface PartialImport {
  order: ImportOrder;
  destination: Destination;
  read: ReadImport;
}

export type ImportState =
  | { status: "idle" }
  | {
      status: "running";
      isPaused: boolean;
      progress: ImportProgress | undefined;
      /** Of what is under way, reading or writing; null while it can't be told. */
      leftMs: number | null;
      waitingUntilMs: number | undefined;
    }
  /** Cells stand where the table would go; the user decides. */
  | { status: "in-the-way"; order: ImportOrder; target: SoleTarget; place: Place }
  /** Cells stand right of the list; the user chooses where the new columns go. */
  | { status: "beside-in-the-way"; order: BesideOrder; place: BesidePlace }
  | ({ status: "done"; order: ImportOrder } & WrittenImport)
  /** `placed`: the parts that had been placed before. */
  | {
      status: "failed";
      failure: Failure;
      partial: PartialImport | null;
      placed: WrittenImport | null;
      order: ImportOrder | null;
    };

export interface ImportControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ImportState;
  insertOnNewSheet(order: ImportOrder): void;
  /** Asks first where cells are in the way. */
  insertAtSelectedCell(order: ImportOrder): void;
  /** Asks first where cells are in the way. */
  insertBeside(order: BesideOrder): void;
  /** Goes on in one of the ways that the user was asked about. */
  chooseWay(offer: BesideOffer): void;
  /** Asks first where cells are in the way of what it needs beyond the old table. */
  replace(order: ImportOrder & { replaces: NonNullable<ImportOrder["replaces"]> }): void;
  /** Goes on over the cells that the user was asked about. */
  overwrite(): void;
  /** Asks and writes nothing more until `goOn`; what is under way comes in. */
  pause(): void;
  goOn(): void;
  cancel(): void;
  /** Writes what had come of an import that ended early. */
  keepPartial(): void;
  dismiss(): void;
  /** Cancels what runs and keeps nothing: for whoever leaves. */
  end(): void;
}

/** What a run can be told, and tells. */
interface Running {
  controller: AbortController;
  gate: Gate;
  watch: Watch;
  tell(change: { progress?: ImportProgress; waitingUntilMs?: number | undefined; isPaused?: boolean }): void;
}

/** Runs one import at a time and tells how it goes. */
export function createImportControl(app: PaneApp, session: Session): ImportControl {
  const listeners = createListeners();
  let state: ImportState = { status: "idle" };
  let running: Running | undefined;
  /** Keeps what has come of the last import until it is placed or given up. */
  let hold: Hold | undefined;
  const giveUp = () => {
    hold?.release();
    hold = undefined;
  };
  function show(next: ImportState) {
    state = next;
    listeners.tell();
  }

  async function start(work: (run: Running) => Promise<ImportState>) {
    if (running) return;
    hold ??= session.lookup.answers.hold();
    const run = (running = createRunning(show));
    run.tell({});
    const outcome = await work(run).catch((thrown: unknown): ImportState => ({
      status: "failed",
      failure: asFailure(thrown),
      ...{ partial: null, placed: null, order: null },
    }));
    running = undefined;
    const isAsking = outcome.status === "in-the-way" || outcome.status === "beside-in-the-way";
    // What had come before is not asked for again, whatever the user answers.
    if (!isAsking && (outcome.status !== "failed" || !outcome.partial)) giveUp();
    // What can't be kept is not offered again.
    if (outcome.status === "done") noteLastChoice(app.storage, outcome.order).catch(() => undefined);
    show(outcome);
  }

  /** `kept`: what had come before, if that is to be written. */
  async function run(
    order: ImportOrder,
    destination: Destination,
    { controller: { signal }, gate, tell }: Running,
    kept?: ReadImport,
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
    const doors = { workbook: app.workbook, session };
    const outcome = await placeInParts(order, async (part) => {
      const placed = await placeNoted(app.unfinished, part, destination, doors, options, kept);
      // What a part needs is over; the next one keeps what is its own.
      if (placed.status === "done") hold?.release();
      return placed;
    });
    if (outcome.status === "done") return { ...outcome, order };
    const { failure, read, placed, order: part } = outcome;
    const partial = read && { order: { ...part, parts: 1 }, destination, read };
    return { status: "failed", failure, partial, placed, order };
  }

  const insertAt = (order: ImportOrder, findTarget: () => Promise<SoleTarget>) =>
    void start(async (running) => {
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
    // A list in a table of its own stays there.
    const beside = { ...list, way, block, notTable: isInOneTable ? null : notTable };
    const mayOverwrite = { rows: contents.rows, columns: contents.columns };
    const place = { list: list.list, header: list.header, way, block };
    return run({ ...order, beside }, { kind: "beside", ...place, mayOverwrite, contents }, running);
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    insertOnNewSheet: (order) =>
      void start((running) => run(order, { kind: "new-sheet", name: order.sheetName }, running)),
    insertAtSelectedCell: (order) =>
      insertAt(order, async () => ({
        kind: "cell",
        mayOverwrite,
        ...(await app.workbook.selectedPosition()),
      })),
    insertBeside: (order) =>
      void start(async (running) => {
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
      void start((running) => run(order, given, running));
    },
    chooseWay(offer) {
      if (state.status !== "beside-in-the-way") return;
      const { order, place } = state;
      void start((running) => runBeside(order, { offer, notTable: place.notTable }, running));
    },
    keepPartial() {
      if (state.status !== "failed" || !state.partial) return;
      const { order, destination, read } = state.partial;
      const isWhole = read.report.notRead.length === 0;
      // A part is no replacement for a whole table.
      const isApart = destination.kind === "new-sheet" || destination.kind === "in-place";
      const sheet: Destination = { kind: "new-sheet", name: partialName(order.sheetName) };
      void start((running) =>
        isWhole || !isApart
          ? run(order, destination, running, read)
          : run({ ...order, replaces: undefined }, sheet, running, read),
      );
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
      running?.controller.abort();
      giveUp();
    },
  };
}

function createRunning(show: (state: ImportState) => void): Running {
  const watch = startWatch();
  let isPaused = false;
  let progress: ImportProgress | undefined;
  let waitingUntilMs: number | undefined;
  /** Where the phase began: what was there already says nothing of the pace. */
  let begun: Mark | undefined;
  return {
    controller: new AbortController(),
    gate: createGate(),
    watch,
    tell(change) {
      const now = { done: (change.progress ?? progress)?.done ?? 0, atMs: watch.ms() };
      if (change.progress && change.progress.phase !== progress?.phase) begun = now;
      if (change.progress) progress = change.progress;
      if ("waitingUntilMs" in change) waitingUntilMs = change.waitingUntilMs;
      isPaused = change.isPaused ?? isPaused;
      const leftMs = begun && progress ? timeLeftMs(begun, now, progress.total) : null;
      show({ status: "running", isPaused, progress, leftMs, waitingUntilMs });
    },
  };
}

const partialMark = " (partial)";

/** The mark must not be cut off; what gives way to it is the last part of the name. */
function partialName(name: string): string {
  const room = config.sheetNameCharacters - partialMark.length - " 99".length;
  const [, parts] = /^(.{4,}), /s.exec(name.slice(0, room + 1)) ?? [];
  return (name.length <= room ? name : (parts ?? name.slice(0, room).trim())) + partialMark;
}
