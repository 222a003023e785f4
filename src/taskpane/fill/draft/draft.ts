import type { Ahj, Collection, DataPointType } from "../../../engine/api/schemas";
import { keyOf } from "../../../engine/lookup/lists/list-entries";
import type { SavedFind } from "../../../find/find-schema";
import { ahjsOfRows, type ListedAhj, type ListRows } from "../../../workbook/imports/run/list-rows";
import type { ImportOrder, ImportQuestion, ListOrder } from "../../../workbook/imports/run/import-types";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import { importName } from "../../../workbook/imports/saved/import-name";
import { cellAddress } from "../../../workbook/sheet/layout/cell-address";
import { type OwnColumn, plainForm, type TableForm } from "../../../workbook/sheet/layout/table-plan";
import {
  besideArea,
  type BesideList,
  type ListColumn,
  rowsAbove,
} from "../../../workbook/sheet/lists/list-column";
import {
  type ChoiceAction,
  choiceAfter,
  type JurisdictionChoice,
  nothingChosen,
  type Unmatched,
} from "../jurisdictions/jurisdiction-choice";
import {
  afterChoice,
  afterFind,
  type AskedQuestions,
  nothingAsked,
  type Questions,
  withWanted,
} from "./asked-questions";
import { emptyFind, type FindAction, findAfter, type FindDraft } from "../find/find-draft";
import type { ImportForm } from "./import-form";

/** The place of a table of its own: a new sheet, the selected cell, or that of an import which it replaces. */
export type NewPlace = "sheet" | "cell" | KeptImport;

/** The result of a find, as it becomes the jurisdictions of an import. */
export interface FoundChoice {
  ahjs: readonly Ahj[];
  /** Undefined if the jurisdictions are a plain list from now on. */
  find: SavedFind | undefined;
  /** The find's conditions in a line. */
  words: string;
  /** The questions of the find's conditions. */
  types: readonly DataPointType[];
}

/** A list in the sheet, with what each of its rows says. */
export interface ReadList {
  column: ListColumn;
  rows: ListRows;
}

/** A list in the sheet whose entries have been looked up. */
export interface ListInSheet extends ReadList {
  /** The AHJ of each row; null if it has none, or the user has yet to say which one its name means. */
  ahjs: readonly (ListedAhj | null)[];
}

/** A list that stands in an Excel table. */
export type ListInTable = ListInSheet & { column: { table: NonNullable<ListColumn["table"]> } };

/** A column of the list's table that gets the answers to a question. */
export interface FilledColumn {
  header: string;
  type: DataPointType;
}

/** The choices of a user for an import: where, what and how. */
export interface Draft {
  /** True if the answers go beside a list in the sheet, false if they become a table of their own. */
  isBeside: boolean;
  /** The jurisdictions of a table of its own. */
  where: JurisdictionChoice;
  /** The conditions by which jurisdictions are looked for. */
  find: FindDraft;
  /** The last find that was used; null if none was, or if the jurisdictions are to be a plain list. */
  found: FoundChoice | null;
  /** The list in the sheet; null until it has been read. */
  list: ReadList | null;
  /** The jurisdictions that the entries of the list stand for. */
  listed: JurisdictionChoice;
  /** The columns of the list's own table that are to be filled. */
  into: readonly FilledColumn[];
  questions: AskedQuestions;
  /** Null while the user's defaults hold. */
  form: ImportForm | null;
  place: NewPlace;
  /** The name that the user has entered; "" for the one that the choices give. */
  name: string;
}

