import type { Session } from "../../../app";
import { createStore } from "zustand/vanilla";
import { config } from "../../../config";
import type { Hold } from "../../../engine/cache/answer-cache";
import type { Failure } from "../../../errors";
import type {
  ImportData,
  ImportOrder,
  ImportProgress,
  ListOrder,
  Placement,
} from "../../../workbook/imports/run/import-types";
import { cutToWords } from "../../../workbook/imports/saved/import-name";
import type { PlaceOptions } from "../../../workbook/imports/run/place-import";
import type { TableSize } from "../../../workbook/sheet/layout/table-plan";
import type { BesideOffer, BesidePlace, ColumnCounts } from "../../../workbook/sheet/lists/beside-list";
import type { TargetPlace } from "../../../workbook/sheet/tables/target-place";
import type { Destination, TableTarget } from "../../../workbook/sheet/tables/write-table";
import type { UserStorage } from "../../../settings/connection";
import { createLastChoice, type LastChoice } from "../../../settings/choices/last-choice";
import { entryOf, mostEntries } from "../../../settings/choices/saved-territories";
import type { PaneApp } from "../../pane-app";
import type { Job, JobKind, Readable } from "../../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../../jobs/slot";
import { plural } from "../../ui/labels";
import type { Unmatched } from "../jurisdictions/jurisdiction-choice";

