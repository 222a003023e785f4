import { finishInTurns } from "../../../async/in-turns";
import { isCounty } from "../directory/counties";
import { geoidDigits } from "../directory/geoid";
import { stateGeoids, stateOfGeoid } from "../directory/states";
import { cellsOfText } from "./cells-of-text";
import {
  type ColumnPlan,
  countHeadingRows,
  mainColumn,
  type NameColumns,
  type PartColumns,
  planListColumns,
  textOfCell,
} from "./column-plan";
import { areaInName, type Heading, headingOf } from "./headings";
import type { ListEntry, ReadList } from "./list-entries";
import { joinedCode, none, type NotUnderstood, readCode } from "./read-code";
import {
  givenText,
  inState,
  isState,
  type Meaning,
  meaningsOfCell,
  partsOfCell,
  type ReadPart,
  readRow,
  type ReadRow,
  stateOfCell,
  stateOfName,
} from "./read-parts";

/**
 * Reads a pasted text or a file's: geoIDs in any lawful spelling, `ahj:` with an id, or names, one to a line or in columns, with or without
 * headings. Nothing is asked for.
 *
 *     await readListText("STATEFP\tCOUNTYFP\n06\t001") // one entry: 06001, "joined"
 */
export function readListText(text: string): Promise<ReadList> {
  return finishInTurns(readRows(cellsOfText(text.replace(/^(?:\uFEFF|ï»¿)/, ""))));
}

/**
 * Reads cells, row by row (rows x columns). `headings` are the texts above the columns, such as a table's headers, if they are not among
 * the cells. `rowNumbers` are the rows' numbers in their sheet, if they don't begin with 1 or don't follow each other.
 */
export function readListCells(
  rows: readonly (readonly unknown[])[],
  {
    headings,
    rowNumbers,
  }: { headings?: readonly string[] | undefined; rowNumbers?: readonly number[] | undefined } = {},
): Promise<ReadList> {
  return finishInTurns(
    readRows(
      rows.map((cells, at) => ({ cells, sign: "\t", number: rowNumbers?.[at] })),
      headings,
    ),
  );
}

interface Row {
  cells: readonly unknown[];
  /** The sign between the cells, of a text. */
  sign: string;
  /** Its number, if it is not its place. */
  number?: number | undefined;
}

function* readRows(given: readonly Row[], above?: readonly string[]): Generator<void, ReadList> {
  const rows = realigned(given);
  const cells = rows.map((row) => row.cells);
  const top = above === undefined ? countHeadingRows(cells) : 0;
  const headings = (above === undefined ? cells.slice(0, top) : [above]).filter(isFilled);
  const plan = planListColumns(headings, cells.slice(top));
  const entries: ListEntry[] = [];
  const unread = new Set<string>();
  for (const [at, row] of rows.entries()) {
    if (at < top) continue;
    const read = partsOfRow(row, plan);
    for (const part of read.parts) entries.push({ ...part, row: row.number ?? at + 1 });
    for (const text of read.unread) unread.add(text);
    yield;
  }
  const roles = new Set(headings.flatMap((row) => row.map((cell) => headingOf(givenText(cell))?.role)));
  const isId = headings.some((row) => /^ids?$/i.test(wholeText(row)));
  return {
    entries: withoutMistaken(entries, plan, { roles, isId }),
    headings: above === undefined ? headings.map(wholeText) : [],
    unread: [...unreadColumns(plan, cells, headings), ...unread],
    column: mainColumn(plan),
  };
}

/** A state behind a comma that no quotes protect is no cell of its own, if its row has more cells than the headings. */
function realigned(rows: readonly Row[]): readonly Row[] {
  const [first] = rows;
  const width = first?.cells.length ?? 0;
  const isHeading = (cell: unknown) => headingOf(givenText(cell)) !== null;
  if (first?.sign !== "," || width < 2 || !first.cells.some(isHeading)) return rows;
  return rows.map((row) => {
    const cells = [...row.cells];
    for (let at = 1; at < cells.length && cells.length > width; at += 1) {
      if (!isState(cells[at])) continue;
      cells.splice(at - 1, 2, `${givenText(cells[at - 1])}, ${givenText(cells[at])}`);
    }
    return { ...row, cells };
  });
}

const isFilled = (cells: readonly unknown[]) => cells.some((cell) => givenText(cell) !== "");
const wholeText = (cells: readonly unknown[]) =>
  cells
    .map(givenText)
    .filter((text) => text !== "")
    .join(", ");