export type DraftAction =
  | { type: "where" | "listed"; action: ChoiceAction }
  | { type: "find"; action: FindAction }
  | { type: "put"; isBeside: boolean }
  /** A list in the sheet has been read, or is read anew (null). */
  | { type: "list"; list: ReadList | null }
  | { type: "use-found"; found: FoundChoice }
  /** Turns the jurisdictions of a find into a plain list. */
  | { type: "forget-find" }
  | { type: "into"; into: readonly FilledColumn[] }
  | { type: "ask"; questions: Questions }
  /** Another screen wants these jurisdictions and questions in addition. */
  | { type: "want"; ahjs: readonly Ahj[]; types: readonly DataPointType[] }
  /** An import is to be inserted again: its name and questions take the place of the choices. Its jurisdictions are looked up. */
  | { type: "again"; name: string; types: readonly DataPointType[] }
  | { type: "form"; form: ImportForm }
  | { type: "place"; place: NewPlace }
  | { type: "name"; name: string }
  /** The choices were applied: the next ones begin anew. */
  | { type: "reset" };

export const emptyDraft: Draft = {
  isBeside: false,
  where: nothingChosen,
  find: emptyFind,
  found: null,
  list: null,
  listed: nothingChosen,
  into: [],
  questions: nothingAsked,
  form: null,
  place: "sheet",
  name: "",
};

/** The draft after an action. */
export function draftAfter(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case "where":
    case "listed":
      return { ...draft, [action.type]: choiceAfter(draft[action.type], action.action) };
    case "find":
      return { ...draft, find: findAfter(draft.find, action.action) };
    case "put":
      return { ...draft, isBeside: action.isBeside };
    case "list":
      return { ...draft, list: action.list, into: [] };
    case "into":
      return { ...draft, into: action.into };
    case "use-found": {
      const { found } = action;
      const where = choiceAfter(nothingChosen, { type: "add", ahjs: found.ahjs });
      return { ...draft, where, found, questions: afterFind(draft.questions, found.types) };
    }
    case "forget-find":
      return { ...draft, found: null };
    case "ask":
      return { ...draft, questions: afterChoice(draft.questions, action.questions) };
    case "want": {
      const { ahjs, types } = action;
      const more = ahjs.length > 0 ? { where: choiceAfter(draft.where, { type: "add", ahjs }) } : {};
      return {
        ...draft,
        ...(ahjs.length > 0 && { ...more, isBeside: false }),
        ...(types.length > 0 && { questions: withWanted(draft.questions, types) }),
      };
    }
    case "again": {
      const { name, types } = action;
      const questions = withWanted(nothingAsked, types);
      return { ...draft, isBeside: false, where: nothingChosen, found: null, questions, name };
    }
    case "form":
      return { ...draft, form: action.form };
    case "place":
      return { ...draft, place: action.place };
    case "name":
      return { ...draft, name: action.name };
    case "reset":
      return emptyDraft;
  }
}

/** Each AHJ of the list once, in the list's order. */
export function ahjsOfList(list: ListInSheet | null): Ahj[] {
  const ahjs = (list?.ahjs ?? []).flatMap((listed) => listed?.ahj ?? []);
  return [...new Map(ahjs.map((ahj) => [ahj.id, ahj])).values()];
}

/** The list as an import goes beside it: the AHJ of each of its rows, and how the row's entry was understood. */
export function orderOfList({ column, rows, ahjs }: ListInSheet, wantsTable: boolean): ListOrder {
  const beside: BesideList = { list: column, header: rows.header };
  const above = rowsAbove(beside);
  // The import has a row for each row of the list's table, which may begin above the list and end below it.
  const all = Array.from({ length: besideArea(beside, 1).rows - 1 }, (_, row) => ahjs[row - above] ?? null);
  // An entry that is the header has no row, unless a cell is inserted for the header.
  const first = column.values.length - rows.entries.length + (rows.header.from === "inserted" ? 1 : 0);
  return {
    ...beside,
    wantsTable,
    ahjs: all.map((listed) => listed?.ahj ?? null),
    hows: all.map((listed, row) => listed?.how ?? (rows.entries[row - above] ? "not-matched" : null)),
    decided: decidedOf(rows, ahjs),
    blanks: rows.blanks.map((row) => cellAddress(column.address, first + row, 0)),
  };
}

