import { isCounty } from "../directory/counties";
import { stateGeoids, stateOfGeoid } from "../directory/states";
import { type Heading, headingOf, isKindWord } from "./headings";
import { givenText, isCertainlyName, isState, meaningsOfCell, stateOfCell, stateOfName } from "./read-parts";
import { readCode } from "./read-code";
import { tidyText } from "./tidy-text";

type Cells = readonly unknown[];
type Rows = readonly Cells[];

/** The contents of a list's columns, which are counted from 0. */
export type ColumnPlan =
  /** Each row stands alone, without columns. */
  | { kind: "rows" }
  /** One column has the codes. A row's name counts if its code is missing; its state must agree with the code. */
  | { kind: "codes"; column: number; areAhjIds: boolean; names: NameColumns | null; state: number | null }
  /** Codes of states, and of their counties, places or county subdivisions, in columns of their own. */
  | { kind: "parts"; parts: PartColumns }
  | { kind: "names"; names: NameColumns }
  /** Codes of areas that are no jurisdictions. The county that they lie in may stand beside them. */
  | { kind: "areas"; column: number; words: string; county: PartColumns | null }
  /** Nothing in it says which jurisdiction is meant: a part of a code alone, or figures by their heading. */
  | { kind: "others"; column: number; why: "part-of-code" | "no-code" | "figures" };

export interface PartColumns {
  state: number | null;
  county: number | null;
  place: number | null;
  subdivision: number | null;
}

export interface NameColumns {
  name: number;
  /** The county of a place. */
  county: number | null;
  state: number | null;
  /** True if the names are in a column of counties, which may lack the word "County". */
  areCounties: boolean;
}

/** The column that says most about a row: that of the codes, or of the names or smallest parts; the first one if none does. */
export function mainColumn(plan: ColumnPlan): number {
  switch (plan.kind) {
    case "rows":
      return 0;
    case "names":
      return plan.names.name;
    case "parts": {
      const { subdivision, place, county, state } = plan.parts;
      return subdivision ?? place ?? county ?? state ?? 0;
    }
    default:
      return plan.column;
  }
}

/** The rows on top that name the columns: one or two, perhaps below titles and blank rows. */
export function countHeadingRows(rows: Rows): number {
  const filled = rows
    .slice(0, mostRowsAbove)
    .flatMap((cells, at) => (filledCells(cells).length > 0 ? [{ cells, at }] : []));
  for (const [index, { cells, at }] of filled.entries()) {
    const next = filled[index + 1];
    const isTitle = (row: { cells: Cells }) => filledCells(row.cells).length < 3 && !hasCode(row.cells);
    if (!filled.slice(0, index).every(isTitle)) break;
    const isCodes = filledCells(cells).some((cell) => codeRoles.has(headingOfCell(cell)?.role ?? "other"));
    if ((index > 0 && filledCells(cells).length < 2 && !isCodes) || !isHeadingRow(cells, next?.cells))
      continue;
    return (next && isSecondHeading(cells, next.cells) ? next.at : at) + 1;
  }
  return isOnlyWords(rows) ? (filled[0]?.at ?? 0) + 1 : 0;
}

/** The rows in which headings are looked for. */
const mostRowsAbove = 6;

function isHeadingRow(cells: Cells, next: Cells | undefined): boolean {
  const filled = filledCells(cells);
  const known = filled.filter((cell) => headingOfCell(cell) !== null);
  if (known.length === 0 || next === undefined) return false;
  // CO and ID are headings, too, but only beside other headings, and ID above codes.
  const postal = filled.filter(isPostalCode);
  if (postal.length === filled.length)
    return filled.length === 1 && givenText(postal[0]) === "ID" && hasCode(next);
  if (postal.length > 0 && known.length < filled.length) return false;
  const codes = filled.filter((cell) => headingOfCell(cell) === null && isCodeCell(cell));
  // Years may stand beside the heading of codes.
  const areYears = codes.every((cell) => /^(?:19|20)\d\d$/.test(givenText(cell)));
  if (codes.length > 0 && !areYears) return false;
  if (codes.length > 0 && !known.some((cell) => firmRoles.has(headingOfCell(cell)?.role ?? "other")))
    return false;
  // "Oakland, City, CA" is a row of data: a state stands in it, or a kind that stands in the next row, too.
  if (filled.some((cell) => headingOfCell(cell) === null && isState(cell))) return false;
  const isKind = (cell: unknown) => typeof cell === "string" && isKindWord(cell);
  const areKinds = cells.some((cell, at) => known.includes(cell) && isKind(cell) && isKind(next[at]));
  return !(areKinds && known.length < filled.length);
}

