import { finishInTurns } from "../../../async/in-turns";
import { isCounty } from "../directory/counties";
import { geoidDigits } from "../directory/geoid";
import { stateGeoids, stateOfGeoid } from "../directory/states";
import { stateCodeOf } from "../search/state-names";
import { cellsOfText } from "./cells-of-text";
import { type ColumnPlan, countHeadingRows, type NameColumns, planColumns } from "./column-plan";
import { areaInName } from "./headings";
import {
  givenText,
  type Meaning,
  meaningsOfCell,
  partsOfCell,
  type ReadPart,
  type ReadRow,
  readRow,
} from "./read-parts";
import type { ListEntry, ReadList } from "./list-entries";
import { joinedCode, none } from "./read-code";
import { tidyText } from "./tidy-text";

/**
 * Reads a pasted text or a file's: geoIDs in any lawful spelling, `ahj:` with an id, or names, one to a line or in columns, with or without
 * headings. Nothing is asked for.
 *
 *     await readListText("STATEFP\tCOUNTYFP\n06\t001") // one entry: 06001, "joined"
 */
export function readListText(text: string): Promise<ReadList> {
  return finishInTurns(readRows(cellsOfText(text.replace(/^\uFEFF/, ""))));
}

/**
 * Reads cells, row by row (rows x columns). `heading` is the text above them, such as a table's header, if it is not among them.
 */
export function readListCells(
  rows: readonly (readonly unknown[])[],
  { heading }: { heading?: string | undefined } = {},
): Promise<ReadList> {
  return finishInTurns(
    readRows(
      rows.map((cells) => ({ cells, isCutAtCommas: false })),
      heading,
    ),
  );
}

interface Row {
  cells: readonly unknown[];
  isCutAtCommas: boolean;
}

function* readRows(rows: readonly Row[], above?: string): Generator<void, ReadList> {
  const cells = rows.map((row) => row.cells);
  const top = above === undefined ? countHeadingRows(cells) : 0;
  const headings = above === undefined ? cells.slice(0, top) : [[above]];
  const plan = planColumns(headings, cells.slice(top));
  const entries: ListEntry[] = [];
  const unread = new Set<string>();
  for (const [at, row] of rows.entries()) {
    if (at < top) continue;
    const { parts, unread: beside } = partsOfRow(row, plan);
    for (const part of parts) entries.push({ ...part, row: at + 1 });
    for (const text of beside) unread.add(text);
    yield;
  }
  const headingTexts = headings.map((row) =>
    row
      .map(givenText)
      .filter((text) => text !== "")
      .join(", "),
  );
  return {
    entries: plan.kind === "rows" && headings.length === 0 ? withoutMistaken(entries) : entries,
    headings: above === undefined ? headingTexts : [],
    unread: [...unreadColumns(plan, cells, headings), ...unread],
  };
}

function partsOfRow({ cells, isCutAtCommas }: Row, plan: ColumnPlan): ReadRow {
  const whole = cells
    .map(givenText)
    .filter((text) => text !== "")
    .join(", ");
  const only = (meaning: Meaning, given = whole): ReadRow => ({ parts: [{ given, meaning }], unread: [] });
  if (whole === "") return { parts: [], unread: [] };
  switch (plan.kind) {
    case "rows":
      return readRow(cells, isCutAtCommas);
    case "codes":
      return { parts: codesOfRow(cells, plan, whole), unread: [] };
    case "parts":
      return only(joinedOfRow(cells, plan));
    case "names":
      return only(nameOfRow(cells, plan.names) ?? noCode);
    case "areas": {
      const given = givenText(cells[plan.column]);
      return given === "" ? { parts: [], unread: [] } : only(areaOf(plan.words), given);
    }
  }
}

const noCode = none("no-code", "The row has no code and no name in the columns that were read.");

function areaOf(words: string | null): Meaning {
  if (words === null) return none("part-of-code", "It is a part of a code, without the code of its state.");
  const isZip = words.includes("ZIP");
  return none(isZip ? "zip-code" : "other-area", `It is the code of ${words}, which is no jurisdiction.`);
}

function codesOfRow(
  cells: readonly unknown[],
  { column, areAhjIds, names }: ColumnPlan & { kind: "codes" },
  whole: string,
): ReadPart[] {
  const cell = cells[column];
  const given = givenText(cell);
  if (given === "") return [{ given: whole, meaning: (names && nameOfRow(cells, names)) ?? noCode }];
  const id = /^0*([1-9]\d{0,14})$/.exec(areAhjIds ? tidyText(String(cell)) : "")?.[1];
  if (id !== undefined) return [{ given, meaning: { kind: "ahj", id: Number(id), how: "as-given" } }];
  const area = names && areaInName(givenText(cells[names.name]));
  return area ? [{ given, meaning: areaOf(area) }] : partsOfCell(cell);
}