/** The names about which there was a doubt, each once, with the AHJ that it means by the user's decision. */
function decidedOf({ entries }: ListRows, ahjs: ListInSheet["ahjs"]): ListOrder["decided"] {
  const decided = new Map<string, number>();
  for (const [row, entry] of entries.entries()) {
    const listed = ahjs[row];
    const key = entry && keyOf(entry.meaning);
    const isDecided = listed?.how === "name-chosen" || listed?.how === "name-guessed";
    if (listed && key && isDecided) decided.set(key, listed.ahj.id);
  }
  return [...decided].map(([key, ahjId]) => ({ key, ahjId }));
}

/** An import as it is chosen so far, with what is missing and what comes of the choices. */
export interface DraftedImport {
  /** Null while a choice is missing; `missing` names it. */
  order: (ImportOrder & { beside?: ListOrder | undefined }) | null;
  /** A sentence that names the missing choice; "" if none is missing. */
  missing: string;
  /** The types of the question, those of a collection and of `into` included. */
  types: readonly DataPointType[];
  /** The columns of the list's own table that are filled. The other types get new columns. */
  into: readonly OwnColumn[];
  form: TableForm;
  /** The name that the choices give. */
  defaultName: string;
  /** The list beside which the import goes; null for a table of its own, and until the list has been read. */
  list: ListInSheet | null;
  /** The same, as it is ordered. */
  beside: ListOrder | null;
  /** The find that the jurisdictions come from. Undefined if they come from none, or if the user has changed them since. */
  find: FoundChoice | undefined;
  /** True if they came from a find and the user has changed them since. */
  isFindChanged: boolean;
  /** Entries of lists that give no jurisdiction. */
  unmatched: readonly Unmatched[];
}

/**
 * Creates a function that says which import a draft asks for. Its `defaults` are the form as long as the user has chosen none, and `taken` the
 * workbook's imports, whose names no other one gets by itself. Parts that no action has changed are the same objects as in its last result, so that views of them do not change.
 */
export function createImportSelector(): (
  draft: Draft,
  defaults: ImportForm,
  taken?: readonly KeptImport[],
) => DraftedImport {
  const inSheet = rememberLast(listInSheet);
  const ofList = rememberLast(ahjsOfList);
  const besideList = rememberLast(orderOfList);
  const question = rememberLast(questionOf);
  const besideQuestion = rememberLast(questionBeside);
  const tableForm = rememberLast(tableFormOf);
  const isAsFound = rememberLast(isSameChoice);
  const allTypes = rememberLast(typesOf);
  const ownColumns = rememberLast(columnsOf);
  return (draft, defaults, taken = []) => {
    const { isBeside, where, listed, questions, name } = draft;
    const { collection } = questions;
    const chosen = draft.form ?? defaults;
    const list = isBeside ? inSheet(draft.list, listed.found, listed.leftOut) : null;
    const into = ownColumns(list?.column.table ? draft.into : nothingFilled);
    const types = into.length > 0 ? allTypes(draft.into, questions.types) : questions.types;
    const isFilling = into.length > 0;
    const form = isFilling ? plainForm : tableForm(chosen, isBeside, hasUnmatched(list));
    const ahjs = isBeside ? ofList(list) : where.chosen;
    const found = draft.found?.find ? draft.found : undefined;
    const find = found && isAsFound(found, where.chosen) ? found : undefined;
    const isAsking = isBeside && listed.questions.length > 0;
    // A collection beside a list is asked as its questions, because each of them gets a column.
    const asked = isAsking
      ? null
      : isBeside
        ? besideQuestion(ahjs, types)
        : question(ahjs, types, collection, find?.find);
    const names = taken.map(({ saved }) => saved.name);
    const defaultName = asked ? importName({ ahjs, types, collection }, names) : "";
    const beside = list && besideList(list, chosen.makesTable);
    return {
      order: asked && {
        question: asked,
        form,
        hasSources: !isFilling && chosen.citations === "sheet",
        sheetName: name.trim() === "" ? defaultName : name.trim(),
        ...(beside && { beside }),
      },
      missing:
        list && isAsking
          ? "Choose which places your list means, above."
          : isBeside
            ? missingBeside(list)
            : missingWords(ahjs.length > 0, types.length > 0),
      ...{ types, into, form, defaultName, list, beside, find },
      isFindChanged: found !== undefined && !find && where.chosen.length > 0,
      unmatched: (isBeside ? listed : where).unmatched,
    };
  };
}

