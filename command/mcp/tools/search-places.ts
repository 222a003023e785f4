import { z } from "zod";
import type { Ahj } from "../../../src/engine/api/schemas";
import { createPlaces } from "../../../src/engine/lookup/directory/places";
import { byStateAndName } from "../../../src/engine/lookup/directory/state-and-name";
import { type AhjFinder, createAhjFinder } from "../../../src/engine/lookup/search/find-ahjs";
import { stateCodeOf } from "../../../src/engine/lookup/search/state-names";
import { CommandFailure } from "../../command-failure";
import { printableLine } from "../../output/printable";
import { argumentsOf, pageOf, pageWords, paging, place, placeColumns, placeOf, placeRow } from "../shapes";
import { tool } from "../tool";

const pageSize = 50;
/** As many as the finder ranks. */
const mostFound = 1_000;

/** The list that was searched last, with its finder: to prepare thirty thousand places takes longer than to search them. */
let last: { ahjs: readonly Ahj[]; finder: Promise<AhjFinder> } | undefined;

function finderOf(ahjs: readonly Ahj[]): Promise<AhjFinder> {
  const isLast = last?.ahjs.length === ahjs.length && ahjs.every((ahj, at) => ahj === last?.ahjs[at]);
  if (!last || !isLast) last = { ahjs, finder: createAhjFinder(ahjs, createPlaces(ahjs)) };
  return last.finder;
}

export const searchPlaces = tool({
  name: "search_places",
  title: "Search places",
  description:
    "Finds states, counties, cities and utilities by name, state and kind, with their ids and geoIDs.",
  input: z.strictObject({
    name: z.string().max(100).default("").describe("Words of the name, or the beginning of a geoID."),
    state: z.string().max(40).optional().describe('A state\'s code or name, such as "CA".'),
    kind: z.string().max(40).optional().describe('A kind, such as "county" or "city".'),
    page: argumentsOf.page,
  }),
  output: z.object({
    ...paging.shape,
    places: z.array(place),
    not_listed: z.int().describe("Places that the service counts and does not list."),
  }),
  async run({ name, state: given, kind, page }, { connected, io }) {
    const state = given === undefined ? undefined : stateOf(given);
    if (name.trim() === "" && state === undefined)
      throw new CommandFailure("usage", "Give a name, a state, or both.");
    const { lookup } = (await connected()).session;
    const { ahjs, missing } = await lookup.directory.list(state, { signal: io.signal });
    const text = name.trim();
    const found = (await finderOf(ahjs)).find(
      { text, state, kind: kind?.trim().toLowerCase() },
      text === "" ? ahjs.length : mostFound,
    );
    const ordered = text === "" ? [...found].sort(byStateAndName) : found;
    const { own, paging: at } = pageOf(ordered, page, pageSize);
    const places = own.map(placeOf);
    const title = `Places found: ${at.total.toLocaleString("en-US")}${pageWords(at)}.`;
    return {
      structured: { ...at, places, not_listed: missing },
      text: [{ title, columns: placeColumns, rows: places.map(placeRow) }],
    };
  },
});

function stateOf(text: string): string {
  const state = /^[a-z]{2}$/i.test(text.trim()) ? text.trim().toUpperCase() : stateCodeOf(text);
  if (state === undefined)
    throw new CommandFailure("usage", `"${printableLine(text, 60)}" is no state, such as CA or California.`);
  return state;
}
