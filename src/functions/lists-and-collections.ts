import { gapFailure } from "../engine/api/paged-list";
import type { Ahj, AhjDetail, Category, DataPointType } from "../engine/api/schemas";
import { Failure } from "../errors";
import { allNamed } from "../engine/lookup/catalogue/catalogue";
import { nameKey } from "../engine/lookup/search/plain-name";
import { searchAhjs } from "../engine/lookup/search/search";
import { argumentChoices } from "../workbook/formula-text/argument-choices";
import { isStateCode } from "../engine/lookup/directory/states";
import { cellText, type Scalar } from "../workbook/sheet/values/cell-value";
import { jurisdictionsOf } from "../engine/lookup/asked-names";
import { byStateAndName } from "../engine/lookup/directory/state-and-name";
import { inStateBeside } from "../engine/lookup/search/name-in-state";
import { cellsOf, choiceOf, flagOf, textOf } from "./arguments";
import type { Planned, ResultContent } from "./answer-plan";
import { type Call, checkSize } from "./call";
import { updatedCell } from "./excel-values";
import { type LookedUp, nothing } from "../engine/lookup/wants";
import { distinct } from "./jurisdiction-grid";
import { table } from "./list-table";

export { collection } from "./collection";

const summaryFields = {
  id: (ahj: Ahj) => ahj.id,
  name: (ahj: Ahj) => cellText(ahj.name),
  type: (ahj: Ahj) => cellText(ahj.type),
  state_code: (ahj: Ahj) => cellText(ahj.state_code),
  geoid: (ahj: Ahj) => cellText(ahj.geoid ?? ""),
};

/** The columns of =REGDATA.AHJS, by their headers. */
const ahjsColumns = {
  "AHJ ID": summaryFields.id,
  Name: summaryFields.name,
  Type: summaryFields.type,
  State: summaryFields.state_code,
  geoID: summaryFields.geoid,
};

/** Fields that only the detail endpoint tells, with a request for each AHJ. */
const detailFields = {
  state_name: (ahj: AhjDetail) => cellText(ahj.state_name ?? ""),
  county: (ahj: AhjDetail) => cellText(ahj.county ?? ""),
  population: (ahj: AhjDetail) => numberAsSent(ahj.population),
  lat: (ahj: AhjDetail) => numberAsSent(ahj.lat),
  lon: (ahj: AhjDetail) => numberAsSent(ahj.lon),
};

type AhjField = (typeof argumentChoices.ahjField)[number];
const ahjFields: Record<AhjField, (ahj: AhjDetail) => Scalar> = { ...summaryFields, ...detailFields };

function numberAsSent(number: number | string | null): Scalar {
  return typeof number === "number" ? number : cellText(number ?? "");
}

/** =REGDATA.AHJ */
export async function ahj(args: { geoid: unknown; field: unknown }): Promise<Planned> {
  const rows = await jurisdictionsOf(cellsOf(args.geoid));
  const asked = cellsOf(args.field).map((field) => choiceOf(field, argumentChoices.ahjField));
  const fields = asked.length > 1 ? asked : [asked[0] ?? argumentChoices.ahjField[0]];
  checkSize(rows.length, fields.length);
  const { names, places } = distinct(rows);
  const needsDetails = fields.some((field) => field !== undefined && field in detailFields);
  const resultOf = (found: LookedUp | Failure) =>
    rows.map((name, row) => {
      if (name === null) return fields.map(() => "");
      if (name instanceof Failure) return fields.map(() => name);
      if (found instanceof Failure) return fields.map(() => found);
      const place = places[row] ?? 0;
      const ahj = (needsDetails ? found.details : found.ahjs)[place] ?? new Failure("unexpected-answer");
      // Without details, only fields of the summary are asked for.
      return fields.map((field) =>
        ahj instanceof Failure ? ahj : field === undefined ? "" : ahjFields[field](ahj as AhjDetail),
      );
    });
  if (names.length === 0) return resultOf(nothing);
  return { wants: () => (needsDetails ? { details: names } : { ahjs: names }), resultOf };
}

/** =REGDATA.AHJS */
export async function ahjs(
  call: Call,
  args: { state: unknown; search: unknown; headers: unknown },
): Promise<ResultContent[][]> {
  const state = textOf(args.state).toUpperCase() || undefined;
  if (state !== undefined && !isStateCode(state)) {
    throw new Failure("invalid-argument", {
      detail: `"${state.slice(0, 50)}" is not a state's code, such as CA.`,
    });
  }
  const text = textOf(args.search);
  const hasHeaders = flagOf(args.headers, true);
  const { ahjs: all, missing } = await call.read(({ lookup }, options) =>
    lookup.directory.list(state, options),
  );
  if (missing > 0) throw gapFailure(missing, "jurisdiction");
  const found = text === "" ? [...all].sort(byStateAndName) : searchAhjs(all, { text, state }, all.length);
  return table(
    Object.keys(ahjsColumns),
    found.map((ahj) => Object.values(ahjsColumns).map((column) => column(ahj))),
    hasHeaders,
  );
}

