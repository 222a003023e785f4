import { aboutOf } from "../../../engine/absence";
import type { Ahj, AhjDetail } from "../../../engine/api/schemas";
import { ahjIdIn } from "../../../engine/lookup/asked-names";
import { geoidDigits, mayBeSent, withZero } from "../../../engine/lookup/directory/geoid";
import type { KeptLookup } from "../../../app";
import type { AhjName, AskOptions } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import type { Scalar } from "../../../workbook/sheet/values/cell-value";

/** The jurisdiction that a cell may name. */
export interface NamedJurisdiction {
  name: AhjName;
  /** True for a short number, or one that needs a zero in front: it is shown only if a jurisdiction with this geoID is known. */
  isOnlyIfKnown: boolean;
  /** True if the cell lacks the geoID's leading zero. */
  isPadded: boolean;
}

/** The jurisdiction that a cell names, and its location, as far as it is known. */
export interface JurisdictionFacts extends Omit<NamedJurisdiction, "isOnlyIfKnown"> {
  /** Null if it has not been asked for yet, or there is none. */
  ahj: Ahj | null;
  /** The reason why there is none: it is unknown, or outside the subscription. */
  failure: Failure | null;
  /** County, population and position. */
  detail: AhjDetail | null;
  /** The name of its county; null for counties and states, and if it is not known. */
  county: string | null;
  /** The name of its state; the state's code if the name is not known. */
  state: string | null;
}

/** The jurisdiction that a text or number stands for, if it looks like a geoID, or is `ahj:` and an id. */
export function jurisdictionIn(value: Scalar): NamedJurisdiction | null {
  const text = String(value).trim();
  const id = ahjIdIn(text);
  if (id !== undefined) return { name: id, isOnlyIfKnown: false, isPadded: false };
  const geoid = withZero(text);
  if (!mayBeSent(geoid)) return null;
  const isPadded = geoid === `0${text}`;
  return { name: geoid, isPadded, isOnlyIfKnown: isPadded || geoid.length === geoidDigits.state };
}

/** The stored facts of a jurisdiction. With `keptOnly: false` the service is asked for it, which takes a request. */
export async function jurisdictionFacts(
  { name, isOnlyIfKnown, isPadded }: NamedJurisdiction,
  lookup: Pick<KeptLookup, "ask" | "directory" | "details">,
  options: AskOptions,
): Promise<JurisdictionFacts | null> {
  // Details come first in the request, because looking up a geoID gives them as well.
  const found = await lookup.ask(
    options.keptOnly ? { ahjs: [name] } : { details: [name], ahjs: [name] },
    options,
  );
  const [resolved] = found.ahjs;
  const nothing = { name, isPadded, ahj: null, failure: null, detail: null, county: null, state: null };
  if (!resolved || resolved instanceof Failure) {
    const isDenied = resolved !== undefined && aboutOf(resolved.kind) === "ahj";
    if (isOnlyIfKnown) return null;
    if (!options.keptOnly && resolved && !isDenied) throw resolved;
    return { ...nothing, failure: isDenied ? resolved : null };
  }
  const details = await lookup.details.read([resolved.id], { keptOnly: true });
  const known = details.get(resolved.id);
  const detail = known && !(known instanceof Failure) ? known : null;
  return { ...nothing, ahj: resolved, detail, ...(await placeOf(resolved, detail, lookup)) };
}

/** The names of its county and its state, as far as they are known. */
async function placeOf(
  { type, geoid, state_code }: Ahj,
  detail: AhjDetail | null,
  { directory }: Pick<KeptLookup, "directory">,
): Promise<Pick<JurisdictionFacts, "county" | "state">> {
  if (type === "state") return { county: null, state: null };
  const stateGeoid = geoid?.slice(0, geoidDigits.state) ?? "";
  const isInCounty = geoid?.length === geoidDigits.countySubdivision;
  const countyGeoid = isInCounty ? geoid.slice(0, geoidDigits.county) : "";
  const wanted = [stateGeoid, countyGeoid].filter((each) => each !== "");
  const found = await directory.resolve(wanted, { keptOnly: true });
  const nameOf = (wantedGeoid: string) => {
    const ahj = found.get(wantedGeoid);
    return ahj && !(ahj instanceof Failure) ? ahj.name : undefined;
  };
  const county = type === "county" ? null : (nameOf(countyGeoid) ?? detail?.county ?? null);
  return { county, state: nameOf(stateGeoid) ?? detail?.state_name ?? state_code };
}
