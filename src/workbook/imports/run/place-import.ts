import { finishInTurns } from "../../../async/in-turns";
import { certaintyWords } from "../../../engine/lookup/lists/how-words";
import { asFailure, type Failure } from "../../../errors";
import { savedFindWords } from "../../../find/find-words";
import { SheetFailure } from "../../../sheet-failure";
import { choiceOf, headersTaken, isInOneTable } from "../../sheet/lists/beside-plan";
import { noteText } from "../../sheet/layout/note-text";
import type { PlacedNote } from "../../sheet/tables/notes";
import { type ColumnsBeside, planTableColumns, type TableForm } from "../../sheet/layout/table-plan";
import { type Destination, writeTable, type WrittenTable } from "../../sheet/tables/write-table";
import type { Workbook } from "../../sheet/workbook";
import { notingTables } from "../../work-note/noted-tables";
import type { Note } from "../../work-note/unfinished-book";
import { createImportBook } from "../saved/import-book";
import { longTexts } from "./long-texts";
import { needsDates } from "./run-matrix";
import { rememberImport } from "../saved/remember";
import { firstRows, planned, readImport, readSoFar } from "./run-import";
import { planSources, sourcesColumns } from "../sources/sources-sheet";
import { type ValueCell, valueCells } from "./value-cells";
import type {
  ImportData,
  ImportEnd,
  ImportOrder,
  ImportProgress,
  ImportSession,
  OrderedList,
  PlannedImport,
  RunOptions,
} from "./import-types";

export interface PlaceOptions extends Pick<RunOptions, "signal" | "gate" | "hold" | "onWait" | "onProgress"> {
  /** Answers that had come before. They are written, and nothing is asked. */
  kept?: ImportData | undefined;
  /** The workbook's note of this import. It ends with the import. */
  note?: Note | undefined;
}

/**
 * Fetches the answers to an order, writes them to their place, and has the workbook remember the import. If it fails, the sheet is as it
 * was. `write` writes the tables. The gate is awaited before writing, too.
 */
export async function placeImport(
  order: ImportOrder,
  destination: Destination,
  {
    workbook,
    session,
    write = writeTable,
  }: { workbook: Workbook; session: ImportSession; write?: typeof writeTable | undefined },
  options: PlaceOptions,
): Promise<ImportEnd> {
  const { question, form, hasSources, beside, replaces } = order;
  const { signal, gate, note, onProgress } = options;
  const { answers } = session.lookup;
  const hold = options.hold ?? answers.hold();
  const readingGate = async () => {
    await gate?.();
    if (answers.isFull()) throw new SheetFailure("memory-full");
  };
  let data = options.kept;
  let writtenRows = 0;
  try {
    await workbook.learnDates();
    const reading = { ...options, gate: readingGate, hold, isDated: needsDates(form, hasSources) };
    data ??= await readImport(question, session, reading);
    const result = beside
      ? plannedBeside(data, form, aroundColumns(beside))
      : await planned(data, form, session.lookup);
    const { table, report, longTexts } = result;
    const cells = () => finishInTurns(valueCells(result.answers, table, result.rows));
    if (table.rows.length === 0 || data.answers.ahjs.length === 0) {
      const nothing = {
        address: null,
        sourcesAddress: null,
        notesKept: [],
        notRemembered: null,
        importIds: [],
      };
      return { status: "done", ...nothing, report, longTexts };
    }
    const importId = replaces?.kept.saved.id ?? crypto.randomUUID();
    let notRemembered: Failure | null = null;
    const remember = ({ tableId }: WrittenTable, within: Workbook) =>
      rememberImport(
        order,
        result,
        { tableId, importId },
        {
          book: createImportBook(within),
          service: session.credentials.baseUrl,
          documents: session.documents,
        },
      ).catch((thrown: unknown) => {
        // The table is complete even if the workbook can't remember it.
        notRemembered = asFailure(thrown);
      });
    const { address, companionAddress, notesKept } = await write(workbook, table, destination, {
      signal,
      gate,
      // Without a note, the same requests are sent, so that whatever people do meanwhile is met in the same way.
      onWriting: note
        ? notingTables(note, { importId, name: order.sheetName, destination: destination.kind })
        : () => Promise.resolve(),
      onWritten: remember,
      onProgress(rows) {
        writtenRows = rows;
        onProgress?.(writingProgress(rows, order, result));
      },
      heading: question.find && savedFindWords(question.find),
      notes: notesOf(form.hasNotes ? await cells() : [], replaces, form),
      companion: hasSources
        ? {
            sheetName: "Sources",
            plan: async (address) => finishInTurns(planSources([{ cells: await cells(), address }])),
          }
        : undefined,
    });
    const sourcesAddress = companionAddress ?? null;
    const importIds = notRemembered ? [] : [importId];
    return {
      status: "done",
      address,
      sourcesAddress,
      report,
      longTexts,
      notesKept,
      notRemembered,
      importIds,
    };
  } catch (thrown) {
    const failure = asFailure(thrown);
    note?.failed(failure);
    // Answers that came before a key was refused must not be shown to it.
    const mayKeep = !["wrong-key", "no-rights"].includes(failure.kind) && !session.closed.aborted;
    const rest = mayKeep
      ? data
        ? beside
          ? data
          : firstRows(data, form.layout, writtenRows)
        : await readSoFar(question, session, { isDated: needsDates(form, hasSources), hold })
      : null;
    const left = { question, parts: 1 };
    return { status: "failed", failure, data: rest, left, placed: null };
  } finally {
    if (!options.hold) hold.release();
  }
}