function partsOfRow({ cells, sign }: Row, plan: ColumnPlan): ReadRow {
  const whole = wholeText(cells);
  const only = (meaning: Meaning, given = whole): ReadRow => ({ parts: [{ given, meaning }], unread: [] });
  if (whole === "") return { parts: [], unread: [] };
  switch (plan.kind) {
    case "rows":
      return readRow(cells, sign);
    case "codes":
      return { parts: codesOfRow(cells, plan, whole), unread: [] };
    case "parts":
      return only(joinedOfRow(cells, plan.parts));
    case "names":
      return only(nameOfRow(cells, plan.names) ?? noCode);
    case "areas":
      return only(areaOfRow(cells, plan), givenText(cells[plan.column]) || whole);
    case "others":
      return only(otherOfRow(cells, plan), whole);
  }
}

const noCode = none("no-code", "The row has no code and no name in the columns that were read.");
const partOfCode = none("part-of-code", "It is a part of a code, without the code of its state.");

/** A number below a heading that says that it is something else. If it may be a code all the same, that is offered. */
function otherOfRow(cells: readonly unknown[], { column, why }: ColumnPlan & { kind: "others" }): Meaning {
  if (why !== "figures") return why === "part-of-code" ? partOfCode : noCode;
  const [own, another] = meaningsOfCell(cells[column]);
  const isCode = own?.kind === "geoid" && !another && !own.isOwn;
  return isCode ? { ...figure, code: own.geoid } : figure;
}

const figure = none("no-code", "Its heading says that it is something else.");

function areaOf(words: string, county?: string): Meaning {
  const why = words.includes("ZIP") ? "zip-code" : "other-area";
  return county === undefined
    ? none(why, `It is the code of ${words}, which is no jurisdiction.`)
    : none(why, `It is the code of ${words} of {county}.`, county);
}

function areaOfRow(
  cells: readonly unknown[],
  { column, words, county }: ColumnPlan & { kind: "areas" },
): Meaning {
  const joined = county && joinedOfRow(cells, { ...county, place: null, subdivision: null });
  if (givenText(cells[column]) === "") return noCode;
  const isOfCounty = joined?.kind === "geoid" && joined.geoid.length === geoidDigits.county;
  return areaOf(words, isOfCounty ? joined.geoid : undefined);
}

function codesOfRow(
  cells: readonly unknown[],
  { column, areAhjIds, names, state }: ColumnPlan & { kind: "codes" },
  whole: string,
): ReadPart[] {
  const cell = cells[column];
  const given = givenText(cell);
  if (given === "") return [{ given: whole, meaning: (names && nameOfRow(cells, names)) ?? noCode }];
  const id = /^0*([1-9]\d{0,14})$/.exec(areAhjIds ? textOfCell(cell) : "")?.[1];
  if (id !== undefined) return [{ given, meaning: { kind: "ahj", id: Number(id), how: "as-given" } }];
  const area = names && areaInName(givenText(cells[names.name]));
  if (area) return [{ given, meaning: areaOf(area) }];
  const told = state === null ? undefined : stateOfCell(cells[state]);
  const named = told ?? (names ? stateOfName(cells[names.name]) : undefined);
  // Up to three digits are the state's own code, or the code of one of its counties.
  const digits = textOfCell(cell);
  const fips = fipsOf(told);
  if (fips !== undefined && /^\d{1,3}$/.test(digits)) {
    const isOfState = digits.padStart(2, "0") === fips;
    const meaning = isOfState ? readCode(Number(digits)) : null;
    return [{ given, meaning: meaning ?? joinedCode(fips, digits.padStart(3, "0")) }];
  }
  return partsOfCell(cell).map((part) => ({ ...part, meaning: inState(part.meaning, named) }));
}

/** The two digits of a state. */
const fipsOf = (postal: string | undefined): string | undefined =>
  postal === undefined ? undefined : stateGeoids.find((geoid) => stateOfGeoid(geoid) === postal);

/**
 * Joins the code of a state, which may be its postal code or name, with the code of a part of it. A whole code in place of a part is taken
 * if it lies in the state, and zeros in place of a part stand for all of the state or county.
 */
