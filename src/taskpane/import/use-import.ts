import { useEffect, useRef, useState } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { asFailure, type Failure } from "../../errors";
import type { ImportQuestion } from "../../imports/question";
import type { ImportReport } from "../../imports/report";
import { type ImportProgress, runImport } from "../../imports/run-import";
import type { TableSize } from "../../sheet/table-plan";
import type { Destination, Place } from "../../sheet/workbook";
import type { UnmatchedGeoid } from "./use-jurisdictions";

/** An import as it was when the user started it; what is chosen in the pane afterwards is for the next one. */
export interface ImportOrder {
  question: ImportQuestion;
  /** As estimated. */
  size: TableSize;
  sheetName: string;
  unmatched: readonly UnmatchedGeoid[];
}

export type ImportState =
  | { status: "idle" }
  | { status: "running"; progress?: ImportProgress | undefined; waitingUntilMs?: number | undefined }
  /** Cells stand where the table would go; the user decides. */
  | { status: "in-the-way"; order: ImportOrder; place: Place }
  /** `address` is null where nothing came that a table could show. */
  | { status: "done"; order: ImportOrder; address: string | null; report: ImportReport }
  | { status: "failed"; failure: Failure };

export interface ImportControl {
  state: ImportState;
  insertOnNewSheet(order: ImportOrder): void;
  /** Asks first where cells are in the way. */
  insertAtSelectedCell(order: ImportOrder): void;
  /** Goes on over the cells that the user was asked about. */
  overwrite(): void;
  cancel(): void;
  dismiss(): void;
}

/** Runs one import at a time and tells how it goes. It ends with the pane that started it. */
export function useImport(app: PaneApp, session: Session): ImportControl {
  const [state, setState] = useState<ImportState>({ status: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(work: (signal: AbortSignal) => Promise<ImportState>) {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ status: "running" });
    const outcome = await work(controller.signal).catch((thrown: unknown): ImportState => ({
      status: "failed",
      failure: asFailure(thrown, "unexpected-answer"),
    }));
    running.current = null;
    setState(outcome);
  }

  async function run(
    order: ImportOrder,
    destination: Destination,
    signal: AbortSignal,
  ): Promise<ImportState> {
    let progress: ImportProgress | undefined;
    const show = (waitingUntilMs?: number) => setState({ status: "running", progress, waitingUntilMs });
    const { table, report } = await runImport(order.question, session, {
      signal,
      onWait: show,
      onProgress(next) {
        progress = next;
        show();
      },
    });
    if (table.rows.length === 0) return { status: "done", order, address: null, report };
    const { address } = await app.workbook.writeTable(table, destination, {
      signal,
      onProgress(writtenRows) {
        progress = { phase: "writing", done: writtenRows, total: table.rows.length };
        show();
      },
    });
    return { status: "done", order, address, report };
  }

  return {
    state,
    insertOnNewSheet: (order) =>
      void start((signal) => run(order, { kind: "new-sheet", name: order.sheetName }, signal)),
    insertAtSelectedCell: (order) =>
      void start(async (signal) => {
        const place = await app.workbook.inspectSelectedCell(order.size);
        if (place.filled !== null) return { status: "in-the-way", order, place };
        return run(order, { kind: "cell", mayOverwrite: null, ...place }, signal);
      }),
    overwrite() {
      if (state.status !== "in-the-way") return;
      const { order, place } = state;
      void start((signal) => run(order, { kind: "cell", mayOverwrite: order.size, ...place }, signal));
    },
    cancel: () => running.current?.abort(),
    dismiss: () => setState({ status: "idle" }),
  };
}
