import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import type { MissingAhj, SavedFile } from "../../../workbook/imports/files/csv-file";
import type { ImportQuestion } from "../../../workbook/imports/run/import-types";
import type { Jobs } from "../../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../../jobs/slot";

/** The files that the browser has been given; `missing` is null if the files do not show whose rows they hold. */
export interface SavedCsv {
  files: (Omit<SavedFile, "pieces"> & { name: string; address: string })[];
  missing: MissingAhj[] | null;
}

export type CsvState = SlotState<ImportQuestion, SavedCsv>;

export interface CsvControl {
  state: CsvState;
  save(question: ImportQuestion, title: string): void;
  cancel(): void;
}

/** Lets the service export a CSV file and the browser save it. */
export function useCsv({ client }: Session, jobs: Jobs): CsvControl {
  const [slot] = useState(() => createSlot<ImportQuestion, SavedCsv>(jobs));
  const state = useStore(slot);
  useEffect(() => slot.giveUp, [slot]);
  useEffect(
    () => () => {
      if (state.status === "done") for (const { address } of state.result.files) URL.revokeObjectURL(address);
    },
    [state],
  );

  async function save({ signal, tell }: JobTools, question: ImportQuestion, title: string) {
    const { exportCsv } = await import("../../../workbook/imports/files/csv-file");
    const { files, missing } = await exportCsv(question, client, {
      signal,
      onWait: (waitingUntilMs) => tell({ waitingUntilMs }),
    });
    const saved = files.map(({ pieces, ...facts }, index) => ({
      ...facts,
      name: fileName(title, files.length > 1 ? ` ${index + 1}` : ""),
      address: URL.createObjectURL(new Blob(pieces, { type: "text/csv" })),
    }));
    for (const { name, address } of saved) {
      Object.assign(document.createElement("a"), { href: address, download: name }).click();
    }
    return { files: saved, missing };
  }

  return {
    state,
    save(question, title) {
      const job = { kind: "reads", title: "A CSV file is being prepared.", tab: "data" } as const;
      void slot.run(question, job, (tools) => save(tools, question, title));
    },
    cancel: slot.cancel,
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