function joinedOfRow(cells: readonly unknown[], { state, county, place, subdivision }: PartColumns): Meaning {
  const digitsIn = (column: number | null) => {
    const text = column === null ? "" : textOfCell(cells[column]);
    return /^\d+$/.test(text) && !/^0+$/.test(text) ? text : "";
  };
  const isZero = (column: number | null) => column !== null && /^0+$/.test(textOfCell(cells[column]));
  const told = state === null ? undefined : stateOfCell(cells[state]);
  const stateText = state === null ? "" : textOfCell(cells[state]);
  const fips = told === undefined && /^\d{1,2}$/.test(stateText) ? stateText : fipsOf(told);
  const [countyPart, placePart, subdivisionPart] = [county, place, subdivision].map(digitsIn) as [
    string,
    string,
    string,
  ];
  // A column of parts may have whole codes in any spelling.
  for (const [column, most] of [
    [place, 5],
    [county, 3],
  ] as const) {
    const cell = column === null ? "" : cells[column];
    const isPart = /^\d*$/.test(textOfCell(cell)) && textOfCell(cell).length <= most;
    const code = isPart ? null : readCode(cell);
    if (code?.kind === "geoid" && !code.isOwn && subdivisionPart === "") return inState(code, told);
  }
  if (fips === undefined) return countyPart + placePart === "" ? noCode : partOfCode;
  if (placePart !== "" && countyPart === "")
    return Number(placePart) < mostPlaceCode ? joinedCode(fips, placePart.padStart(5, "0")) : noCode;
  if (countyPart !== "") {
    const digits = countyPart.padStart(3, "0");
    if (subdivisionPart !== "") return joinedCode(fips, digits, subdivisionPart.padStart(5, "0"));
    if (placePart !== "" && Number(placePart) < mostPlaceCode)
      return joinedCode(fips, placePart.padStart(5, "0"));
    return joinedCode(fips, digits);
  }
  const isWholeState = [county, place, subdivision].some(isZero);
  return isWholeState ? { kind: "geoid", geoid: fips, how: "whole-state" } : noCode;
}

/** The codes of places end before this; what follows are counties and others (US Census Bureau, FIPS 55). */
const mostPlaceCode = 99_000;

/** The name in a row's columns, with its county and its state; null if there is none. */
function nameOfRow(
  cells: readonly unknown[],
  { name, county, state, areCounties }: NameColumns,
): Meaning | null {
  const textOf = (column: number | null) => (column === null ? "" : textOfCell(cells[column]));
  const told = state === null ? undefined : stateOfCell(cells[state]);
  const stateText =
    told === undefined || isState(textOf(state)) ? (told === undefined ? "" : textOf(state)) : told;
  const ofPlace = meaningsOfCell(cells[name]);
  const [own] = ofPlace.length > 0 || county === null ? ofPlace : meaningsOfCell(cells[county]);
  if (!own) return null;
  if (own.kind !== "name") return inState(own, told);
  const areOfCounty = areCounties || (ofPlace.length === 0 && county !== null);
  const parts = [
    areOfCounty ? asCounty(own.name, told) : own.name,
    ofPlace.length > 0 && county !== null ? asCounty(textOf(county), told) : "",
    stateText,
  ];
  return { kind: "name", name: parts.filter((part) => part !== "").join(", "), how: "name" };
}

/** A name in a column of counties, which may lack the word. Alaska, the District and Puerto Rico have other words. */
function asCounty(name: string, state: string | undefined): string {
  const kinds =
    /\b(?:county|parish|borough|census area|municipality|municipio|city|region|co\.|cnty)(?=\W|$)/i;
  const isWhole = name === "" || kinds.test(name) || name.includes(",") || otherKinds.has(state);
  return isWhole ? name : `${name} ${state === "LA" ? "Parish" : "County"}`;
}

const otherKinds = new Set<string | undefined>(["AK", "DC", "PR"]);

/** The headings or numbers of the columns that were not read although they are filled. */
function unreadColumns(
  plan: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  headings: readonly (readonly unknown[])[],
): string[] {
  if (plan.kind === "rows") return [];
  const read = new Set<number | null>(
    plan.kind === "parts"
      ? Object.values(plan.parts)
      : plan.kind === "names"
        ? [plan.names.name, plan.names.county, plan.names.state]
        : plan.kind === "codes"
          ? [plan.column, plan.state]
          : [plan.column],
  );
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  const isUnread = (column: number) =>
    !read.has(column) && rows.some((cells) => givenText(cells[column]) !== "");
  const titleOf = (column: number) =>
    headings.map((cells) => givenText(cells[column])).find((text) => text !== "") ?? `column ${column + 1}`;
  return Array.from({ length: width }, (_, column) => column)
    .filter(isUnread)
    .map(titleOf);
}

