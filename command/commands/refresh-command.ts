import {
  type ChangeList,
  changeLines,
  changeLists,
  countValues,
  newsOf,
} from "../../src/workbook/imports/refresh/change-lists";
import { planChanges, reportedCells } from "../../src/workbook/imports/refresh/changes-sheet";
import { createSavedImportsControl } from "../../src/taskpane/refresh/saved-imports-control";
import type { FormattedCell } from "../../src/workbook/sheet/values/cell-value";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import type { RefreshReport } from "../../src/workbook/imports/refresh/plan-refresh";
import type { CellChange, SheetFile, WorkbookFile } from "../../xlsx/workbook-file";
import { uncheckedSentences } from "../../src/workbook/imports/refresh/unchecked";
import { addin } from "../addin";
import { CommandFailure, exitCodes } from "../command-failure";
import type { CommandIo } from "../command-io";
import { connect, type Connected, connectionHelp } from "../command-connection";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import { createProgress } from "../output/progress";
import { editBook, type EditChoices, type Edited, editHelp, editOptions } from "../workbook/edit-book";
import type { BookInNode } from "../workbook/excel-in-node";
import { sentenceOf } from "../failure-exit";
import type { Command } from "./command-shape";
import { forEachBook, mustBeNamed, writtenLines } from "./each-book";

const options = {
  ...commonOptions,
  ...serviceOptions,
  ...editOptions,
  "other-service": { type: "boolean" },
  "max-age": { type: "string" },
} as const;

/** One import's result, as `--json` prints it. */
interface RefreshedImport {
  name: string;
  /** A sentence; null if the import was refreshed. */
  failure: string | null;
  /** The rows of the pane's sheet of changes: texts by the names of its columns. */
  changes: Record<string, string>[];
  changed: number;
  entered: number;
  left: number;
  notRefreshed: number;
  /** The jurisdictions that could not be checked, in sentences. */
  unchecked: string[];
}

/** A result with the lists that its changes are from, and whether the workbook has anything new by it. */
type Refreshed = RefreshedImport & { lists: ChangeList[]; isWritten: boolean };

export const refresh: Command = {
  summary: "Ask again for what a workbook's imports hold, and write what changed.",
  help: `npm run regdata -- refresh BOOK.xlsx [BOOK.xlsx …]

Asks the service again for the imports of each workbook, writes the values that changed, and prints them with the citations
before and now. Nothing else in the file changes, and no cell that somebody has typed into. A file is written only if a value
changed, whole or not at all, with the old one kept beside it.
${editHelp}
  --other-service    Refresh imports that came from another service's address as well.
  --max-age MINUTES  Take kept answers that are no older than this. Default: 0, all that the workbooks hold is asked, each once.${connectionHelp}`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, values.output, "to refresh");
    const sinceMs = Date.now() - minutesOf(values["max-age"]) * 60_000;
    const connected = await connect(values, io);
    const blank = { written: null, backup: null, imports: [] };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const { result, ...edited } = await refreshBook(path, connected, { ...values, sinceMs }, io);
      const imports = result.map(({ isWritten: _, lists: __, ...refreshed }): RefreshedImport => refreshed);
      const hasFailed = imports.some(({ failure }) => failure !== null);
      const code = edited.written === null ? exitCodes.unchanged : exitCodes.changed;
      return {
        code: hasFailed ? exitCodes.service : code,
        json: { ...edited, imports },
        lines: linesOf(result, edited),
      };
    });
  },
};

function minutesOf(text = "0"): number {
  if (!/^\d{1,6}$/.test(text))
    throw new CommandFailure("usage", "--max-age takes minutes as a whole number, such as 60.");
  return Number(text);
}

interface RefreshOptions extends EditChoices {
  /** Answers that were fetched after this time are not asked for again. */
  sinceMs: number;
  "other-service"?: boolean | undefined;
  quiet?: boolean | undefined;
  json?: boolean | undefined;
}

/** Refreshes one workbook. Fails if the workbook could not be read or written; a failed import has its failure in the result. */
async function refreshBook(
  given: string,
  connected: Connected,
  options: RefreshOptions,
  io: CommandIo,
): Promise<Edited<Refreshed[]>> {
  const progress = createProgress(io, options.quiet === true || options.json === true);
  try {
    return await editBook(given, connected.app, options, io, async (book) => {
      const imports = await refreshImports(book, connected, options, io, (text, done, total) =>
        progress.show(`${printableLine(given, 40)}: ${text}`, done, total),
      );
      const hasChanged = imports.some(({ isWritten }) => isWritten);
      return { result: imports, changed: hasChanged ? book.contents() : null, finish: calculateOthers };
    });
  } finally {
    progress.end();
  }
}

/**
 * Marks formulas that may depend on changed cells, so that Excel calculates them when it opens the file; until then they show their old
 * results. If the file has formulas of ours, the others are marked one by one: if Excel calculated the whole workbook, it would call ours
 * as well, and a colleague without a key would lose the answers that they show. Excel still calls our formulas that depend on a marked
 * cell.
 */
function calculateOthers(file: WorkbookFile): void {
  const ours = new Map<SheetFile, Set<string>>();
  for (const { sheet, row, column } of file.customFunctions(addin.namespace))
    ours.set(sheet, (ours.get(sheet) ?? new Set()).add(`${row} ${column}`));
  for (const sheet of file.sheets) {
    if (!sheet.mayHaveFormulas) continue;
    const others: CellChange[] = [];
    for (const { row, column, formula } of sheet.cells())
      if (formula && !formula.calculatesOnOpening && !ours.get(sheet)?.has(`${row} ${column}`))
        others.push({ row, column, calculateOnOpening: true });
    if (others.length === 0) continue;
    if (ours.size === 0) return file.calculateOnOpening();
    sheet.setCells(others);
  }
}