/** True for a state's code in capitals. */
const isPostalCode = (cell: unknown) =>
  typeof cell === "string" && /^[A-Z]{2}$/.test(cell.trim()) && isState(cell);

const firmRoles = new Set<Heading["role"]>([
  "geoid",
  "ahj",
  "state-code",
  "county-code",
  "place-code",
  "county",
  "state",
  "name",
  "place",
  "list",
]);

const codeRoles = new Set<Heading["role"]>(["geoid", "ahj", "state-code", "county-code", "place-code"]);

/** A second row of headings has labels for the same columns, and no jurisdiction. */
function isSecondHeading(first: Cells, second: Cells): boolean {
  const filled = filledCells(second);
  if (
    filled.length === 0 ||
    hasCode(second) ||
    filled.some((cell) => isPostalCode(cell) || (headingOfCell(cell) === null && isState(cell)))
  )
    return false;
  const isLabel = (cell: unknown) => headingOfCell(cell) !== null || /!!/.test(givenText(cell));
  const firsts = filledCells(first);
  const isKind = (cell: unknown) => typeof cell === "string" && isKindWord(cell);
  return (
    filled.length >= Math.min(2, firsts.length) &&
    filled.filter(isLabel).length * 2 >= filled.length &&
    !filled.every(isKind) &&
    isLabel(filled[0])
  );
}

/** True if words stand above codes alone, and can be no name of a jurisdiction. As a name they would take the whole directory to look up. */
function isOnlyWords(rows: Rows): boolean {
  const some = rows.slice(0, mostRowsTogether);
  const [first = [], ...others] = some.filter((cells) => filledCells(cells).length > 0);
  const [only, ...more] = filledCells(first);
  if (typeof only !== "string" || more.length > 0) return false;
  const [meaning] = meaningsOfCell(only);
  if (meaning?.kind !== "name" || isCertainlyName(meaning.name) || isState(only)) return false;
  const filled = others.flatMap(filledCells);
  return filled.some(isCodeCell) && !filled.some((cell) => meaningsOfCell(cell)[0]?.kind === "name");
}

function headingOfCell(cell: unknown): Heading | null {
  if (typeof cell !== "string") return null;
  const text = tidyText(cell);
  const code = readCode(text);
  return code?.kind === "ahj" || (code?.kind === "geoid" && !code.isOwn) ? null : headingOf(text);
}

const filledCells = (cells: Cells): unknown[] => cells.filter((cell) => givenText(cell) !== "");

/** True for a code that has the form of one: a service's own codes may be words with a digit. */
function isCodeCell(cell: unknown): boolean {
  const meanings = meaningsOfCell(cell);
  return (
    meanings.length > 0 &&
    meanings.every(
      (meaning) =>
        meaning.kind === "ahj" ||
        (meaning.kind === "geoid" && !meaning.isOwn) ||
        (meaning.kind === "none" && meaning.why === "other-area"),
    )
  );
}

const hasCode = (cells: Cells) => cells.some((cell) => headingOfCell(cell) === null && isCodeCell(cell));

/** The rows that are looked at together. They tell the columns of longer lists, too, and the page can respond. */
const mostRowsTogether = 2_000;

