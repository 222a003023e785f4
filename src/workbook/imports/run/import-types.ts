/** An import in four steps: `ImportOrder` is asked, `ImportData` comes, `Placement` tells where it stands, `SavedImport` is remembered. */
import type { Client } from "../../../engine/api/client";
import type { Ahj, Collection, DataPointType } from "../../../engine/api/schemas";
import type { DocumentCache, Hold } from "../../../engine/cache/answer-cache";
import type { AnswerPart } from "../../../engine/cache/answer-part";
import type { RowHow } from "../../../engine/lookup/lists/read-code";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { OldAnswers } from "../../../engine/lookup/old-answers";
import type { RequestBudget } from "../../../engine/transport/request-budget";
import type { Failure, FailureKind } from "../../../errors";
import type { SavedFind } from "../../../find/find-schema";
import type { PartOfAnswer } from "../../sheet/layout/answer-parts";
import type { TableAnswers, TableForm, TablePlan, TableRow, TableSize } from "../../sheet/layout/table-plan";
import type { BesideTarget } from "../../sheet/lists/beside-plan";
import type { KeptImport } from "../saved/import-book";
import type { SavedImport } from "../saved/saved-import";

/** The question of an import: chosen types, or a saved collection, for the same jurisdictions. */
export type ImportQuestion = (
  | { kind: "matrix"; ahjs: readonly Ahj[]; types: readonly DataPointType[] }
  | { kind: "collection"; ahjs: readonly Ahj[]; collection: Collection }
) & {
  /** The find that gave the jurisdictions; a refresh runs it again. */
  find?: SavedFind | undefined;
};

/** The order for an import: its question, and the form of its table. */
export interface ImportOrder {
  question: ImportQuestion;
  form: TableForm;
  /** True if a separate sheet names the source of each value. */
  hasSources: boolean;
  sheetName: string;
  /** The list in the sheet beside which the import's columns go. */
  beside?: OrderedList | undefined;
  /** The import that this one replaces, and its table as the user was told of it; the rows include the header row. */
  replaces?: ({ kept: KeptImport; headers: string[] } & TableSize) | undefined;
}

/** A list as it stands in the sheet. */
export interface OrderedList extends BesideTarget {
  /** The AHJ of each row below the header of the list's table, present or to be made; null for a row without one. */
  ahjs: readonly (Ahj | null)[];
  /** How the entry of each row was understood; null for a row without an entry. It is needed if the form has a column for it. */
  hows?: readonly (RowHow | null)[] | undefined;
  /** See `SavedImport`. */
  decided?: SavedImport["decided"];
}

/** A list in the sheet, as the user has chosen it. */
export interface ListOrder extends OrderedList {
  /** Addresses of the list's blank cells. */
  blanks: readonly string[];
  /** True if the list is to become a table, unless it is in one. */
  wantsTable: boolean;
  /** The reason why it does not become a table, once it is known. */
  notTable?: string | null;
}

/** The answers of an import, and its report. */
export interface ImportData {
  answers: ImportAnswers;
  report: ImportReport;
}

/** The service's answers to an import's question, from which its table is made. */
export interface ImportAnswers extends TableAnswers<Ahj, DataPointType> {
  /** See `ReadAnswers`; undefined if the answers are not held in parts. */
  copy?: ((ahjId: number, typeId: number, into: AnswerPart) => boolean) | undefined;
}

/** The outcome of an import for everything that was asked: anything that is missing is named. */
export interface ImportReport {
  /** The number of AHJs in the table. */
  rows: number;
  /** The number of cells with a value. */
  values: number;
  /** AHJs that were asked for and are not in the table, because they are outside the subscription or no longer known. */
  leftOut: { ahj: Ahj; kind: FailureKind }[];
  /** AHJs that were asked for and are not in the table, because the import ended before all their answers had come. */
  notRead: Ahj[];
  /** Questions with no value for some AHJs of the table; their cells are blank. */
  withoutValue: { type: DataPointType; ahjs: Ahj[] }[];
  /** Types that the service does not know. */
  unknownTypes: { id: number; name: string }[];
  /** The number of values that the service counted but did not send, because its list changed while it was read. */
  missingValues: number;
  /** The values that are older than the user's preference, because the service could not be asked; null if there are none. */
  oldAnswers: OldAnswers | null;
}

/** Data with their table. */
export interface PlannedImport extends ImportData {
  table: TablePlan;
  /** The AHJ and type of each row of the table; null for a row without an AHJ. */
  rows: readonly (TableRow | null)[];
  /** Texts that the table shows only in part. */
  longTexts: LongText[];
}

/** A text that is longer than a cell can hold, so the sheet cuts it. */
export interface LongText {
  ahj: Ahj;
  type: DataPointType;
  part: PartOfAnswer;
  /** The whole text. */
  text: string;
}

/** The place of an import and its report. */
export interface Placement {
  /** The table's address; null if no answers came that a table could show. */
  address: string | null;
  sourcesAddress: string | null;
  report: ImportReport;
  longTexts: readonly LongText[];
  /** The addresses of cells whose note somebody else had written, so that it was left. */
  notesKept: string[];
  /** The reason why the workbook does not remember the import although its table is complete; null if it does. */
  notRemembered: Failure | null;
  /** The ids under which the workbook remembers the tables that were placed. */
  importIds: string[];
}

/**
 * The end of an import, which may have been placed in parts. The reports of a failed one name every jurisdiction that did not come as not
 * read.
 */
export type ImportEnd =
  | ({ status: "done" } & Placement)
  | {
      status: "failed";
      failure: Failure;
      /** The answers that had come, for a user who prefers an incomplete table; null if there are none. */
      data: ImportData | null;
      /** The part of the order that failed, with the parts after it, which were not asked. */
      left: { question: ImportQuestion; parts: number };
      /** The earlier parts, which are in the workbook; null if there are none. */
      placed: Placement | null;
    };

/** One service, as one key sees it. */
export interface ImportSession {
  credentials: { baseUrl: string };
  client: Client;
  lookup: Lookup;
  documents: DocumentCache;
  /** Aborted when the key is forgotten or replaced. */
  closed: AbortSignal;
}

export interface ImportProgress {
  phase: "fetching" | "writing";
  /** The number of cells that are done; for a collection, the number of its values. */
  done: number;
  total: number;
  /** The number of AHJs that are complete; undefined if that is not known. */
  ahjs?: { done: number; total: number } | undefined;
}

export interface RunOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Called when the request limit makes the import wait, with the time until which it waits. */
  onWait?: ((untilMs: number) => void) | undefined;
  /** Pays for the requests. Default: any number may be sent. */
  budget?: RequestBudget | undefined;
  /** True if the date of each value's last change is wanted. A matrix then takes more requests. */
  isDated?: boolean | undefined;
  /** Awaited before each further request. Requests under way are still answered. */
  gate?: (() => Promise<void>) | undefined;
  /** Keeps the answers in memory until it is released. */
  hold?: Hold | undefined;
  /** True asks the service nothing: AHJs whose answers are not all held are left out, as not read. Set for a matrix only. */
  keptOnly?: boolean | undefined;
}
