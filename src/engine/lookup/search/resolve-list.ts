import type { Ahj } from "../../api/schemas";
import { Failure, type FailureKind } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Details } from "../directory/ahj-details";
import type { Directory } from "../directory/directory";
import { identifyAhjs } from "../directory/identify";
import type { JurisdictionList } from "./jurisdiction-list";
import { type NameMeaning, nameMeanings } from "./name-meanings";
import { mayBeSent } from "../directory/geoid";

/** What the entries of a list stand for; each is in exactly one of these. */
export interface ResolvedList {
  /** By geoID or AHJ id, as `ahj:123`. */
  found: { entry: string; ahj: Ahj }[];
  /** By name, where one alone has it. */
  named: { name: string; ahj: Ahj }[];
  /** Names that several have, or nobody has though some may be meant. */
  ambiguous: NameQuestion[];
  /** GeoIDs, AHJ ids as `ahj:123`, and names that give none, and why. */
  unmatched: { entry: string; kind: FailureKind }[];
}

/** A name that somebody has to decide about. */
export interface NameQuestion extends NameMeaning {
  name: string;
}

export interface ResolveListOptions extends ExchangeOptions {
  state?: string | undefined;
  maySend?: ((question: SendQuestion) => Promise<boolean>) | undefined;
}

/** Most of a list is in no directory: it may be a column of something else. */
export interface SendQuestion {
  /** GeoIDs of the list that the directory has, and those that it lacks. */
  found: number;
  lacking: readonly string[];
}

/** A list of so many geoIDs is sent without a look at the directory: as many may be formulas of a small table. */
const mostSentUnseen = 20;

/**
 * Looks a list's entries up, names in the whole directory. `state` decides between namesakes. Of a long list nothing is
 * sent before it is clear that it is one of geoIDs: `maySend` is asked where less than half of them is in the directory.
 * Without its consent the others are unresolved. Fails where the service can't be asked.
 */
export async function resolveList(
  { names, geoids, ahjIds }: JurisdictionList,
  { directory, details }: { directory: Directory; details: Details },
  { state, maySend, ...options }: ResolveListOptions = {},
): Promise<ResolvedList> {
  const resolved: ResolvedList = { found: [], named: [], ambiguous: [], unmatched: [] };
  if (names.length > 0) {
    // First: with the whole directory at hand, geoIDs cost nothing.
    const { ahjs } = await directory.load(undefined, options);
    for (const [name, meaning] of await nameMeanings(names, ahjs, state)) {
      const [ahj, other] = meaning.candidates;
      if (!ahj) resolved.unmatched.push({ entry: name, kind: "nothing-found" });
      else if (other || meaning.guess) resolved.ambiguous.push({ name, ...meaning });
      else resolved.named.push({ name, ahj });
    }
  }
  const take = (entry: string, outcome: Ahj | Failure) => {
    if (!(outcome instanceof Failure)) resolved.found.push({ entry, ahj: outcome });
    else if (unmatchedKinds.has(outcome.kind)) resolved.unmatched.push({ entry, kind: outcome.kind });
    else throw outcome;
  };
  const withheld = new Set(await geoidsToWithhold(geoids, directory, { maySend, ...options }));
  for (const geoid of withheld) resolved.unmatched.push({ entry: geoid, kind: "unresolved-jurisdiction" });
  const hopeless = new Set(notGeoids(geoids, directory));
  for (const geoid of hopeless) resolved.unmatched.push({ entry: geoid, kind: "not-a-geoid" });
  const wanted = geoids.filter((geoid) => !withheld.has(geoid) && !hopeless.has(geoid));
  for (const [geoid, outcome] of await directory.resolve(wanted, options)) take(geoid, outcome);
  const byId = await identifyAhjs(ahjIds, { directory, details, denied: new Map() }, options);
  for (const ahjId of ahjIds) take(`ahj:${ahjId}`, byId.get(ahjId) ?? new Failure("unresolved-jurisdiction"));
  return resolved;
}

/** Those geoIDs of a long list that the directory lacks, where the user doesn't want to have them sent. */
async function geoidsToWithhold(
  geoids: readonly string[],
  directory: Directory,
  { maySend, ...options }: Omit<ResolveListOptions, "state">,
): Promise<readonly string[]> {
  if (geoids.length <= mostSentUnseen) return [];
  await directory.readListsOf(geoids, options);
  const isFound = (geoid: string) => {
    const resolution = directory.resolved(geoid);
    return resolution !== undefined && !(resolution instanceof Failure);
  };
  const lacking = geoids.filter((geoid) => mayBeSent(geoid) && !isFound(geoid));
  const found = geoids.filter(isFound).length;
  if (!maySend || lacking.length <= found) return [];
  return (await maySend({ found, lacking })) ? [] : lacking;
}

/**
 * Digits that begin with no state's code, among others that do: only the whole directory could tell of them, which may take dozens of
 * requests for a mistake in typing.
 */
function notGeoids(geoids: readonly string[], directory: Pick<Directory, "resolved">): string[] {
  const others = geoids.filter((geoid) => !mayBeSent(geoid) && !directory.resolved(geoid));
  return others.length < geoids.length ? others : [];
}

const unmatchedKinds = new Set<FailureKind>([
  "not-a-geoid",
  "unknown-jurisdiction",
  "outside-subscription",
  "unresolved-jurisdiction",
]);
