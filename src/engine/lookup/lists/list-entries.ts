import { nameKey } from "../search/plain-name";
import type { Meaning, ReadPart } from "./read-parts";

/** An entry of a list, as the list has it, and what it means. */
export interface ListEntry extends ReadPart {
  /** The line of the text, or the row of the sheet or list, that it stands in, from 1 on, headings and blank ones included. */
  row: number;
}

/** A list as it was read. */
export interface ReadList {
  /** Every entry, in the order of the list; entries that the list repeats stand in it as often. */
  entries: ListEntry[];
  /** The texts of the rows that were read as headings. */
  headings: string[];
  /** The texts of columns, or of cells beside codes, that were not read. */
  unread: string[];
  /** The heading of a column that was read although it was not selected; undefined if there is none. */
  joined?: string | undefined;
  /** The column that says most about a row, counted from 0: that of the codes or names. */
  column: number;
}

const codeOf = (meaning: Meaning): string | undefined =>
  meaning.kind === "geoid" ? meaning.geoid : meaning.kind === "ahj" ? `ahj:${meaning.id}` : undefined;

/** The key of what an entry asks for: a geoID, `ahj:` and an id, or a name; null if it asks for nothing. */
export function keyOf(meaning: Meaning): string | null {
  return codeOf(meaning) ?? (meaning.kind === "name" ? nameKey(meaning.name) : null);
}

/** True if an entry is a name, which the directory has to be read for. */
export const isNameOf = ({ meaning }: ListEntry): boolean => meaning.kind === "name";

/** True if a list asks for nothing and names nothing that was not understood. */
export const isEmptyList = ({ entries, headings }: ReadList): boolean =>
  entries.length + headings.length === 0;