/** The list with the AHJ of each of its rows, without the corrections that the user has left out; null until it has been read. */
function listInSheet(
  list: ReadList | null,
  found: JurisdictionChoice["found"],
  leftOut: JurisdictionChoice["leftOut"],
): ListInSheet | null {
  const taken = found.filter(({ how }) => !leftOut.has(how));
  return list && { ...list, ahjs: ahjsOfRows(list.rows, taken) };
}

const nothingFilled: readonly FilledColumn[] = [];

const columnsOf = (into: readonly FilledColumn[]): OwnColumn[] =>
  into.map(({ header, type }) => ({ header, typeId: type.id }));

/** Each type once. */
function typesOf(into: readonly FilledColumn[], types: readonly DataPointType[]): DataPointType[] {
  const all = [...into.map(({ type }) => type), ...types];
  return [...new Map(all.map((type) => [type.id, type])).values()];
}

/** True if the chosen jurisdictions are those of the find. */
function isSameChoice(found: FoundChoice, chosen: readonly Ahj[]): boolean {
  const ids = new Set(found.ahjs.map(({ id }) => id));
  return ids.size === chosen.length && chosen.every(({ id }) => ids.has(id));
}

function questionOf(
  ahjs: readonly Ahj[],
  types: readonly DataPointType[],
  collection: Collection | null,
  find: SavedFind | undefined,
): ImportQuestion | null {
  if (ahjs.length === 0) return null;
  if (collection) return { kind: "collection", ahjs, collection };
  return types.length > 0 ? { kind: "matrix", ahjs, types, find } : null;
}

/** A list may be turned into jurisdictions without a question: they get one later. */
function questionBeside(ahjs: readonly Ahj[], types: readonly DataPointType[]): ImportQuestion | null {
  return ahjs.length > 0 ? { kind: "matrix", ahjs, types, find: undefined } : null;
}

/** True if an entry of the list stands for no jurisdiction. Its row stays blank as one whose answers have no value. */
export function hasUnmatched(list: ListInSheet | null): boolean {
  return list !== null && list.rows.entries.some((entry, row) => entry !== null && !list.ahjs[row]);
}

/** Entries without a jurisdiction get a column that tells their rows from those without a value, even if it was not chosen. */
function tableFormOf(form: ImportForm, isBeside: boolean, isLacking: boolean): TableForm {
  return {
    layout: isBeside ? "wide" : form.layout,
    hasCitations: form.citations === "beside",
    hasNotes: form.citations === "notes",
    hasDates: form.hasDates,
    hasCertainty: isBeside && (form.hasCertainty || isLacking),
    hasDashes: form.hasDashes,
  };
}

/** The function, which returns its last result if it is called again with the same arguments. */
function rememberLast<Args extends unknown[], Result>(
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  let last: { args: Args; result: Result } | undefined;
  return (...args) => {
    if (!last || args.some((each, place) => each !== last?.args[place]))
      last = { args, result: make(...args) };
    return last.result;
  };
}

function missingWords(hasPlaces: boolean, hasQuestions: boolean): string {
  if (!hasPlaces && !hasQuestions) return "Choose jurisdictions and questions.";
  if (!hasPlaces) return "Choose jurisdictions.";
  return hasQuestions ? "" : "Choose questions.";
}

function missingBeside(list: ListInSheet | null): string {
  if (!list) return "Select your list in the sheet, then choose Use selected cells above.";
  return list.ahjs.some((ahj) => ahj !== null) ? "" : "No jurisdiction of your list was found.";
}
