import { utcMs } from "../../../engine/api/utc-time";
import { Failure } from "../../../errors";
import { isBlank, jurisdictionsOf, typeOf } from "../../../engine/lookup/asked-names";
import type { AhjName, Question, TypeName } from "../../../engine/lookup/lookup";
import { inStateBeside } from "../../../engine/lookup/search/name-in-state";
import type { PartOfAnswer } from "../../sheet/layout/answer-parts";
import { cellAddress } from "../../sheet/layout/cell-address";
import {
  addressesIn,
  argumentRows,
  type FormulaArgument,
  type FormulaCall,
  formulaCalls,
} from "../../formula-text/formula-call";
import type { SelectedCell, TableRowHere } from "../../sheet/cells/selected-cell";
import type { Workbook } from "../../sheet/workbook";
import { notADate, notOneOf, withExample } from "../../formula-text/argument-refusals";
import { type ArgumentRole, formulaFunctions, isFormulaFunction } from "../../formula-text/formula-functions";
import { argumentChoices } from "../../formula-text/argument-choices";
import type { KeptImport } from "../saved/import-book";

/** The source of what a cell shows, or of a part of it. */
export interface CellSource {
  /** The question whose answer the cell shows; null if there is none, or if it can't be told without calculating. */
  question: Question | null;
  /** For =REGDATA.GEOID and =REGDATA.AHJ, the jurisdiction that the cell tells of. */
  name?: AhjName;
  /** The jurisdiction or question that a cell beside or above the answers of a matrix names. */
  about?: { ahj: AhjName } | { type: TypeName };
  /** The reason why the formula refuses its arguments; null if it does not. */
  refusal: Failure | null;
  /** The call in the formula, or the import that the cell belongs to. */
  from:
    | { kind: "formula"; call: FormulaCall; args: CallArgument[] }
    | { kind: "import"; kept: KeptImport; part: PartOfAnswer };
}

/** An argument of a call. */
export interface CallArgument {
  /** The argument as it is typed; empty if it is omitted. */
  text: string;
  /** The values of the cells that the argument refers to, row by row; null if it refers to none or they can't be read. */
  cells: unknown[] | null;
}

export interface SourceDependencies {
  /** The prefix of the add-in's functions, such as REGDATA. */
  namespace: string;
  workbook: Pick<Workbook, "valuesAt">;
  /** The import to which a table belongs; undefined if it belongs to none. */
  importOf(table: TableRowHere): Promise<KeptImport | undefined>;
}

/**
 * The sources of a cell: the add-in's calls in its formula or in the formula that spills into it, outermost first, or the import whose
 * table the cell is in. Empty if the cell has nothing of the add-in.
 */
export async function sourcesOf(cell: SelectedCell, dependencies: SourceDependencies): Promise<CellSource[]> {
  const { table, row } = cell;
  const ownRow = table && { row, column: cell.column - table.column, headers: table.headers };
  const calls = formulaCalls(cell.formula, dependencies.namespace, ownRow ?? undefined);
  if (calls.length > 0) return formulaSources(calls, cell, dependencies);
  const imported = await importSource(cell, dependencies);
  return imported ? [imported] : [];
}

/** The index of the source that gives what the cell shows, or of the first one that answers questions. */
export function mainSource(sources: readonly CellSource[]): number {
  const isAnswering = ({ from }: CellSource) => from.kind === "import" || isFormulaFunction(from.call.name);
  return Math.max(0, sources.findIndex(isAnswering));
}

async function formulaSources(
  calls: readonly FormulaCall[],
  cell: SelectedCell,
  { workbook }: SourceDependencies,
): Promise<CellSource[]> {
  const cells = await readCellsOf(calls, cell, workbook);
  const sources: CellSource[] = [];
  for (const call of calls) sources.push(await formulaSource(call, cell, cells, workbook));
  return sources;
}