/** The progress in cells, including those of the Sources sheet. */
function writingProgress(
  writtenRows: number,
  { form, hasSources, beside }: ImportOrder,
  { table, report }: PlannedImport,
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

/**
 * The notes to write, and to remove from the columns of answers of an import that is replaced: it has written notes nowhere else, so all
 * others are the user's own. Undefined if neither import has notes.
 */
function notesOf(
  cells: readonly ValueCell[],
  replaces: ImportOrder["replaces"],
  { hasNotes }: TableForm,
): PlacedNote[] | undefined {
  const saved = replaces?.kept.saved;
  if (!hasNotes && !saved?.form.hasNotes) return undefined;
  const notes = new Map<string, PlacedNote>();
  const note = (given: PlacedNote) => notes.set(`${given.row} ${given.column}`, given);
  const answers = (saved?.form.hasNotes ? saved.columns : []).filter(
    ({ content }) => content.of === "answer",
  );
  const headers = new Set(answers.map(({ header }) => header));
  const noted = new Set(
    [...(replaces?.headers ?? []).entries()].flatMap(([at, header]) => (headers.has(header) ? [at] : [])),
  );
  for (let row = 0; row < (replaces?.rows ?? 0) - 1; row += 1)
    for (const column of noted) note({ row, column, text: null, isGivenUp: true });
  for (const { row, column, answer } of cells)
    note({ row, column, text: noteText(answer), ...(noted.has(column) && { isGivenUp: true }) });
  return [...notes.values()];
}

function aroundColumns({ ahjs, hows, decided: _, ...beside }: OrderedList) {
  const choice = choiceOf(beside);
  return { ahjs, hows, taken: headersTaken(choice), isApart: !isInOneTable(choice) };
}

/** The import with the columns that go beside a list. */
export function plannedBeside(
  read: ImportData,
  form: TableForm,
  {
    ahjs,
    hows = [],
    ...others
  }: Pick<ColumnsBeside, "taken" | "isApart"> & Pick<OrderedList, "ahjs" | "hows">,
): PlannedImport {
  const certainty = hows.map((how, row) => (how ? certaintyWords(how, ahjs[row] ?? null) : undefined));
  return {
    ...read,
    table: planTableColumns(read.answers, { form, rows: ahjs, certainty, ...others }),
    longTexts: longTexts(read.answers, form),
    rows: ahjs.map((ahj) => ahj && { ahj, type: null }),
  };
}
