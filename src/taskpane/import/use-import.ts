import { useEffect, useRef, useState } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { config } from "../../config";
import { asFailure, type Failure } from "../../errors";
import { createGate, type Gate } from "../../imports/gate";
import type { LongText } from "../../imports/long-texts";
import { firstRows, readSoFar } from "../../imports/partial";
import { createImportBook, type KeptImport } from "../../imports/import-book";
import { plannedBeside } from "../../imports/list-rows";
import type { ImportQuestion } from "../../imports/question";
import { rememberImport } from "../../imports/remember";
import type { ImportReport } from "../../imports/report";
import {
  type ImportProgress,
  type ImportResult,
  planned,
  type ReadImport,
  readImport,
} from "../../imports/run-import";
import { planSources, sourcesColumns } from "../../imports/sources";
import { type ValueCell, valueCells } from "../../imports/value-cells";
import { type Mark, startWatch, timeLeftMs, type Watch } from "../../imports/time-left";
import type { Ahj } from "../../api/schemas";
import type { BesideList } from "../../sheet/list-column";
import { type CellNote, noteText } from "../../sheet/notes";
import type { TableForm, TableSize } from "../../sheet/table-plan";
import type { Destination, Place, Target } from "../../sheet/workbook";
import type { UnmatchedGeoid } from "./use-jurisdictions";

/** An import as it was when the user started it; what is chosen in the pane afterwards is for the next one. */
export interface ImportOrder {
  question: ImportQuestion;
  form: TableForm;
  /** A sheet of its own tells where each value comes from. */
  hasSources: boolean;
  /** As estimated. */
  size: TableSize;
  sheetName: string;
  unmatched: readonly UnmatchedGeoid[];
  /** The list in the sheet beside which it goes. */
  beside?: ListOrder | undefined;
  /** The import whose place it takes, and its table, header row included, as the user was told of it. */
  replaces?: ({ kept: KeptImport; headers: string[] } & TableSize) | undefined;
}

/** A list as it stands in the sheet. */
export interface ListOrder extends BesideList {
  /** Of the rows below the header of the table that it is in, or will be; null where a row has none. */
  ahjs: readonly (Ahj | null)[];
  /** Addresses of its blank cells. */
  blanks: readonly string[];
}

/** What had come when an import ended early, for whoever would rather have that than nothing. */
export interface PartialImport {
  order: ImportOrder;
  destination: Destination;
  read: ReadImport;
}