/** Understands the columns of a list by its headings, or by the shapes of its rows together. */
export function planListColumns(headings: Rows, all: Rows): ColumnPlan {
  const body = all.slice(0, mostRowsTogether);
  const width = Math.max(0, ...body.map((cells) => cells.length), ...headings.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => columnOf(column, headings, body)).filter(
    ({ heading, cells }) => heading !== null || cells.length > 0,
  );
  const named = columns.some(({ heading }) => heading !== null) ? planOfHeadings(columns, body) : null;
  // Below a single heading, a line may have several cells: they are no columns.
  const isOneColumn = headings.every((cells) => filledCells(cells).length < 2);
  const isUsual =
    named?.kind === "names"
      ? width > 1
      : (named?.kind === "codes" && !named.areAhjIds) ||
        (named?.kind === "parts" && named.parts.state === null && named.parts.place === null);
  if (named) return isOneColumn && isUsual ? { kind: "rows" } : named;
  const open = columns.filter(({ heading, cells }) => cells.length > 0 && heading?.role !== "other");
  const [only, ...more] = open;
  // Figures stand beside the only column that may have jurisdictions.
  const isBesideFigures = only && more.length === 0 && open.length < columns.length;
  if (isBesideFigures)
    return { kind: "codes", column: only.column, areAhjIds: false, names: null, state: null };
  return planOfShapes(open, body);
}

interface Column {
  column: number;
  heading: Heading | null;
  /** The cells that are filled. */
  cells: unknown[];
}

function columnOf(column: number, headings: Rows, body: Rows): Column {
  const named = headings.map((cells) => headingOfCell(cells[column])).filter((heading) => heading !== null);
  const weak = new Set<Heading["role"]>(["label", "list", "other"]);
  const [heading = null] = [...named.filter(({ role }) => !weak.has(role)), ...named];
  return { column, heading, cells: filledCells(body.map((cells) => cells[column])) };
}

/** The text of a cell; numbers without their decimals. */
export const textOfCell = (cell: unknown) => tidyText(String(cell ?? "")).replace(/^(\d+)\.0+$/, "$1");

const every = ({ cells }: Column, is: (cell: unknown) => boolean) => cells.length > 0 && cells.every(is);
const isDigits = (most: number) => (cell: unknown) =>
  /^\d+$/.test(textOfCell(cell)) && textOfCell(cell).length <= most;
const isWord = (cell: unknown) =>
  /\p{L}/u.test(textOfCell(cell)) &&
  meaningsOfCell(cell).every(({ kind }) => kind === "name" || kind === "none");
const isMostly = ({ cells }: Column, is: (cell: unknown) => boolean) =>
  cells.filter(is).length * 2 > cells.length;
const at = (column: Column | undefined): number | null => column?.column ?? null;

/** The plan by the roles of the headings: the first rule that fits counts. Null if the headings don't say what the columns hold. */
function planOfHeadings(columns: readonly Column[], body: Rows): ColumnPlan | null {
  const having = (...roles: Heading["role"][]) =>
    columns.filter(
      ({ heading, cells }) => heading !== null && roles.includes(heading.role) && cells.length > 0,
    );
  const names = namesOfHeadings(columns, having);
  const [ids] = having("ahj");
  const [state] = [...having("state-code"), ...having("state")];
  const hasLongCode = ({ cells }: Column) => cells.some((cell) => isCodeCell(cell) && !isDigits(3)(cell));
  const hasWholeCounty = having("county", "county-code").some((column) => column.cells.some(isWholeCounty));
  const hasDigits = ({ cells }: Column) => cells.some((cell) => /^\d{4,}$/.test(textOfCell(cell)));
  const areCodes = (column: Column) => hasLongCode(column) && isMostly(column, (cell) => !isWord(cell));
  const [codes] = [
    ...having("geoid").filter((column) => hasLongCode(column) || hasDigits(column)),
    ...(hasWholeCounty ? [] : having("list", "label").filter(areCodes)),
    ...having("geoid").filter((column) => every(column, isDigits(state ? 3 : 2))),
  ];
  const areas = having("area");
  if (codes) {
    const area = areas.find((each) => isCodeOfArea(codes, each, body));
    if (area) return { kind: "areas", column: codes.column, words: wordsOf(area), county: null };
    return { kind: "codes", column: codes.column, areAhjIds: false, names, state: at(state) };
  }
  if (ids) return { kind: "codes", column: ids.column, areAhjIds: true, names, state: null };
  const parts = partsOfHeadings(having, state);
  const isNumber = (cell: unknown) => /\d/.test(textOfCell(cell)) && !isWord(cell);
  const [nested] = areas.filter((column) => column.heading?.isPart && isMostly(column, isNumber));
  const isOfPlace = names !== null && having("place").some(({ column }) => column === names.name);
  // Names of places count, as in an address. Names of counties and others are those of the county that an area lies in.
  const isInCounty = !isOfPlace && nested?.heading?.words !== "a ZIP code area";
  const hasStateCode = state !== undefined && every(state, isDigits(2));
  if (nested && !hasWholeCounty && (!names || isInCounty || (hasStateCode && !isOfPlace)))
    return { kind: "areas", column: nested.column, words: wordsOf(nested), county: parts };
  if (parts && !(isOfPlace && parts.place === null && parts.subdivision === null))
    return { kind: "parts", parts };
  const [named] = having("name", "place").filter(areCodes);
  if (named) return { kind: "codes", column: named.column, areAhjIds: false, names, state: at(state) };
  if (names) return { kind: "names", names };
  const [part] = having("county-code", "place-code", "subdivision-code");
  if (part) return { kind: "others", column: part.column, why: "part-of-code" };
  if (state) {
    const tellsMore = (column: Column) =>
      column !== state &&
      column.cells.length > 0 &&
      !["other", "label", "area"].includes(column.heading?.role ?? "");
    return columns.some(tellsMore)
      ? { kind: "others", column: state.column, why: "no-code" }
      : { kind: "codes", column: state.column, areAhjIds: false, names: null, state: null };
  }
  const [area] = areas;
  if (area) return { kind: "areas", column: area.column, words: wordsOf(area), county: null };
  const [only, ...more] = columns;
  const hasZero = (cell: unknown) => /^0/.test(String(cell));
  if (
    only?.heading?.role === "other" &&
    more.length === 0 &&
    only.cells.some(hasZero) &&
    every(only, isCodeCell)
  )
    return { kind: "rows" };
  if (only?.heading?.role === "other" && more.length === 0)
    return { kind: "others", column: only.column, why: "figures" };
  return null;
}