/** Joins the code of a state, which may be its postal code or name, with the code of a part of it. */
function joinedOfRow(
  cells: readonly unknown[],
  { state, parts, digits }: ColumnPlan & { kind: "parts" },
): Meaning {
  const stateText = tidyText(String(cells[state] ?? ""));
  const postal = stateCodeOf(stateText);
  const fips = postal === undefined ? stateText : stateGeoids.find((geoid) => stateOfGeoid(geoid) === postal);
  const [first = "", ...others] = parts.map((part) =>
    tidyText(String(cells[part] ?? "")).replace(/\.0+$/, ""),
  );
  if (!fips || !/^\d{1,2}$/.test(fips.replace(/\.0+$/, "")) || !/^\d+$/.test(first)) return noCode;
  const subdivision = others[0] ? others[0].padStart(5, "0") : "";
  return joinedCode(fips.replace(/\.0+$/, ""), first.padStart(digits, "0"), subdivision);
}

/** The name in a row's columns, with its county and its state; null if there is none. */
function nameOfRow(
  cells: readonly unknown[],
  { name, county, state, areCounties }: NameColumns,
): Meaning | null {
  const textOf = (column: number | null) => (column === null ? "" : givenText(cells[column]));
  const [own] = meaningsOfCell(cells[name]);
  if (!own) return null;
  if (own.kind !== "name") return own;
  const isBare =
    areCounties &&
    !/\b(?:county|parish|borough|census area|municipality|municipio|city|region)\b/i.test(own.name);
  const kind = stateCodeOf(textOf(state)) === "LA" ? "Parish" : "County";
  const whole = isBare && !own.name.includes(",") ? `${own.name} ${kind}` : own.name;
  const parts = [whole, textOf(county), textOf(state)].filter((part) => part !== "");
  return { kind: "name", name: parts.join(", "), how: "name" };
}

/** The headings or numbers of the columns that were not read although they are filled. */
function unreadColumns(
  plan: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  headings: readonly (readonly unknown[])[],
): string[] {
  if (plan.kind === "rows") return [];
  const read = new Set<number | null>(
    plan.kind === "parts"
      ? [plan.state, ...plan.parts]
      : plan.kind === "names"
        ? [plan.names.name, plan.names.county, plan.names.state]
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

/**
 * Without headings, all entries together tell ZIP codes and census tracts: if most five-digit entries are no county's code, the few that are
 * one by chance are no counties; and so with numbers of tracts that lost their zero.
 */
function withoutMistaken(entries: ListEntry[]): ListEntry[] {
  const countOf = (is: (entry: ListEntry) => boolean) => entries.filter(is).length;
  const looksLikeZip = ({ given, meaning }: ListEntry) =>
    /^\d{5}$/.test(given) && meaning.kind === "none" && meaning.why.startsWith("no-such");
  const isFive = ({ given, meaning }: ListEntry) =>
    /^\d{5}$/.test(given) && meaning.kind === "geoid" && meaning.how === "as-given";
  const isTract = ({ given, meaning }: ListEntry) =>
    /^\d{10}$/.test(given) && meaning.kind === "none" && meaning.county !== undefined;
  const mayBeTract = ({ given, meaning }: ListEntry) =>
    /^\d{10}$/.test(given) && meaning.kind === "geoid" && isCounty(`0${given}`.slice(0, geoidDigits.county));
  const [zips, tracts] = [countOf(looksLikeZip), countOf(isTract)];
  const areZips = zips >= fewMistaken && zips > fewMistaken * countOf(isFive);
  const areTracts = tracts > countOf(mayBeTract);
  return entries.map((entry) => {
    if (areZips && isFive(entry)) return { ...entry, meaning: maybeZip };
    if (!areTracts || !mayBeTract(entry)) return entry;
    const county = `0${entry.given}`.slice(0, geoidDigits.county);
    const sentence = "It is the code of a census tract of {county}, like others of this list.";
    return { ...entry, meaning: none("other-area", sentence, county) };
  });
}

const maybeZip = none(
  "zip-code",
  "Most five-digit entries of this list are no county's code, so they may be ZIP codes. It was not asked.",
);
