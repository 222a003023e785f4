import type { Directory } from "../directory/directory";
import { certainMeaning, nameMeanings } from "../search/name-meanings";
import type { ReadList } from "./list-entries";
import { headingOf } from "./headings";
import { meaningOfCell } from "./read-parts";

/**
 * The list with the words above its codes as its first entry, if they are no known heading, and the directory that is on the device says that
 * exactly one jurisdiction has this name. Nothing is asked for.
 */
export async function withFirstName(
  list: ReadList,
  directory: Pick<Directory, "load" | "byId">,
): Promise<ReadList> {
  const [given, ...others] = list.headings;
  if (given === undefined || others.length > 0 || headingOf(given) !== null) return list;
  const meaning = meaningOfCell(given);
  if (meaning?.kind !== "name") return list;
  const kept = await directory.load(undefined, { keptOnly: true }).catch(() => null);
  // A stored list of an earlier day would be read anew for a name.
  if (!kept?.ahjs.every(({ id }) => directory.byId(id))) return list;
  const found = (await nameMeanings([meaning.name], kept.ahjs)).get(meaning.name);
  if (!found || !certainMeaning(found)) return list;
  const row = Math.max(1, (list.entries[0]?.row ?? 2) - 1);
  return { ...list, headings: [], entries: [{ given, row, meaning }, ...list.entries] };
}