const wordsOf = ({ heading }: Column) => heading?.words ?? "another area";
const isWholeCounty = (cell: unknown) => /^\d{4,5}$/.test(textOfCell(cell)) && isCodeCell(cell);

type Having = (...roles: Heading["role"][]) => Column[];

/** The columns of codes in parts; null if there is no state's code, or no part of one. */
function partsOfHeadings(having: Having, state: Column | undefined): PartColumns | null {
  const isNumeric = (column: Column) => isMostly(column, (cell) => /^\d+$/.test(textOfCell(cell)));
  const places = [...having("place-code"), ...(state ? having("place").filter(isNumeric) : [])];
  // Some call a county's code that of a municipality: it has three digits.
  const areCounties = places.filter((column) => every(column, isDigits(3)));
  const [county] = [...having("county-code"), ...having("county").filter(isNumeric), ...areCounties];
  const [place] = places.filter((column) => column !== county);
  const [subdivision] = having("subdivision-code").filter(isNumeric);
  const hasWhole = [county, place].some((column) =>
    column?.cells.some((cell) => isCodeCell(cell) && !isDigits(3)(cell)),
  );
  if (!(county ?? place ?? subdivision) || (!state && !hasWhole)) return null;
  return { state: at(state), county: at(county), place: at(place), subdivision: at(subdivision) };
}

/** True if the column of codes has the codes of areas that stand beside it, with or without their state's or county's in front. */
function isCodeOfArea(codes: Column, area: Column, body: Rows): boolean {
  const pairs = body
    .map((cells) => [textOfCell(cells[codes.column]), textOfCell(cells[area.column])] as const)
    .filter(([code, own]) => code !== "" && own !== "");
  const isCodeOf = ([code, own]: readonly [string, string]) =>
    code.endsWith(own) && [0, 2, 5].includes(code.length - own.length);
  return pairs.length > 0 && pairs.every(isCodeOf);
}

/** The columns of names. Words under a heading that is not known are names only if nothing else can be, and the state stands beside them. */
function namesOfHeadings(columns: readonly Column[], having: Having): NameColumns | null {
  const areWords = (column: Column) => isMostly(column, isWord);
  const [state] = [...having("state"), ...having("state-code")];
  const [place] = having("place").filter(areWords);
  const [name] = having("name", "list").filter(areWords);
  const [county] = having("county").filter(areWords);
  const unknown = columns.filter(
    (column) => column.heading === null && areWords(column) && !every(column, isState),
  );
  const [label] = having("label").filter(areWords);
  const [open] = state ? unknown : [];
  const own = place ?? name ?? county ?? open ?? label;
  if (!own) return null;
  const ofPlace = own === place || own === name || own === open;
  return {
    name: own.column,
    county: ofPlace ? at(county) : null,
    state: at(state),
    areCounties: own === county,
  };
}

