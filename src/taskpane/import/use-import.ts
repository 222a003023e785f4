import { useRef, useState } from "react";
import type { App, Session } from "../../app";
import { asFailure, type Failure } from "../../errors";
import type { ImportQuestion } from "../../imports/question";
import type { ImportReport } from "../../imports/report";
import { type ImportProgress, runImport } from "../../imports/run-import";
import type { TableSize } from "../../sheet/table-plan";
import type { Destination, Place } from "../../sheet/workbook";

export type ImportState =
  | { status: "idle" }
  | { status: "running"; progress: ImportProgress | undefined; waitingUntilMs: number | undefined }
  /** Cells stand where the table would go; the user decides. */
  | { status: "in-the-way"; place: Place }
  | { status: "done"; address: string; report: ImportReport }
  | { status: "failed"; failure: Failure };

export interface ImportControl {
  state: ImportState;
  insertOnNewSheet(question: ImportQuestion, sheetName: string): Promise<void>;
  /** Asks first where cells are in the way. */
  insertAtSelectedCell(question: ImportQuestion, size: TableSize): Promise<void>;
  overwrite(question: ImportQuestion, place: Place): Promise<void>;
  cancel(): void;
  dismiss(): void;
}

/** Runs one import at a time and tells how it goes. */
export function useImport(app: App, session: Session): ImportControl {
  const [state, setState] = useState<ImportState>({ status: "idle" });
  const stop = useRef<AbortController>(undefined);

  async function run(question: ImportQuestion, destination: Destination) {
    const controller = new AbortController();
    const { signal } = controller;
    stop.current = controller;
    let progress: ImportProgress | undefined;
    const show = (waitingUntilMs?: number) => setState({ status: "running", progress, waitingUntilMs });
    show();
    try {
      const { table, report } = await runImport(question, session, {
        signal,
        onWait: show,
        onProgress(next) {
          progress = next;
          show();
        },
      });
      const { address } = await app.workbook.writeTable(table, destination, {
        signal,
        onProgress(writtenRows) {
          progress = { phase: "writing", done: writtenRows, total: table.rows.length };
          show();
        },
      });
      setState({ status: "done", address, report });
    } catch (thrown) {
      setState({ status: "failed", failure: asFailure(thrown, "unexpected-answer") });
    }
  }

  return {
    state,
    insertOnNewSheet: (question, name) => run(question, { kind: "new-sheet", name }),
    async insertAtSelectedCell(question, size) {
      try {
        const place = await app.workbook.inspectSelectedCell(size);
        if (place.filled !== null) setState({ status: "in-the-way", place });
        else await run(question, { kind: "cell", overwrite: false, ...place });
      } catch (thrown) {
        setState({ status: "failed", failure: asFailure(thrown, "sheet-refused") });
      }
    },
    overwrite: (question, place) => run(question, { kind: "cell", overwrite: true, ...place }),
    cancel: () => stop.current?.abort(),
    dismiss: () => setState({ status: "idle" }),
  };
}
