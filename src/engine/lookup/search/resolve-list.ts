import type { Ahj } from "../../api/schemas";
import { Failure, type FailureKind } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Details } from "../directory/ahj-details";
import type { Directory } from "../directory/directory";
import { identifyAhjs } from "../directory/identify";
import type { JurisdictionList } from "./jurisdiction-list";
import { type NameMeaning, nameMeanings } from "./name-meanings";
import { mayBeSent } from "../directory/geoid";

/** The meanings of a list's entries. Each entry is in exactly one of these. */
export interface ResolvedList {
  /** Entries found by geoID, or by AHJ id as `ahj:123`. */
  found: { entry: string; ahj: Ahj }[];
  /** Names that exactly one jurisdiction has. */
  named: { name: string; ahj: Ahj }[];
  /** Names that several jurisdictions have, and names that none has though some may be meant. */
  ambiguous: NameQuestion[];
  /** GeoIDs, AHJ ids as `ahj:123`, and names that stand for no jurisdiction, with the reason. */
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

/** Asked when most of a list is not in the directory, because it may be a column of something else. */
export interface SendQuestion {
  /** The number of the list's geoIDs that the directory has, and the geoIDs that it lacks. */
  found: number;
  lacking: readonly string[];
}

/** A list of up to this many geoIDs is sent without a look at the directory, because a small table may have as many formulas. */
const mostSentUnseen = 20;

/**
 * Looks a list's entries up; names are looked up in the whole directory. `state` decides between namesakes. A long list is not sent before
 * it is clear that it holds geoIDs: `maySend` is asked if less than half of it is in the directory. Without its consent the other geoIDs
 * stay unresolved. Fails if the service can't be asked.
 */
export async function resolveList(
  { names, geoids, ahjIds }: JurisdictionList,
  { directory, details }: { directory: Directory; details: Details },
  { state, maySend, ...options }: ResolveListOptions = {},
): Promise<ResolvedList> {
  const resolved: ResolvedList = { found: [], named: [], ambiguous: [], unmatched: [] };
  if (names.length > 0) {
    // Names come first: with the whole directory at hand, geoIDs cost nothing.
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

/** The geoIDs of a long list that the directory lacks, if the user doesn't want to send them. */
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
 * Digits that begin with no state's code, in a list that has other geoIDs. Only the whole directory could tell about them, which may take
 * dozens of requests for a typing mistake.
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