/** Without headings, columns count only in a rectangle of two columns at least. */
function planOfShapes(columns: readonly Column[], body: Rows): ColumnPlan {
  const rows = body.filter((cells) => filledCells(cells).length > 0);
  const isRectangle = columns.every(({ cells }) => cells.length === rows.length);
  if (columns.length < 2 || !isRectangle) return { kind: "rows" };
  const parts = statesAndCounties(columns, rows);
  if (parts) return parts;
  if (rows.length < 2) return { kind: "rows" };
  const states = columns.filter((column) => every(column, isState));
  const words = columns.filter((column) => !states.includes(column) && every(column, isWord));
  // A column whose names have their states behind them counts before other words.
  const hasState = (cell: unknown) => stateOfName(cell) !== undefined;
  const name = words.find((column) => every(column, hasState)) ?? words[0];
  const other = words.find((column) => column !== name);
  const isFips = (cell: unknown) => isDigits(2)(cell) && stateOfCell(cell) !== undefined;
  const fips = columns.find((column) => every(column, isFips));
  const [state] = states;
  // Two digits beside a name are its state's. Beside five others they may be a place's, and nobody can tell.
  const codes = codeColumns(columns, rows).filter((column) => !name || !every(column, isDigits(2)));
  const isPlacePart = (cell: unknown) => /^\d{5}$/.test(textOfCell(cell));
  const isCountyCode = (cell: unknown) => isCounty(textOfCell(cell));
  const place = columns.length === 2 ? columns.find((column) => every(column, isPlacePart)) : undefined;
  if (fips && place && !every(place, isCountyCode)) return noCode(fips);
  const strong = codes.filter(isStrong);
  const agrees = (column: Column) => agreesWithStates(column, rows, state, name);
  // Whole codes before a name are codes; behind a name they may be amounts.
  const isBefore = (column: Column) =>
    name !== undefined && column.column < name.column && !every(column, isDigits(2));
  const sure = codes.filter((column) => strong.includes(column) || isBefore(column));
  const [chosen] = [...sure.filter(agrees), ...(states.length + words.length > 0 ? [] : codes)];
  if (chosen) {
    const isList =
      codes.length === columns.length &&
      codes.length > 1 &&
      codes.every((column) => every(column, isWholeCode));
    if (isList && areAlike(codes)) return { kind: "rows" };
    return { kind: "codes", column: chosen.column, areAhjIds: false, names: null, state: at(state) };
  }
  if (!name || states.length > 1)
    return states.length > 0 && words.length > 0 ? noCode(name ?? states[0]) : { kind: "rows" };
  if (!state && words.length === columns.length && !every(name, hasState)) return { kind: "rows" };
  const isCountyName = (cell: unknown) => /\b(?:county|parish|borough|municipio)\b/i.test(textOfCell(cell));
  const ofCounty = state && other && every(other, isCountyName) && !every(name, isCountyName);
  const county = ofCounty ? other.column : null;
  return { kind: "names", names: { name: name.column, county, state: at(state), areCounties: false } };
}

const noCode = (column: Column | undefined): ColumnPlan => ({
  kind: "others",
  column: column?.column ?? 0,
  why: "no-code",
});

/**
 * The columns that may hold the list's codes: neither the numbers of rows, nor years or days beside other codes, nor the states that the
 * codes beside them begin with.
 */
function codeColumns(columns: readonly Column[], rows: Rows): Column[] {
  const all = columns.filter((column) => every(column, isCodeCell) && !areRowNumbers(column));
  const isNumber = (most: number, least: number) => (cell: unknown) =>
    /^\d+$/.test(textOfCell(cell)) && Number(textOfCell(cell)) >= least && Number(textOfCell(cell)) <= most;
  const isBeside = (column: Column) =>
    every(column, isNumber(2100, 1900)) ||
    (every(column, isNumber(60_000, 40_000)) && every(column, (cell) => /^45/.test(textOfCell(cell)))) ||
    (every(column, isDigits(2)) &&
      columns.some((other) => other !== column && beginsWith(other, column, rows)));
  const others = all.filter((column) => !isBeside(column));
  return others.length > 0 || columns.length > all.length ? others : all;
}

