import { z } from "zod";
import type { Ahj, DataPointType } from "../../src/engine/api/schemas";
import { type Lacking, lackingJson } from "../imports/import-report";
import { printableLine } from "../output/printable";
import { type NamedJurisdictions, wordsOf, type Word } from "../imports/where";
import type { Folders } from "./folders";
import type { TextTable } from "./text-table";

/** A list of short texts, such as the words behind an option. */
const texts = (most: number, about: string) =>
  z.array(z.string().trim().min(1).max(200)).min(1).max(most).describe(about);

/** The arguments that several tools have. They are called like the command's options. */
export const argumentsOf = {
  where: texts(
    200,
    'Places: states ("CA"), kinds beside them ("counties"), geoIDs ("06001"), names with their state ("Alameda County, CA"), "ahj:" and an id, "all", or "@" and a file with a list.',
  ),
  question: texts(20, "Questions by their ids or whole names; search_questions finds them."),
  page: z.int().min(1).max(100_000).default(1).describe("The page of the result; the first is 1."),
  path: z.string().min(1).max(1_000),
  output: z
    .string()
    .min(1)
    .max(1_000)
    .regex(/\.xlsx$/i, "must end with .xlsx")
    .describe("The file to write, in one of the server's folders, where no file is yet."),
};

/** The words of `where`, whose lists are only read in the server's folders. Fails as `wordsOf` does. */
export async function whereIn(folders: Folders, where: readonly string[]): Promise<Word[]> {
  const allowed: string[] = [];
  for (const word of where)
    allowed.push(word.startsWith("@") ? `@${await folders.file(word.slice(1))}` : word);
  return wordsOf(allowed);
}

export const place = z.object({
  ahj_id: z.int(),
  geoid: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  state: z.string(),
});

export function placeOf({ id, geoid, name, type, state_code: state }: Ahj): z.output<typeof place> {
  return { ahj_id: id, geoid, name, type, state };
}

export const placeColumns = ["ahj_id", "geoid", "name", "type", "state"];

export function placeRow({ ahj_id, geoid, name, type, state }: z.output<typeof place>) {
  return [ahj_id, geoid, name, type, state];
}

export const question = z.object({ id: z.int(), name: z.string(), unit: z.string().nullable() });

export function questionOf({ id, name, unit_of_measure: unit }: DataPointType): z.output<typeof question> {
  return { id, name, unit: unit ?? null };
}

/** The place of a page among all. */
export const paging = z.object({
  total: z.int().describe("The number of items on all pages."),
  page: z.int(),
  pages: z.int(),
});

/** The items of one page. A page behind the last one has none. */
export function pageOf<Item>(
  items: readonly Item[],
  page: number,
  size: number,
): { own: readonly Item[]; paging: z.output<typeof paging> } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  return {
    own: items.slice((page - 1) * size, page * size),
    paging: { total: items.length, page, pages },
  };
}

/** `, page 1 of 3`, or nothing where all is on one page. */
export function pageWords({ page, pages }: z.output<typeof paging>): string {
  return pages > 1 || page > 1 ? `, page ${page} of ${pages}` : "";
}

/** A list that may be long: its first items, and how many there are. */
export const cutList = <Item extends z.ZodType>(item: Item) =>
  z.object({ total: z.int(), first: z.array(item) });

/** The number of items that a result has of such a list. */
const mostItems = 200;

export function cut<Item>(items: readonly Item[]): { total: number; first: Item[] } {
  return { total: items.length, first: items.slice(0, mostItems) };
}

/** A line may name thirty thousand places. */
const mostCharacters = 1_000;

/** Everything that was asked for and is missing, by the names of the command's JSON. */
export const lacking = z.object({
  lists: z.array(z.object({ name: z.string(), ...cutList(z.string()).shape })),
  remarks: z.array(z.string()),
});

export function lackingOf(all: Lacking): z.output<typeof lacking> {
  const { remarks, ...lists } = lackingJson(all);
  return {
    lists: Object.entries(lists).map(([name, lines]) => ({
      name,
      ...cut(lines.map((line) => printableLine(line, mostCharacters))),
    })),
    remarks,
  };
}

/** Places that were named and not found, for a result that has no report of an import. */
export function lackingOfNamed({ notFound, corrections, missing: notListed }: NamedJurisdictions): Lacking {
  return { report: null, notFound, corrections, notListed };
}

/** The number of lines that the text shows of each list. */
const mostLines = 5;

export function lackingTables({ lists, remarks }: z.output<typeof lacking>): TextTable[] {
  const rows = lists.flatMap(({ name, total, first }) =>
    first.slice(0, mostLines).map((line) => [name, total, line]),
  );
  return [
    ...(rows.length > 0 ? [{ title: "Missing or changed:", columns: ["list", "total", "entry"], rows }] : []),
    ...(remarks.length > 0
      ? [{ title: "Remarks:", columns: ["remark"], rows: remarks.map((remark) => [remark]) }]
      : []),
  ];
}