/** An import with the choices that the user had made when it was started. Later choices in the pane are for the next import. */
export interface InsertOrder extends ImportOrder {
  /** The estimated size of the table. */
  size: TableSize;
  /** The number of tables, each on a sheet of its own. There is more than one if memory can't hold the import at once. */
  parts: number;
  unmatched: readonly Unmatched[];
  beside?: ListOrder | undefined;
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

/** The end of a run: the table is inserted, or the user has to decide something, or it failed. */
export type ImportOutcome =
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

export type ImportState = { status: "idle" } | ({ status: "running" } & Job) | ImportOutcome;

export interface ImportControl extends Readable<ImportState> {
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

/** Runs one import at a time and tells its state. */
export function createImportControl(app: PaneApp, session: Session): ImportControl {
  const slot = createSlot<InsertOrder, ImportOutcome>(app.jobs);
  const shown = createStore<ImportState>(() => ({ status: "idle" }));
  slot.subscribe((state) => shown.setState(stateOf(state), true));
  /** True once the screen was left: nothing of the run is kept. */
  let isLeft = false;
  /** Keeps the last import's answers in memory until they are placed or given up. */
  let hold: Hold | undefined;
  const giveUp = () => {
    hold?.release();
    hold = undefined;
  };

  async function start(order: InsertOrder, work: (tools: JobTools) => Promise<ImportOutcome>) {
    const kind = kindOf(order);
    // A question that is asked stays in sight while other work runs.
    if (slot.isRunning() || app.jobs.isExcluded(kind)) return;
    hold ??= session.lookup.answers.hold();
    isLeft = false;
    await slot.run(order, { kind, title: "An import is running.", tab: "data" }, async (tools) => {
      let outcome: ImportOutcome | undefined;
      try {
        outcome = await work(tools);
        return outcome;
      } finally {
        // This comes before the outcome is shown, because whoever sees it may start the next import, which holds its own answers.
        if (isLeft || !needsAnswers(outcome)) giveUp();
        // If the choice can't be stored, it is only not offered again, so the failure is ignored.
        if (outcome?.status === "done") noteLastChoice(app.storage, outcome.order).catch(() => undefined);
      }
    });
  }

  /** `kept` is data that had arrived in an earlier run; if given, it is written instead of asking again. */
  async function run(
    order: InsertOrder,
    destination: Destination,
    { signal, gate, tell }: JobTools,
    kept?: ImportData,
  ): Promise<ImportOutcome> {
    const [{ placeImport }, { placeInParts }] = await Promise.all([
      import("../../../workbook/imports/run/place-import"),
      import("../../../workbook/imports/run/place-parts"),
    ]);
    const options: PlaceOptions = {
      signal,
      hold,
      gate,
      kept,
      onWait: (waitingUntilMs) => tell({ waitingUntilMs }),
      onProgress: (progress) => tell({ progress, step: progressWords(progress), waitingUntilMs: undefined }),
    };
    const dependencies = { workbook: app.workbook, session };
    // Data that are kept are one table. The workbook remembers it by the name of its sheet, which tells that it is a part.
    const named = destination.kind === "new-sheet" ? { sheetName: destination.name } : {};
    const whole = kept ? { ...order, ...named, parts: 1 } : order;
    const outcome = await placeInParts(whole, async (part) => {
      const placed = await app.unfinished.during((note) =>
        placeImport(part, destination, dependencies, { ...options, note }),
      );
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
    void start(order, async (tools) => {
      const target = await findTarget();
      const { inspectTarget } = await import("../../../workbook/sheet/tables/write-table");
      const place = await inspectTarget(app.workbook, target, order.size);
      if (place.filled !== null) return { status: "in-the-way", order, target, place };
      return run(order, { ...target, contents: place.contents }, tools);
    });
  const mayOverwrite = null;

  function runBeside(
    { beside: list, ...order }: BesideOrder,
    {
      offer: { way, block, contents, isInOneTable },
      notTable,
    }: { offer: BesideOffer; notTable: string | null },
    tools: JobTools,
  ): Promise<ImportOutcome> {
    // If the list and its new columns end up in one table, there is no reason to tell why not.
    const beside = { ...list, way, block, notTable: isInOneTable ? null : notTable };
    const mayOverwrite = { rows: contents.rows, columns: contents.columns };
    const place = { list: list.list, header: list.header, way, block };
    return run({ ...order, beside }, { kind: "beside", ...place, mayOverwrite, contents }, tools);
  }

  return {
    ...shown,
    insertOnNewSheet: (order) =>
      void start(order, (tools) => run(order, { kind: "new-sheet", name: order.sheetName }, tools)),
    insertAtSelectedCell: (order) =>
      insertAt(order, async () => ({
        kind: "cell",
        mayOverwrite,
        ...(await app.workbook.selectedPosition()),
      })),
    insertBeside: (order) =>
      void start(order, async (tools) => {
        const { inspectBeside } = await import("../../../workbook/sheet/lists/beside-list");
        const { beside, columns } = order;
        const place = await inspectBeside(app.workbook, beside, columns, beside.wantsTable);
        return place.others === null
          ? runBeside(order, { offer: place.right, notTable: place.notTable }, tools)
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
      const state = shown.getState();
      if (state.status !== "in-the-way") return;
      const { order, target, place } = state;
      const given = { ...target, mayOverwrite: order.size, contents: place.contents };
      void start(order, (tools) => run(order, given, tools));
    },
    chooseWay(offer) {
      const state = shown.getState();
      if (state.status !== "beside-in-the-way") return;
      const { order, place } = state;
      void start(order, (tools) => runBeside(order, { offer, notTable: place.notTable }, tools));
    },
    keepPartial() {
      const state = shown.getState();
      if (state.status !== "failed" || !state.partial) return;
      const { order, destination, data } = state.partial;
      const isWhole = data.report.notRead.length === 0;
      // A partial table never replaces a whole one; it goes to a sheet of its own.
      const isApart = destination.kind === "new-sheet" || destination.kind === "in-place";
      const sheet: Destination = { kind: "new-sheet", name: partialName(order.sheetName) };
      void start(order, (tools) =>
        isWhole || !isApart
          ? run(order, destination, tools, data)
          : run({ ...order, replaces: undefined }, sheet, tools, data),
      );
    },
    insertRest() {
      const rest = restOf(shown.getState());
      if (!rest) return;
      void start(rest, (tools) => run(rest, { kind: "new-sheet", name: rest.sheetName }, tools));
    },
    pause: slot.pause,
    goOn: slot.goOn,
    cancel: slot.cancel,
    dismiss() {
      giveUp();
      slot.dismiss();
    },
    end() {
      if (!slot.isRunning()) return giveUp();
      // A run that ends early looks for its answers once more and holds them, so they are given up after it has ended.
      isLeft = true;
      slot.cancel();
    },
  };
}

/** True while the user is asked, or may keep a part: the answers then stay in memory, so that they are not fetched again. */
function needsAnswers(outcome: ImportOutcome | undefined): boolean {
  if (!outcome || outcome.status === "done") return false;
  return outcome.status !== "failed" || outcome.partial !== null;
}

function stateOf(slot: SlotState<InsertOrder, ImportOutcome>): ImportState {
  switch (slot.status) {
    case "idle":
    case "asking":
      return { status: "idle" };
    case "running":
      return { status: "running", ...slot.job };
    case "done":
      return slot.result;
    case "failed":
      return { status: "failed", failure: slot.failure, partial: null, placed: null, order: null };
  }
}

function progressWords({ phase, done, total, ahjs }: ImportProgress): string {
  const verb = phase === "fetching" ? "Fetched" : "Written";
  const cells = `${done.toLocaleString()} of ${plural(total, "cell")}`;
  return ahjs
    ? `${verb} ${ahjs.done.toLocaleString()} of ${plural(ahjs.total, "jurisdiction")}, ${cells}.`
    : `${verb} ${cells}.`;
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

/** The sheet's name with the mark. A name that is too long loses its last words, because the mark must not be cut off. */
function partialName(name: string): string {
  return cutToWords(name, config.sheetNameCharacters - partialMark.length - " 99".length) + partialMark;
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