async function formulaSource(
  call: FormulaCall,
  cell: SelectedCell,
  cells: CellsByAddress,
  workbook: SourceDependencies["workbook"],
): Promise<CellSource> {
  const told = call.args.map((argument): CallArgument => ({
    text: argument.text,
    cells:
      (addressesIn(argument).length > 0 && argumentRows(argument, (at) => cells.get(at))?.flat()) || null,
  }));
  const source = (part: Partial<CellSource> = {}): CellSource => ({
    question: null,
    refusal: null,
    from: { kind: "formula", call, args: told },
    ...part,
  });
  const { name } = call;
  if (name === "GEOID" || name === "AHJ") {
    const named = await namedBy(call, cell, cells);
    if (named instanceof Failure) return source({ refusal: withExample(named, name) });
    return source(named === null ? {} : { name: named });
  }
  if (!isFormulaFunction(name)) return source();
  const args = readArguments(call, formulaFunctions[name], cells);
  const refuse = (failure: Failure) => source({ refusal: withExample(failure, name) });
  const refusal = refusalOf(args);
  if (refusal) return refuse(refusal);
  const names =
    name === "COLLECTION"
      ? await collectionNames(args, call, cell, workbook)
      : name === "FIND"
        ? await findNames(args, call, cell, workbook)
        : gridNames(args, call, cell.offset);
  if (!names) return source();
  const [[ahj = null], type] = [await jurisdictionsOf([names.ahj]), typeOf(names.type)];
  if (ahj instanceof Failure) return refuse(ahj);
  if (type instanceof Failure) return refuse(type);
  if (ahj !== null && type !== null) return source({ question: { ahj, type } });
  if (name !== "MATRIX" && name !== "FIND") return source();
  return ahj !== null ? source({ about: { ahj } }) : type !== null ? source({ about: { type } }) : source();
}

/** The first question of a formula, and how many it has. */
export interface FirstQuestion {
  question: Question | null;
  refusal: Failure | null;
  /** The numbers of cells in the first two arguments, blank ones included; null if they can't be told without calculating. */
  size: { jurisdictions: number; types: number } | null;
}

/** The first question that a formula with the add-in's functions would ask on this sheet; null if the formula can't be read. */
export async function firstQuestion(
  formula: string,
  sheetId: string,
  { namespace, workbook }: Omit<SourceDependencies, "importOf">,
): Promise<FirstQuestion | null> {
  const [call] = formulaCalls(formula, namespace);
  if (!call || !isFormulaFunction(call.name)) return null;
  const { name } = call;
  const args = readArguments(call, formulaFunctions[name], await readCellsOf([call], { sheetId }, workbook));
  const [geoids, typeIds] = [args.jurisdictions?.values, args.types?.values];
  const refused = refusalOf(args);
  const refusal = refused && withExample(refused, name);
  const nothing: FirstQuestion = { question: null, refusal, size: null };
  if (nothing.refusal || !geoids || !typeIds) return nothing;
  const [ahj, type] = [
    (await jurisdictionsOf(geoids)).find((name) => name !== null),
    typeIds.map(typeOf).find((name) => name !== null),
  ];
  const size = { jurisdictions: geoids.length, types: typeIds.length };
  if (ahj instanceof Failure) return { ...nothing, size, refusal: withExample(ahj, name) };
  if (type instanceof Failure) return { ...nothing, size, refusal: withExample(type, name) };
  return { ...nothing, size, question: ahj && type ? { ahj, type } : null };
}

/** The values of each argument, row by row; null if they can't be told without calculating. */
type ReadArguments = Partial<Record<ArgumentRole, { text: string; values: unknown[] | null }>>;

/** The values of cells, by their addresses as the formula writes them; null if they can't be read. */
type CellsByAddress = ReadonlyMap<string, unknown[][] | null>;

/** Reads all cells that these calls refer to in one request. */
async function readCellsOf(
  calls: readonly FormulaCall[],
  { sheetId }: Pick<SelectedCell, "sheetId">,
  workbook: Pick<Workbook, "valuesAt">,
): Promise<CellsByAddress> {
  const args = calls.flatMap((call) => call.args);
  const addresses = [...new Set(args.flatMap(addressesIn))];
  const values = addresses.length > 0 ? await workbook.valuesAt(sheetId, addresses) : [];
  return new Map(addresses.map((address, place) => [address, values[place] ?? null]));
}