/** Where an import went, and what became of everything asked. */
export interface WrittenImport {
  /** Null where nothing came that a table could show. */
  address: string | null;
  sourcesAddress: string | null;
  report: ImportReport;
  longTexts: readonly LongText[];
  /** Why the workbook does not remember the import, which stands in it all the same. */
  notRemembered: Failure | null;
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
  | { status: "in-the-way"; order: ImportOrder; target: Target; place: Place }
  | ({ status: "done"; order: ImportOrder } & WrittenImport)
  | { status: "failed"; failure: Failure; partial: PartialImport | null };

export interface ImportControl {
  state: ImportState;
  insertOnNewSheet(order: ImportOrder): void;
  /** Asks first where cells are in the way. */
  insertAtSelectedCell(order: ImportOrder): void;
  /** Asks first where cells are in the way. */
  insertBeside(order: ImportOrder & { beside: ListOrder }): void;
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
}

/** What a run can be told, and tells. */
interface Running {
  controller: AbortController;
  gate: Gate;
  watch: Watch;
  tell(change: { progress?: ImportProgress; waitingUntilMs?: number | undefined; isPaused?: boolean }): void;
}

/** Runs one import at a time and tells how it goes. It ends with the pane that started it. */
export function useImport(app: PaneApp, session: Session): ImportControl {
  const [state, setState] = useState<ImportState>({ status: "idle" });
  const running = useRef<Running | null>(null);
  useEffect(() => () => running.current?.controller.abort(), []);

  async function start(work: (run: Running) => Promise<ImportState>) {
    if (running.current) return;
    const run = createRunning(setState);
    running.current = run;
    run.tell({});
    const outcome = await work(run).catch((thrown: unknown): ImportState => ({
      status: "failed",
      failure: asFailure(thrown, "unexpected-answer"),
      partial: null,
    }));
    running.current = null;
    setState(outcome);
  }

  /** `kept`: what had come before, if that is to be written. */
  async function run(
    order: ImportOrder,
    destination: Destination,
    { controller: { signal }, gate, tell }: Running,
    kept?: ReadImport,
  ): Promise<ImportState> {
    const { question, form, hasSources, beside, replaces } = order;
    const pass = () => gate.pass(signal);
    let read = kept;
    let writtenRows = 0;
    try {
      read ??= await readImport(question, session, {
        signal,
        gate: pass,
        isDated: hasSources,
        onWait: (waitingUntilMs) => tell({ waitingUntilMs }),
        onProgress: (progress) => tell({ progress, waitingUntilMs: undefined }),
      });
      const result = beside
        ? plannedBeside(read, form, takenBy(beside))
        : await planned(read, form, session.lookup);
      const { table, report, longTexts } = result;
      const cells = () => valueCells(result.answers, table, result.rows);
      if (table.rows.length === 0 || read.answers.ahjs.length === 0) {
        const nothing = { address: null, sourcesAddress: null, notRemembered: null };
        return { status: "done", order, ...nothing, report, longTexts };
      }
      const { address, tableId, companionAddress } = await app.workbook.writeTable(table, destination, {
        signal,
        gate: pass,
        onProgress(rows) {
          writtenRows = rows;
          tell({ progress: writingProgress(rows, order, result), waitingUntilMs: undefined });
        },
        notes: notesOf(form.hasNotes ? cells() : [], replaces, form),
        companion: hasSources
          ? {
              sheetName: "Sources",
              plan: (cellsAddress) => planSources(cells(), cellsAddress),
            }
          : undefined,
      });
      const listHeader = beside?.header.text;
      const done = {
        ...result,
        question,
        form,
        name: order.sheetName,
        tableId,
        listHeader,
        replaces: replaces?.kept,
      };
      const notRemembered = await rememberImport(done, {
        book: createImportBook(app.workbook),
        service: session.credentials.baseUrl,
        documents: session.documents,
      }).then(
        () => null,
        // The table stands all the same.
        (thrown: unknown) => asFailure(thrown, "sheet-refused"),
      );
      const sourcesAddress = companionAddress ?? null;
      return { status: "done", order, address, sourcesAddress, report, longTexts, notRemembered };
    } catch (thrown) {
      const failure = asFailure(thrown, "unexpected-answer");
      // A key that is refused must not show what it gave before.
      const mayKeep = !["wrong-key", "no-rights"].includes(failure.kind) && !session.closed.aborted;
      const rest = mayKeep
        ? read
          ? beside
            ? read
            : firstRows(read, form.layout, writtenRows)
          : await readSoFar(question, session, hasSources)
        : null;
      return { status: "failed", failure, partial: rest && { order, destination, read: rest } };
    }
  }

  const insertAt = (order: ImportOrder, findTarget: () => Promise<Target>) =>
    void start(async (running) => {
      const target = await findTarget();
      const place = await app.workbook.inspect(target, order.size);
      if (place.filled !== null) return { status: "in-the-way", order, target, place };
      return run(order, target, running);
    });
  const mayOverwrite = null;

  return {
    state,
    insertOnNewSheet: (order) =>
      void start((running) => run(order, { kind: "new-sheet", name: order.sheetName }, running)),
    insertAtSelectedCell: (order) =>
      insertAt(order, async () => ({
        kind: "cell",
        mayOverwrite,
        ...(await app.workbook.selectedPosition()),
      })),
    insertBeside: (order) =>
      insertAt(order, () => Promise.resolve({ kind: "beside", mayOverwrite, ...order.beside })),
    replace({ replaces, ...order }) {
      const { kept, rows, headers } = replaces;
      const target: Target = { kind: "in-place", mayOverwrite, tableId: kept.saved.tableId, rows, headers };
      insertAt({ ...order, replaces }, () => Promise.resolve(target));
    },
    overwrite() {
      if (state.status !== "in-the-way") return;
      const { order, target } = state;
      void start((running) => run(order, { ...target, mayOverwrite: order.size }, running));
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
      running.current?.gate.close();
      running.current?.watch.stop();
      running.current?.tell({ isPaused: true });
    },
    goOn() {
      running.current?.gate.open();
      running.current?.watch.goOn();
      running.current?.tell({ isPaused: false });
    },
    cancel: () => running.current?.controller.abort(),
    dismiss: () => setState({ status: "idle" }),
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

/** In cells, those of the Sources sheet too. */
function writingProgress(
  writtenRows: number,
  { form, hasSources, beside }: ImportOrder,
  { table, report }: ImportResult,
): ImportProgress {
  const tableRows = table.rows.length;
  const ofTable = Math.min(writtenRows, tableRows);
  const cells = (rows: number, sourceRows: number) =>
    rows * table.columns.length + sourceRows * sourcesColumns;
  return {
    phase: "writing",
    done: cells(ofTable, writtenRows - ofTable),
    total: cells(tableRows, hasSources ? report.values : 0),
    ahjs: form.layout === "wide" && !beside ? { done: ofTable, total: tableRows } : undefined,
  };
}

/** The notes of an import; those of the one whose place it takes go. Undefined where neither has any. */
function notesOf(
  cells: readonly ValueCell[],
  replaces: ImportOrder["replaces"],
  { hasNotes }: TableForm,
): CellNote[] | undefined {
  const hadNotes = replaces?.kept.saved.form.hasNotes;
  if (!hasNotes && !hadNotes) return undefined;
  const notes = new Map<string, CellNote>();
  const note = (row: number, column: number, text: string | null) =>
    notes.set(`${row} ${column}`, { row, column, text });
  if (replaces && hadNotes) {
    for (let row = 0; row < replaces.rows - 1; row += 1) {
      for (let column = 0; column < replaces.columns; column += 1) note(row, column, null);
    }
  }
  for (const { row, column, answer } of cells) note(row, column, noteText(answer));
  return [...notes.values()];
}

function takenBy({ list, header, ahjs }: ListOrder) {
  return { ahjs, taken: list.table ? list.table.headers : [header.text] };
}

const partialMark = " (partial)";

/** The mark must not be cut off. */
function partialName(name: string): string {
  return name.slice(0, config.sheetNameCharacters - partialMark.length - " 99".length).trim() + partialMark;
}
