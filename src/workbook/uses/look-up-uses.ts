import type { Ahj } from "../../engine/api/schemas";
import { identifyAhjs } from "../../engine/lookup/directory/identify";
import { isPlaceName } from "../../engine/lookup/directory/geoid";
import { type Successors, successorsOf, successorsOfName } from "../../engine/lookup/lists/successors";
import type { AhjName, Lookup, TypeName } from "../../engine/lookup/lookup";
import type { ExchangeOptions } from "../../engine/transport/exchange";
import { asFailure, Failure } from "../../errors";
import type { UsedNames, UsesLookedUp } from "./plan-uses";

type LooksUp = Pick<Lookup, "directory" | "details" | "catalogue" | "answers">;

/**
 * Looks the names up in directory and catalogue, in as few requests as the directory needs. A name for which the budget does not pay has the failure
 * that says so. Only `cancelled` is thrown.
 */
export async function lookUpUses(
  names: UsedNames,
  lookup: LooksUp,
  options: ExchangeOptions = {},
): Promise<UsesLookedUp> {
  const ahjs = await lookUpPlaces(names, lookup, options);
  const types = await lookUpQuestions(names.types, lookup, options);
  return {
    ahjs,
    types,
    successors: successorsIn(names, ahjs, lookup),
    fetchedAtMs(ahjId, typeId) {
      const answer = lookup.answers.known(ahjId, typeId);
      return answer && !(answer instanceof Failure) ? answer.cell.fetchedAtMs : undefined;
    },
  };
}

async function lookUpPlaces(
  { ahjs, geoids }: UsedNames,
  { directory, details }: LooksUp,
  options: ExchangeOptions,
): Promise<Map<AhjName, Ahj | Failure>> {
  // A list that this device keeps saves requests.
  await directory.recall();
  const ids = ahjs.filter((name) => typeof name === "number");
  const texts = ahjs.filter((name) => typeof name === "string");
  const ofIds = ids.flatMap((id) => (directory.byId(id) ? [] : (geoids.get(id) ?? [])));
  const resolved = await directory.resolve([...texts, ...ofIds], options);
  const found = new Map<AhjName, Ahj | Failure>(
    texts.map((text) => [text, resolved.get(text) ?? unresolved]),
  );
  const others: number[] = [];
  for (const id of ids) {
    const there = directory.byId(id) ?? resolved.get(geoids.get(id) ?? "");
    // The geoID may stand for another AHJ by now.
    if (there && (there instanceof Failure || there.id === id)) found.set(id, there);
    else others.push(id);
  }
  if (others.length > 0)
    for (const [id, outcome] of await identifyAhjs(
      others,
      { directory, details, denied: new Map() },
      options,
    ))
      found.set(id, outcome);
  return found;
}

const unresolved = new Failure("unresolved-jurisdiction");
const unknownType = new Failure("unknown-type");

async function lookUpQuestions(
  types: readonly TypeName[],
  { catalogue }: LooksUp,
  options: ExchangeOptions,
): Promise<UsesLookedUp["types"]> {
  const found = new Map<TypeName, { id: number; name: string } | Failure>();
  const ids = types.filter((type) => typeof type === "number");
  const texts = types.filter((type) => typeof type === "string");
  const named = (id: number, otherwise = "") => ({ id, name: catalogue.knownType(id)?.name ?? otherwise });
  try {
    if (ids.length > 0) {
      const real = await catalogue.realTypeIds(ids, options);
      for (const id of ids) found.set(id, real.has(id) ? named(id) : unknownType);
    }
    if (texts.length > 0)
      for (const [text, id] of await catalogue.typeIds(texts, options))
        found.set(text, id instanceof Failure ? id : named(id, text));
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (failure.kind === "cancelled") throw failure;
    for (const type of types) if (!found.has(type)) found.set(type, failure);
  }
  return found;
}

/** The fate of the codes and names that the directory lacks. */
function successorsIn(
  { geoids }: UsedNames,
  outcomes: ReadonlyMap<AhjName, Ahj | Failure>,
  { directory }: LooksUp,
): Map<AhjName, Successors> {
  const successors = new Map<AhjName, Successors>();
  const codes = new Map<AhjName, string>();
  for (const [name, outcome] of outcomes) {
    if (!(outcome instanceof Failure)) continue;
    const code = typeof name === "number" ? geoids.get(name) : name;
    if (outcome.kind === "unknown-name") {
      const former = typeof name === "string" ? successorsOfName(name) : undefined;
      if (former) successors.set(name, former);
    } else if (outcome.kind === "unknown-jurisdiction" && code !== undefined && !isPlaceName(code))
      codes.set(name, code);
  }
  const ofCodes = successorsOf([...codes.values()], directory.known());
  for (const [name, code] of codes) {
    const former = ofCodes.get(code);
    if (former) successors.set(name, former);
  }
  return successors;
}
