import { useEffect, useRef, useState } from "react";
import type { Session } from "../../../app";
import { asFailure, type Failure } from "../../../errors";
import type { MissingAhj, SavedFile } from "../../../workbook/imports/files/csv-file";
import type { ImportQuestion } from "../../../workbook/imports/run/import-types";

export type CsvState =
  | { status: "idle" }
  | { status: "saving"; waitingUntilMs?: number }
  /** The browser has been given the files; `missing` is null if the files do not show whose rows they hold. */
  | {
      status: "saved";
      files: (Omit<SavedFile, "pieces"> & { name: string; address: string })[];
      missing: MissingAhj[] | null;
    }
  | { status: "failed"; failure: Failure };

export interface CsvControl {
  state: CsvState;
  save(question: ImportQuestion, title: string): void;
  cancel(): void;
}

/** Lets the service export a CSV file and the browser save it. */
export function useCsv({ client }: Session): CsvControl {
  const [state, setState] = useState<CsvState>({ status: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  useEffect(
    () => () => {
      if (state.status === "saved") for (const { address } of state.files) URL.revokeObjectURL(address);
    },
    [state],
  );

  async function save(question: ImportQuestion, title: string) {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ status: "saving" });
    try {
      const { exportCsv } = await import("../../../workbook/imports/files/csv-file");
      const { files, missing } = await exportCsv(question, client, {
        signal: controller.signal,
        onWait: (waitingUntilMs) => setState({ status: "saving", waitingUntilMs }),
      });
      const saved = files.map(({ pieces, ...told }, index) => ({
        ...told,
        name: fileName(title, files.length > 1 ? ` ${index + 1}` : ""),
        address: URL.createObjectURL(new Blob(pieces, { type: "text/csv" })),
      }));
      for (const { name, address } of saved) {
        Object.assign(document.createElement("a"), { href: address, download: name }).click();
      }
      setState({ status: "saved", files: saved, missing });
    } catch (thrown) {
      setState({ status: "failed", failure: asFailure(thrown) });
    } finally {
      running.current = null;
    }
  }

  return {
    state,
    save: (question, title) => void save(question, title),
    cancel: () => running.current?.abort(),
  };
}

/** A file name that every file system accepts: the title, and the day. */
function fileName(title: string, ending: string): string {
  const safe = title.replace(/[\p{Cc}"*/:<>?\\|]+/gu, " ").trim();
  const today = new Date();
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return `${safe} ${day}${ending}.csv`;
}