/** =REGDATA.TYPES */
export async function types(
  call: Call,
  args: { search: unknown; category: unknown; headers: unknown },
): Promise<ResultContent[][]> {
  const hasHeaders = flagOf(args.headers, true);
  const [all, categories] = await call.read(({ lookup }, options) =>
    Promise.all([lookup.catalogue.types(options), lookup.catalogue.categories(options)]),
  );
  const wanted = textOf(args.category);
  const byId = categories.filter(({ id }) => String(id) === wanted);
  const chosen = byId.length > 0 ? byId : allNamed(wanted, categories);
  if (wanted !== "" && chosen.length === 0) {
    const { didYouMean } = await import("../engine/lookup/search/meant-name");
    throw new Failure("invalid-argument", {
      detail: `There is no category "${wanted.slice(0, 50)}".`,
      nextStep: didYouMean(wanted, categories),
    });
  }
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  const search = textOf(args.search);
  const named = categories.filter(({ name }) => nameKey(name) === nameKey(search));
  const searched =
    named.length > 0 ? all.filter(isOfAny(named)) : await typesFoundBy(search, all, categories);
  const found = wanted === "" ? searched : searched.filter(isOfAny(chosen));
  return table(
    ["Type ID", "Name", "Description", "Unit", "Categories"],
    found.map((type) => [
      type.id,
      cellText(type.name),
      cellText(type.description),
      cellText(type.unit_of_measure),
      cellText(type.category_ids.map((id) => names.get(id) ?? String(id)).join("; ")),
    ]),
    hasHeaders,
  );
}

/** The types that have everything that a text says. */
async function typesFoundBy(
  text: string,
  all: readonly DataPointType[],
  categories: readonly Category[],
): Promise<readonly DataPointType[]> {
  if (text === "") return all;
  const { createTypeFinder } = await import("../engine/lookup/search/find-types");
  const { types, areClose } = createTypeFinder(all, categories).find(text);
  return areClose ? [] : types;
}

function isOfAny(categories: readonly Category[]): (type: DataPointType) => boolean {
  const ids = new Set(categories.map(({ id }) => id));
  return ({ category_ids }) => category_ids.some((id) => ids.has(id));
}

/** =REGDATA.CATEGORIES */
export async function categories(call: Call, args: { headers: unknown }): Promise<ResultContent[][]> {
  const hasHeaders = flagOf(args.headers, true);
  const all = await call.read(({ lookup }, options) => lookup.catalogue.categories(options));
  return table(
    ["Category ID", "Name"],
    all.map(({ id, name }) => [id, cellText(name)]),
    hasHeaders,
  );
}

/** =REGDATA.UNITS */
export async function units(call: Call, args: { headers: unknown }): Promise<ResultContent[][]> {
  const hasHeaders = flagOf(args.headers, true);
  const all = await call.read(({ lookup }, options) => lookup.catalogue.units(options));
  return table(
    ["Unit"],
    all.map(({ name }) => [cellText(name)]),
    hasHeaders,
  );
}

/** =REGDATA.COLLECTIONS */
export async function collections(call: Call, args: { headers: unknown }): Promise<ResultContent[][]> {
  const hasHeaders = flagOf(args.headers, true);
  const all = await call.read(({ lookup }, options) => lookup.catalogue.recentCollections(options));
  return table(
    ["Collection ID", "Name", "Description", "Updated"],
    all.map(({ id, name, description, updated_at }) => [
      cellText(id),
      cellText(name),
      cellText(description),
      updatedCell(updated_at, call.app),
    ]),
    hasHeaders,
  );
}

/** =REGDATA.GEOID: a geoID for each name, in the shape of their range. */
export async function geoid(args: { name: unknown; state: unknown }): Promise<Planned> {
  const rows = Array.isArray(args.name) ? (args.name as unknown[][]) : [[args.name]];
  const states = cellsOf(args.state);
  const cells = rows.flat();
  checkSize(rows.length, rows[0]?.length ?? 0);
  if (states.length > 1 && states.length !== cells.length) {
    const detail = `There are ${cells.length} names and ${states.length} states: give one state, or one for each name.`;
    throw new Failure("invalid-argument", { detail });
  }
  const read = (await jurisdictionsOf(cells)).map((name, at) => {
    if (name === null || name instanceof Failure) return name;
    return inStateBeside(name, textOf(states.length > 1 ? states[at] : states[0]));
  });
  const { names, places } = distinct(read);
  const resultOf = (found: LookedUp | Failure) => {
    const outcomes = read.map((name, at): ResultContent => {
      if (name === null) return "";
      if (name instanceof Failure) return name;
      if (found instanceof Failure) return found;
      return found.codes[places[at] ?? 0] ?? new Failure("unexpected-answer");
    });
    let next = 0;
    return rows.map((row) => row.map(() => outcomes[next++] ?? ""));
  };
  return names.length === 0 ? resultOf(nothing) : { wants: () => ({ ahjs: names, codes: true }), resultOf };
}