/** Does what the pane's "Refresh all imports" does, by the same code. */
async function refreshImports(
  { app }: BookInNode,
  { session }: Connected,
  { "other-service": mayDiffer = false, sinceMs }: RefreshOptions,
  { signal }: CommandIo,
  onProgress: (text: string, done: number, total: number) => void,
): Promise<Refreshed[]> {
  const control = createSavedImportsControl(app, session, { sinceMs });
  const tables = createImportTables(app.workbook);
  const rested = () =>
    new Promise<void>((resolve) => {
      const look = () => {
        const { isRefreshing, refreshes } = control.getState();
        for (const refresh of refreshes.values())
          if (refresh.status === "running" && refresh.job.progress) {
            const { phase, done, total } = refresh.job.progress;
            onProgress(phase === "writing" ? "writing" : "asking the service", done, total);
          }
        if (isRefreshing) return;
        forget();
        resolve();
      };
      const forget = control.subscribe(look);
    });
  signal.addEventListener("abort", control.cancel, { once: true });
  try {
    let resting = rested();
    control.refreshPresent();
    await resting;
    if (mayDiffer && control.getState().otherService.length > 0) {
      resting = rested();
      control.refreshOthers();
      await resting;
    }
    const { list, refreshes, failure, otherService } = control.getState();
    if (failure) throw failure;
    const results: Refreshed[] = [];
    for (const { saved } of list?.imports ?? []) {
      const refreshed = refreshes.get(saved.id);
      const isOther = otherService.some((kept) => kept.saved.id === saved.id);
      if (refreshed?.status === "done") {
        const addresses = await tables.addresses(
          saved.tableId,
          refreshed.report.read,
          reportedCells(refreshed.report),
        );
        results.push(refreshedImport(saved.name, refreshed.report, addresses));
      } else {
        const sentence = isOther
          ? `It came from another service, ${saved.service}. Refresh it with --other-service.`
          : refreshed?.status === "failed"
            ? sentenceOf(refreshed.failure)
            : "Its table is no longer in the workbook.";
        results.push({ ...nothing, name: saved.name, failure: sentence });
      }
    }
    return results;
  } finally {
    signal.removeEventListener("abort", control.cancel);
  }
}

const nothing = {
  ...{ changes: [], changed: 0, entered: 0, left: 0, notRefreshed: 0, unchecked: [] },
  ...{ lists: [], isWritten: false },
};

function refreshedImport(
  name: string,
  report: RefreshReport,
  addresses: readonly (string | undefined)[],
): Refreshed {
  const { columns, rows } = planChanges(report, addresses);
  return {
    name,
    failure: null,
    lists: changeLines(report).map(({ list }) => list),
    changes: rows.map((cells) =>
      Object.fromEntries(columns.map(({ header }, index) => [header, textOf(cells[index])])),
    ),
    changed: countValues(report),
    entered: report.entered.length,
    left: report.left.length,
    notRefreshed: report.notRefreshed.length,
    unchecked: uncheckedSentences(report),
    // Cells that were left as they are, and jurisdictions that could not be checked, are told but change nothing.
    isWritten: newsOf(report).length > 0 || report.replaced.length + report.newRows > 0,
  };
}

/** The text that a cell of the sheet of changes shows. Its leading apostrophe is cut off, because Excel reads it as a text mark. */
function textOf(cell: FormattedCell | undefined): string {
  const text = String(cell?.value ?? "");
  return cell?.numberFormat === "General" && text.startsWith("'") ? text.slice(1) : text;
}

function linesOf(
  imports: readonly Refreshed[],
  edited: Pick<Edited<unknown>, "written" | "backup">,
): string[] {
  if (imports.length === 0) return ["No imports in this workbook.", ...writtenLines(edited)];
  const lines: string[] = [];
  for (const { name, failure, changes, lists, changed, unchecked } of imports) {
    const summary = failure === null ? `${counted(changed, "value")} changed` : printableLine(failure, 400);
    lines.push(`${printableLine(name)}: ${summary}`);
    for (const sentence of unchecked) lines.push(`  ${sentence}`);
    for (const [at, list] of lists.entries())
      if (!changeLists[list].isSummedUp) lines.push(`  ${changeLine(list, changes[at] ?? {})}`);
  }
  if (edited.written === null) lines.push("Nothing changed; the file is as it was.");
  return [...lines, ...writtenLines(edited)];
}

/** `Fees!D7  Harris County, TX · Permit fee: $300 (City Code § 12) → $325 (Ord. 2026-14)` */
function changeLine(list: ChangeList, change: Record<string, string>): string {
  const cited = (value = "", reference = "", section = "") => {
    const citation = [reference, section].filter((each) => each !== "").join(" ");
    return `${value === "" ? "no value" : value}${citation === "" ? "" : ` (${citation})`}`;
  };
  const { Cell, Jurisdiction, Question, What, Before, Now } = change;
  const subject = Question ? `${Jurisdiction} · ${Question}` : `${Jurisdiction}`;
  const before = cited(Before, change["Reference before"], change["Section before"]);
  const now = cited(Now, change["Reference now"], change["Section now"]);
  const line = {
    answers: `${subject}: ${before} → ${now}`,
    names: `${What}: ${Before} → ${Now}`,
    none: `${subject}: ${What}`,
  }[changeLists[list].texts];
  return printableLine(`${Cell ? `${Cell}  ` : ""}${line}`, 400);
}