function readArguments(
  { args }: FormulaCall,
  roles: readonly ArgumentRole[],
  cells: CellsByAddress,
): ReadArguments {
  const read: ReadArguments = {};
  roles.forEach((role, place) => {
    const argument = args[place];
    if (!argument || argument.kind === "omitted") return;
    const rows = argumentRows(argument, (address) => cells.get(address));
    read[role] = { text: argument.text, values: rows && rows.flat() };
  });
  return read;
}

/** The failure with which the function would refuse its arguments as a whole, as far as they are known; null if it would not. */
function refusalOf(args: ReadArguments): Failure | null {
  for (const argument of Object.values(args)) {
    const isTyped = /^["{]/.test(argument.text);
    const error = isTyped ? undefined : argument.values?.find((value) => errorText.test(String(value)));
    if (error !== undefined) {
      return new Failure("invalid-argument", { detail: `${argument.text} shows ${String(error)} itself.` });
    }
  }
  for (const [role, choices] of Object.entries(argumentChoices)) {
    const [word] = args[role as keyof typeof argumentChoices]?.values ?? [];
    const isFlag = role === "headers" && (typeof word === "number" || typeof word === "boolean");
    if (isBlank(word) || isFlag) continue;
    if (!choices.some((choice) => choice === String(word).trim().toLowerCase())) {
      return notOneOf(word, choices);
    }
  }
  const [since] = args.since?.values ?? [];
  if (!isBlank(since) && typeof since !== "number" && Number.isNaN(utcMs(String(since)))) {
    return notADate(since);
  }
  return null;
}

/** The jurisdiction of =REGDATA.GEOID or =REGDATA.AHJ that this cell tells of; null if it is blank, or can't be told without calculating. */
async function namedBy(
  { name: functionName, args, isWhole }: FormulaCall,
  { offset }: SelectedCell,
  cells: CellsByAddress,
): Promise<AhjName | Failure | null> {
  const names = rowsOf(args[0]);
  if (!names || (!isWhole && names.flat().length !== 1)) return null;
  const { row, column } = isWhole ? offset : { row: 0, column: 0 };
  const isAhj = functionName === "AHJ";
  const [name = null] = await jurisdictionsOf([isAhj ? names.flat()[row] : names[row]?.[column]]);
  if (isAhj || name === null || name instanceof Failure) return name;
  const states = rowsOf(args[1]);
  if (!states) return null;
  const ofEach = states.flat();
  const state = ofEach.length > 1 ? ofEach[row * (names[0]?.length ?? 0) + column] : ofEach[0];
  return inStateBeside(name, isBlank(state) ? "" : String(state).trim());

  function rowsOf(argument: FormulaArgument | undefined): unknown[][] | null {
    if (!argument || argument.kind === "omitted") return [[]];
    return argumentRows(argument, (address) => cells.get(address));
  }
}

/** Errors, in the form in which Excel gives the value of a cell. */
const errorText =
  /^#(N\/A|(VALUE|REF|DIV\/0|NUM|NULL|SPILL|CALC|BUSY|CONNECT|FIELD|UNKNOWN|BLOCKED)!|NAME\?)$/;

/** The names of a cell's jurisdiction and question, from the formula's arguments or from its result. */
interface Names {
  ahj: unknown;
  type: unknown;
}

function gridNames(
  { jurisdictions, types, headers }: ReadArguments,
  { name, isWhole }: FormulaCall,
  offset: SelectedCell["offset"],
): Names | null {
  const [geoids, typeIds] = [jurisdictions?.values, types?.values];
  if (!geoids || !typeIds) return null;
  // Inside another formula, only a single answer certainly contributes to what the cell shows.
  if (!isWhole && geoids.length * typeIds.length !== 1) return null;
  const isMatrix = isWhole && name === "MATRIX";
  const hasHeaders = isMatrix && hasHeaderRow(headers);
  if (hasHeaders === null) return null;
  const row = isWhole ? offset.row - Number(hasHeaders) : 0;
  const column = isWhole ? offset.column - (isMatrix ? 2 : 0) : 0;
  return { ahj: geoids[row], type: typeIds[column] };
}

/** True if the result has a header row; null if that can't be told without calculating. */
function hasHeaderRow(headers: ReadArguments["headers"]): boolean | null {
  if (!headers) return true;
  if (!headers.values) return null;
  const [flag] = headers.values;
  return flag === "" || (String(flag).trim().toLowerCase() !== "false" && flag !== 0);
}

/**
 * The names behind a cell of a collection. Its columns are known only from its result: from the headers of a wide table, or from the rows
 * of a long one.
 */
async function collectionNames(
  { jurisdictions, layout, headers }: ReadArguments,
  { isWhole }: FormulaCall,
  { sheetId, address, offset }: SelectedCell,
  workbook: Pick<Workbook, "valuesAt">,
): Promise<Names | null> {
  const geoids = jurisdictions?.values;
  const hasHeaders = hasHeaderRow(headers);
  if (!isWhole || !geoids || hasHeaders === null || (layout && !layout.values)) return null;
  const row = offset.row - Number(hasHeaders);
  const isLong = String(layout?.values?.[0]).trim().toLowerCase() === "long";
  const firstAnswer = isLong ? 4 : 2;
  if (row < 0 || offset.column < firstAnswer) return null;
  const read = async (down: number, across: number, width: number) => {
    const [first, last] = [across, across + width - 1].map((column) => cellAddress(address, down, column));
    const [rows] = await workbook.valuesAt(sheetId, [`${first}:${last?.split("!").at(-1)}`]);
    return rows?.[0] ?? [];
  };
  if (!isLong) {
    if (!hasHeaders) return null;
    const [type] = await read(-offset.row, 0, 1);
    return { ahj: geoids[row], type };
  }
  const [geoid, type] = await read(0, 2 - offset.column, 2);
  // A jurisdiction that was asked for by its AHJ id may share its geoID with another, so the geoID must be among the arguments.
  const asked = geoids[(await jurisdictionsOf(geoids)).findIndex((name) => name === geoid)];
  return { ahj: asked, type };
}

/**
 * The names behind a cell of a find. The jurisdiction of a row is read from its geoID in the result, where name, state and geoID come
 * before the columns.
 */
async function findNames(
  { types, headers }: ReadArguments,
  { isWhole }: FormulaCall,
  { sheetId, address, offset }: SelectedCell,
  workbook: Pick<Workbook, "valuesAt">,
): Promise<Names | null> {
  const hasHeaders = hasHeaderRow(headers);
  if (!isWhole || hasHeaders === null) return null;
  const columns = types?.values?.filter((type) => !isBlank(type)) ?? [];
  const type = columns[offset.column - geoidColumn - 1];
  if (offset.row < Number(hasHeaders)) return { ahj: undefined, type };
  const geoidCell = cellAddress(address, 0, geoidColumn - offset.column);
  const [rows] = await workbook.valuesAt(sheetId, [geoidCell]);
  const ahj = rows?.[0]?.[0];
  // If the formula shows an error, the cell that would hold the geoID belongs to something else.
  const [named] = await jurisdictionsOf([ahj]);
  return named instanceof Failure ? null : { ahj, type };
}

/** The index of the geoID column in the result of =REGDATA.FIND. */
const geoidColumn = 2;

async function importSource(
  { table }: SelectedCell,
  { importOf }: SourceDependencies,
): Promise<CellSource | null> {
  const kept = table && (await importOf(table));
  if (!kept) return null;
  const { columns } = kept.saved;
  const valueOf = (of: "ahj" | "type") => {
    const header = columns.find(({ content }) => content.of === of && content.field === "id")?.header;
    return header === undefined ? undefined : Number(table.values[table.headers.indexOf(header)]);
  };
  const content = columns.find(({ header }) => header === table.headers[table.column])?.content;
  const ahj = valueOf("ahj");
  if (content?.of !== "answer") return null;
  const type = content.typeId ?? valueOf("type");
  if (!Number.isSafeInteger(ahj) || !Number.isSafeInteger(type) || !ahj || !type) return null;
  return { question: { ahj, type }, refusal: null, from: { kind: "import", kept, part: content.part } };
}
