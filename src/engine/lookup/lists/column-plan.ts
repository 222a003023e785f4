import { isCounty } from "../directory/counties";
import { mayBeSent } from "../directory/geoid";
import { stateOfGeoid } from "../directory/states";
import { type Heading, headingOf } from "./headings";
import { givenText, isCertainlyName, isState, meaningsOfCell } from "./read-parts";
import { tidyText } from "./tidy-text";

type Cells = readonly unknown[];
type Rows = readonly Cells[];

/** The contents of a list's columns, which are counted from 0. */
export type ColumnPlan =
  /** Each row stands alone, without columns. */
  | { kind: "rows" }
  /** One column has the codes or names. `names` has the name's columns for rows whose code is missing. */
  | { kind: "codes"; column: number; areAhjIds: boolean; names: NameColumns | null }
  /** Codes of states, and of their counties, places or county subdivisions, in columns of their own. */
  | { kind: "parts"; state: number; parts: readonly number[]; digits: 3 | 5 }
  | { kind: "names"; names: NameColumns }
  /** Codes of areas that are no jurisdictions, or of counties without their state. */
  | { kind: "areas"; column: number; words: string | null };

export interface NameColumns {
  name: number;
  /** The county of a place. */
  county: number | null;
  state: number | null;
  /** True if the names are in a column of counties, which may lack the word "County". */
  areCounties: boolean;
}

/** The rows on top that name the columns: one or two, perhaps below a title. A row with a code is none. */
export function countHeadingRows(rows: Rows): number {
  const isHeading = (cells: Cells | undefined) =>
    cells !== undefined && cells.some((cell) => headingOfCell(cell) !== null) && !hasCode(cells);
  const [first, second, third] = rows;
  if (isHeading(first)) return isHeading(second) ? 2 : 1;
  const isTitle = (cells: Cells) => filledCells(cells).length === 1 && !hasCode(cells);
  if (!first || !isTitle(first) || filledCells(second ?? []).length < 2 || !isHeading(second))
    return isOnlyWords(rows) ? 1 : 0;
  return isHeading(third) ? 3 : 2;
}

/** True if words stand above codes alone, and can be no name of a jurisdiction. As a name they would take the whole directory to look up. */
function isOnlyWords([first = [], ...others]: Rows): boolean {
  const [only, ...more] = filledCells(first);
  if (typeof only !== "string" || more.length > 0) return false;
  const filled = others.flatMap(filledCells);
  const [meaning] = meaningsOfCell(only);
  return (
    meaning?.kind === "name" &&
    !isCertainlyName(meaning.name) &&
    filled.some(isCodeCell) &&
    !filled.some((cell) => meaningsOfCell(cell)[0]?.kind === "name")
  );
}

const headingOfCell = (cell: unknown): Heading | null =>
  typeof cell === "string" && !cell.startsWith("#") ? headingOf(tidyText(cell)) : null;
const filledCells = (cells: Cells): unknown[] => cells.filter((cell) => givenText(cell) !== "");

/** True for a code that has the form of one: a service's own codes may be words with a digit. */
function isCodeCell(cell: unknown): boolean {
  return meaningsOfCell(cell).some(
    (meaning) =>
      meaning.kind === "ahj" || (meaning.kind === "geoid" && !meaning.isOwn) || isAreaCode(meaning),
  );
}

const isAreaCode = (meaning: { kind: string; why?: string }) =>
  meaning.kind === "none" && meaning.why === "other-area";
const hasCode = (cells: Cells) => cells.some((cell) => headingOfCell(cell) === null && isCodeCell(cell));

/** Understands the columns of a list by its headings, or by the shapes of all its rows together. */
export function planColumns(headings: Rows, body: Rows): ColumnPlan {
  const width = Math.max(0, ...body.map((cells) => cells.length), ...headings.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => columnOf(column, headings, body));
  const named = headings.length > 0 ? planOfHeadings(columns, body) : null;
  // Below a single heading, a line may have several cells: they are no columns.
  const isOneColumn = headings.every((cells) => filledCells(cells).length < 2);
  const isUsual = named?.kind === "names" ? width > 1 : named?.kind === "codes" && !named.areAhjIds;
  if (named) return isOneColumn && isUsual ? { kind: "rows" } : named;
  const filled = columns.filter(({ cells }) => cells.length > 0);
  return planOfShapes(filled, body);
}

interface Column {
  column: number;
  heading: Heading | null;
  /** The cells that are filled. */
  cells: unknown[];
}

function columnOf(column: number, headings: Rows, body: Rows): Column {
  const named = headings.map((cells) => headingOfCell(cells[column])).filter((heading) => heading !== null);
  const [heading = null] = [...named.filter(({ role }) => role !== "label"), ...named];
  return { column, heading, cells: filledCells(body.map((cells) => cells[column])) };
}

/** The text of a cell; numbers without their decimals. */
const textOf = (cell: unknown) => tidyText(String(cell)).replace(/^(\d+)\.0+$/, "$1");
const every = ({ cells }: Column, is: (cell: unknown) => boolean) => cells.length > 0 && cells.every(is);
const arePartsOf = (length: number) => (cell: unknown) =>
  /^\d+$/.test(textOf(cell)) && textOf(cell).length <= length;

