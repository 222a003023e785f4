import { gapFailure } from "../../engine/api/paged-list";
import type { Ahj } from "../../engine/api/schemas";
import { isPlaceName } from "../../engine/lookup/directory/geoid";
import { ofKinds } from "../../engine/lookup/directory/kind-words";
import { byStateAndName } from "../../engine/lookup/directory/state-and-name";
import type { AhjName, Lookup } from "../../engine/lookup/lookup";
import type { ExchangeOptions } from "../../engine/transport/exchange";
import { Failure, type FailureKind } from "../../errors";
import type { Refused, Where } from "./find-arguments";

/** The lookup that a find uses, and its options with its budget of requests. */
export interface FindDependencies {
  lookup: Lookup;
  options: ExchangeOptions;
}

/** A jurisdiction that a find looks at. */
export interface Candidate {
  ahjId: number;
  /** Undefined if only the id is known yet. */
  ahj: Ahj | undefined;
  /** True if the jurisdiction came with a list, which then has every AHJ that may share its geoID. */
  isListed: boolean;
  /** The geoID that it was found by. */
  geoid?: string;
}

export function isRefused(each: Candidate | Refused): each is Refused {
  return "refusal" in each;
}

export function isCandidate(each: Candidate | Refused): each is Candidate {
  return !isRefused(each);
}

/** The service's statements in place of a jurisdiction. Any other failure means that the service could not be asked. */
const refusals = new Set<FailureKind>([
  "unknown-jurisdiction",
  "outside-subscription",
  "not-a-geoid",
  "not-a-jurisdiction",
  "unresolved-jurisdiction",
  "unknown-name",
  "ambiguous-jurisdiction",
]);

/** Reads the jurisdictions to look at, each once: jurisdictions of a list by state and name, the others in the given order. */
export async function readCandidates(
  where: Where,
  dependencies: FindDependencies,
): Promise<(Candidate | Refused)[]> {
  if (where.kind === "all") return readList(undefined, where.kinds, dependencies);
  const { directory } = dependencies.lookup;
  const states = new Set(where.names.flatMap((name) => ("state" in name ? [name.state] : [])));
  const ahjs = where.names.flatMap((name) => ("ahj" in name ? [name.ahj] : []));
  const listed = states.size > 0 ? await readList([...states], where.kinds, dependencies) : [];
  const resolutions = await directory.resolve(
    ahjs.filter((name) => typeof name === "string"),
    dependencies.options,
  );
  const named = (name: AhjName): Candidate | Refused => {
    if (typeof name === "number") return { ahjId: name, ahj: directory.byId(name), isListed: false };
    const ahj = resolutions.get(name) ?? new Failure("unresolved-jurisdiction");
    if (!(ahj instanceof Failure))
      return { ahjId: ahj.id, ahj, isListed: false, ...(isPlaceName(name) ? {} : { geoid: name }) };
    if (!refusals.has(ahj.kind)) throw ahj;
    return { refusal: ahj, geoid: name };
  };
  const all = where.names.flatMap((name) => {
    if ("state" in name) return listed.filter(({ ahj }) => ahj?.state_code === name.state);
    return "ahj" in name ? [named(name.ahj)] : [name];
  });
  const once = new Map<AhjName, Candidate | Refused>();
  for (const each of all) {
    const key = isRefused(each) ? each.geoid : each.ahjId;
    if (!once.has(key)) once.set(key, each);
  }
  return [...once.values()];
}

async function readList(
  states: readonly string[] | undefined,
  kinds: readonly string[],
  { lookup, options }: FindDependencies,
): Promise<Candidate[]> {
  const { ahjs, missing } = await lookup.directory.list(states, options);
  if (missing > 0) throw gapFailure(missing, "jurisdiction");
  return [...ofKinds(ahjs, kinds)]
    .sort(byStateAndName)
    .map((ahj) => ({ ahjId: ahj.id, ahj, isListed: true }));
}

/** Name, state, and the geoID or `ahj:` and id by which other formulas name a jurisdiction. */
export type Names = [name: string, state: string, geoid: string];

/** Reads the names of the chosen jurisdictions. `all`: every jurisdiction that was looked at. */
export async function readNames(
  chosen: readonly (Candidate | Refused)[],
  all: readonly (Candidate | Refused)[],
  { lookup, options }: FindDependencies,
): Promise<(each: Candidate | Refused) => Names> {
  const { directory } = lookup;
  const ids = chosen.flatMap((each) => (isRefused(each) || each.ahj ? [] : [each.ahjId]));
  // Answers carry their jurisdictions, so the directory knows most of them already.
  const found = await lookup.ask({ ahjs: ids }, options);
  const byId = new Map(ids.map((id, place) => [id, found.ahjs[place]]));
  const lowestIds = new Map<string, number>();
  for (const each of all) {
    const geoid = isRefused(each) || !each.isListed ? null : each.ahj?.geoid;
    if (!geoid || isRefused(each)) continue;
    lowestIds.set(geoid, Math.min(each.ahjId, lowestIds.get(geoid) ?? Infinity));
  }
  return (each) => {
    if (isRefused(each)) return ["", "", each.geoid];
    // The geoID of this jurisdiction may stand for another one.
    const { geoid = `ahj:${each.ahjId}` } = each;
    const ahj = each.ahj ?? byId.get(each.ahjId);
    if (!ahj || ahj instanceof Failure) return ["", "", geoid];
    return [ahj.name, ahj.state_code, ahj.geoid !== null && isItsOwn(ahj.geoid, ahj.id) ? ahj.geoid : geoid];
  };

  /** True if a geoID stands for this AHJ. If two AHJs share a geoID, it stands for the one with the lower id. */
  function isItsOwn(geoid: string, ahjId: number): boolean {
    const resolution = directory.resolved(geoid);
    if (!resolution) return lowestIds.get(geoid) === ahjId;
    return !(resolution instanceof Failure) && resolution.id === ahjId;
  }
}