const beginsWith = (codes: Column, states: Column, rows: Rows) =>
  rows.every((cells) => {
    const [meaning] = meaningsOfCell(cells[codes.column]);
    const state = textOfCell(cells[states.column]).padStart(2, "0");
    return meaning?.kind === "geoid" && meaning.geoid.length > 2 && meaning.geoid.startsWith(state);
  });

/** 1, 2, 3 and so on. */
const areRowNumbers = ({ cells }: Column) =>
  cells.length > 1 &&
  cells.every((cell, row) => row === 0 || Number(textOfCell(cell)) > Number(textOfCell(cells[row - 1]))) &&
  Number(textOfCell(cells[0])) === 1 &&
  cells.every(isDigits(5));

/** Two columns whose numbers are counties of states in every row. Two digits as text are a state, and no county's part. */
function statesAndCounties(columns: readonly Column[], rows: Rows): ColumnPlan | null {
  for (const state of columns) {
    for (const county of columns.filter((each) => Math.abs(each.column - state.column) === 1)) {
      const areStates = every(state, isDigits(2)) || every(state, isPostalCode);
      if (!areStates || !every(county, isDigits(3))) continue;
      const isStateCode = (cell: unknown) =>
        typeof cell === "string" && /^\d\d$/.test(cell.trim()) && stateOfGeoid(cell.trim()) !== undefined;
      if (every(county, isStateCode)) continue;
      // Behind the county stands its state only if three digits tell that it is a county.
      if (county.column < state.column && !every(county, (cell) => /^\d{3}$/.test(textOfCell(cell))))
        continue;
      const isPair = (cells: Cells) =>
        isCounty(fipsOf(cells[state.column]) + textOfCell(cells[county.column]).padStart(3, "0"));
      if (!rows.every(isPair)) continue;
      const parts = { state: state.column, county: county.column, place: null, subdivision: null };
      return { kind: "parts", parts };
    }
  }
  return null;
}

/** True for a code with all of its digits, as text: no number, and no zero has to be put back. */
const isWholeCode = (cell: unknown) =>
  typeof cell === "string" &&
  !/\d[.,]\d/.test(cell) &&
  meaningsOfCell(cell).every(
    (meaning) => meaning.kind === "ahj" || (meaning.kind === "geoid" && meaning.how !== "zero-back"),
  );

/** The two digits of a state's code, from digits or a postal code. */
const fipsOf = (cell: unknown): string => {
  const postal = stateOfCell(cell);
  return stateGeoids.find((geoid) => stateOfGeoid(geoid) === postal) ?? "";
};

/** True if columns of codes are one list: each has codes of several lengths, or all have the same length. */
function areAlike(codes: readonly Column[]): boolean {
  const lengths = codes.map(({ cells }) => new Set(cells.map((cell) => textOfCell(cell).length)));
  return new Set(lengths.flatMap((each) => [...each])).size === 1 || lengths.some(({ size }) => size > 1);
}

/** True if numbers certainly are codes, and no counts or amounts: a zero or letters stand in front, or all are counties that exist. */
function isStrong({ cells }: Column): boolean {
  const texts = cells.map(textOfCell);
  if (cells.some((cell, at) => typeof cell === "string" && /^0|\D/.test(texts[at] ?? ""))) return true;
  const isOfCounty = (text: string) => /^\d{4,5}$|^\d{9,10}$/.test(text) && isCodeCell(text);
  return texts.length > 1 && texts.every(isOfCounty);
}

/** True if no row has a state, in a column or behind its name, that contradicts its code. */
function agreesWithStates(
  codes: Column,
  rows: Rows,
  state: Column | undefined,
  name: Column | undefined,
): boolean {
  return rows.every((cells) => {
    const [meaning] = meaningsOfCell(cells[codes.column]);
    if (meaning?.kind !== "geoid") return true;
    const told = (state && stateOfCell(cells[state.column])) ?? (name && stateOfName(cells[name.column]));
    return told === undefined || told === stateOfGeoid(meaning.geoid);
  });
}