function planOfHeadings(columns: readonly Column[], body: Rows): ColumnPlan | null {
  const having = (...roles: Heading["role"][]) =>
    columns.filter(({ heading }) => heading !== null && roles.includes(heading.role));
  const names = namesOfHeadings(having);
  const areas = having("area");
  const [codes] = having("geoid")
    .filter((column) => column.cells.some(isCodeCell) && !every(column, arePartsOf(3)))
    .sort((one, other) => codesIn(other) - codesIn(one));
  if (codes) {
    const area = areas.find((each) => isCodeOfArea(codes, each, body));
    if (area) return { kind: "areas", column: codes.column, words: area.heading?.words ?? null };
    return { kind: "codes", column: codes.column, areAhjIds: false, names };
  }
  const [ids] = having("ahj");
  if (ids) return { kind: "codes", column: ids.column, areAhjIds: true, names };
  const [state] = [...having("state-code"), ...having("state")];
  const [county] = having("county-code", "geoid", "county").filter((column) => every(column, arePartsOf(3)));
  const [subdivision] = having("subdivision-code");
  const [place] = having("place-code", "geoid").filter((column) => every(column, arePartsOf(5)));
  if (state && county) {
    const parts = [county.column, ...(subdivision ? [subdivision.column] : [])];
    return { kind: "parts", state: state.column, parts, digits: 3 };
  }
  if (state && place) return { kind: "parts", state: state.column, parts: [place.column], digits: 5 };
  const [listed] = having("list").filter((column) => every(column, isCodeCell) && isSurelyCodes(column));
  if (listed && names) return { kind: "codes", column: listed.column, areAhjIds: false, names };
  if (names) return { kind: "names", names };
  const [part] = [...(county ? [county] : []), ...having("place-code", "subdivision-code")];
  if (part) return { kind: "areas", column: part.column, words: null };
  const [area] = areas;
  if (area && !state) return { kind: "areas", column: area.column, words: area.heading?.words ?? null };
  if (state) return { kind: "codes", column: state.column, areAhjIds: false, names: null };
  return null;
}

const codesIn = ({ cells }: Column) => cells.filter(isCodeCell).length;

/** True if the column of codes has the codes of areas that stand beside it, with or without their state's in front. */
function isCodeOfArea(codes: Column, area: Column, body: Rows): boolean {
  const pairs = body
    .map((cells) => [cells[codes.column], cells[area.column]].map((cell) => textOf(cell ?? "")))
    .filter(([code, own]) => code !== "" && own !== "");
  return (
    pairs.length > 0 &&
    pairs.every(([code = "", own = ""]) => code.endsWith(own) && [0, 2, 5].includes(code.length - own.length))
  );
}

function namesOfHeadings(having: (...roles: Heading["role"][]) => Column[]): NameColumns | null {
  const isWords = ({ cells }: Column) => cells.some((cell) => /\p{L}/u.test(textOf(cell)));
  const [name] = having("name").filter(isWords);
  const [county] = having("county").filter(isWords);
  const [state] = having("state").filter((column) => every(column, isState));
  const named = name ?? county;
  if (!named) return null;
  return {
    name: named.column,
    county: name && county ? county.column : null,
    state: state?.column ?? null,
    areCounties: !name,
  };
}

/** Without headings, columns count only in a rectangle of two rows and columns at least. */
function planOfShapes(columns: readonly Column[], body: Rows): ColumnPlan {
  const rows = body.filter((cells) => filledCells(cells).length > 0);
  const isRectangle = columns.every(({ cells }) => cells.length === rows.length);
  if (columns.length < 2 || !isRectangle) return { kind: "rows" };
  const parts = statesAndCounties(columns, rows);
  if (parts) return parts;
  if (rows.length < 2) return { kind: "rows" };
  const codes = columns.filter((column) => every(column, isCodeCell));
  const states = columns.filter((column) => every(column, isState));
  const words = columns.filter(
    (column) => !states.includes(column) && every(column, (cell) => meaningsOfCell(cell)[0]?.kind === "name"),
  );
  const [first] = codes;
  if (first && (codes.length < columns.length || !areAlike(codes))) {
    const isSure = words.length === 0 || isSurelyCodes(first);
    if (isSure) return { kind: "codes", column: first.column, areAhjIds: false, names: null };
  }
  const [name, other] = words;
  const [state] = states;
  if (!name || states.length > 1 || (!state && words.length === columns.length)) return { kind: "rows" };
  const [county, of] = [state && other ? other.column : null, state?.column ?? null];
  return { kind: "names", names: { name: name.column, county, state: of, areCounties: false } };
}

/** Two columns side by side whose numbers are counties of states in every row. Two digits as text are a state, and no county's part. */
function statesAndCounties(columns: readonly Column[], rows: Rows): ColumnPlan | null {
  for (const [at, state] of columns.entries()) {
    const county = columns[at + 1];
    if (!county || !every(state, arePartsOf(2)) || !every(county, arePartsOf(3))) continue;
    if (every(county, (cell) => typeof cell === "string" && stateOfGeoid(cell.trim()) !== undefined))
      continue;
    const isPair = (cells: Cells) =>
      isCounty(textOf(cells[state.column]).padStart(2, "0") + textOf(cells[county.column]).padStart(3, "0"));
    if (rows.every(isPair)) return { kind: "parts", state: state.column, parts: [county.column], digits: 3 };
  }
  return null;
}

/** True if columns of codes are one list: each has codes of several lengths, or all have the same length. */
function areAlike(codes: readonly Column[]): boolean {
  const lengths = codes.map(({ cells }) => new Set(cells.map((cell) => textOf(cell).length)));
  return new Set(lengths.flatMap((each) => [...each])).size === 1 || lengths.some(({ size }) => size > 1);
}

/** True if numbers beside names are codes, and no counts or amounts: some have a zero or letters in front, or all have the same length. */
function isSurelyCodes({ cells }: Column): boolean {
  const texts = cells.map(textOf);
  if (texts.some((text) => /^0|\D/.test(text))) return true;
  return texts.length > 2 && texts.every((text) => mayBeSent(text) && text.length === texts[0]?.length);
}