const fewMistaken = 3;
/** If a larger part of a list's five-digit entries is no county's code, the others are counties by chance. */
const mostMistaken = 1 / 4;

type Roles = ReadonlySet<Heading["role"] | undefined>;

/**
 * All entries together tell ZIP codes, census tracts and numbers of rows, as far as no heading says what the codes are: if many five-digit
 * entries are no county's code, the others are one by chance; and so with numbers of tracts that lost their zero, and with 1, 2, 3.
 */
function withoutMistaken(
  entries: ListEntry[],
  plan: ColumnPlan,
  { roles, isId }: { roles: Roles; isId: boolean },
): ListEntry[] {
  const isList = plan.kind === "rows" || (plan.kind === "codes" && !plan.areAhjIds && plan.state === null);
  if (!isList) return entries;
  const areStates = roles.has("state") || roles.has("state-code");
  const areCodes = areStates || roles.has("geoid") || roles.has("county-code") || roles.has("place-code");
  const doubts = [...(areStates ? [] : [doubtOfRows(entries, isId)])];
  if (!areCodes && plan.kind === "rows") doubts.push(doubtOfZips(entries), doubtOfTracts(entries));
  const all = doubts.filter((doubt) => doubt !== null);
  return entries.map((entry) => {
    const why = all.map((doubt) => doubt(entry)).find((each) => each !== null);
    return why ? { ...entry, meaning: why } : entry;
  });
}

/** The meaning that an entry has in place of its own; null if its own holds. */
type Doubt = (entry: ListEntry) => Meaning | null;

const isNone = ({ meaning }: ListEntry) => meaning.kind === "none" && meaning.why.startsWith("no-such");
const isFound = ({ meaning }: ListEntry) => meaning.kind === "geoid" && !meaning.isOwn;
const countOf = (entries: readonly ListEntry[], is: (entry: ListEntry) => boolean) =>
  entries.filter(is).length;

function doubtOfZips(entries: readonly ListEntry[]): Doubt | null {
  const isFive = ({ given }: ListEntry) => /^\d{4,5}$/.test(given);
  const zips = countOf(entries, (entry) => isFive(entry) && isNone(entry));
  const counties = countOf(entries, (entry) => isFive(entry) && isFound(entry));
  if (zips < fewMistaken || zips <= mostMistaken * (zips + counties)) return null;
  return (entry) => (isFive(entry) && isFound(entry) ? mistaken(entry, maybeZip) : null);
}

function doubtOfRows(entries: readonly ListEntry[], isId: boolean): Doubt | null {
  const isShort = ({ given }: ListEntry) => /^\d{1,2}$/.test(given);
  const isWrong = (entry: ListEntry) => isShort(entry) && isNone(entry);
  if (!isId && countOf(entries, isWrong) === 0) return null;
  return (entry) => (isShort(entry) && isFound(entry) ? mistaken(entry, maybeRow) : null);
}

function doubtOfTracts(entries: readonly ListEntry[]): Doubt | null {
  const countyOf = ({ given }: ListEntry) => `0${given}`.slice(0, geoidDigits.county);
  const isTen = ({ given }: ListEntry) => /^\d{10}$/.test(given);
  const isTract = ({ meaning }: ListEntry) => meaning.kind === "none" && meaning.county !== undefined;
  const mayBe = (entry: ListEntry) => isTen(entry) && isFound(entry) && isCounty(countyOf(entry));
  if (countOf(entries, (entry) => isTen(entry) && isTract(entry)) <= countOf(entries, mayBe)) return null;
  const sentence = "It is the code of a census tract of {county}, like others of this list.";
  return (entry) => (mayBe(entry) ? none("other-area", sentence, countyOf(entry)) : null);
}

/** An entry that is left out by mistake can be taken all the same: its code is offered. */
const mistaken = ({ meaning }: ListEntry, why: NotUnderstood): Meaning =>
  meaning.kind === "geoid" ? { ...why, code: meaning.geoid } : why;

const maybeZip = none(
  "zip-code",
  "Many five-digit entries of this list are no county's code, so it may be a ZIP code.",
);
const maybeRow = none("no-such-state", "Others like it are no state's code, so it may be another number.");
