import type { Ahj, AhjDetail, Category, Collection, DataPointType } from "../engine/api/schemas";
import { Failure } from "../errors";
import type { CollectedValue, CollectionAnswer } from "../engine/lookup/collections/collection-runs";
import type { AhjName } from "../engine/lookup/lookup";
import { typesThatCame } from "../engine/lookup/collections/read-collection";
import { isNamed } from "../engine/lookup/catalogue/catalogue";
import { nameKey } from "../engine/lookup/search/plain-name";
import { searchAhjs, searchTypes } from "../engine/lookup/search/search";
import { argumentChoices } from "../workbook/formula-text/formula-functions";
import { isStateCode } from "../engine/lookup/directory/states";
import { cellText, type Scalar } from "../workbook/sheet/values/cell-value";
import { jurisdictionOf } from "../engine/lookup/asked-names";
import { cellsOf, choiceOf, flagOf, textOf } from "./arguments";
import { type Call, checkSize, type Outcome } from "./call";
import { updatedCell, valueCell } from "./excel-values";
import { findOrFail, nothing, placesOf } from "./jurisdiction-grid";
import { byStateAndName, table } from "./list-table";

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

/** What only the detail endpoint tells: a request for each AHJ. */
const detailFields = {
  state_name: (ahj: AhjDetail) => cellText(ahj.state_name ?? ""),
  county: (ahj: AhjDetail) => cellText(ahj.county ?? ""),
  population: (ahj: AhjDetail) => numberOrBlank(ahj.population),
  lat: (ahj: AhjDetail) => numberOrBlank(ahj.lat),
  lon: (ahj: AhjDetail) => numberOrBlank(ahj.lon),
};

type AhjField = (typeof argumentChoices.ahjField)[number];
const ahjFields: Record<AhjField, (ahj: AhjDetail) => Scalar> = { ...summaryFields, ...detailFields };

function numberOrBlank(number: number | null): Scalar {
  return number !== null && Number.isFinite(number) ? number : "";
}

/** =REGDATA.AHJ */
export async function ahj(call: Call, args: { geoid: unknown; field: unknown }): Promise<Outcome[][]> {
  const rows = cellsOf(args.geoid).map(jurisdictionOf);
  const asked = cellsOf(args.field).map((field) => choiceOf(field, argumentChoices.ahjField));
  const fields = asked.length > 1 ? asked : [asked[0] ?? argumentChoices.ahjField[0]];
  checkSize(rows.length, fields.length);
  const places = placesOf(rows);
  const names = [...places.keys()];
  const needsDetails = fields.some((field) => field !== undefined && field in detailFields);
  const found =
    names.length === 0
      ? nothing
      : await findOrFail(call, () => (needsDetails ? { details: names } : { ahjs: names }));
  return rows.map((name) => {
    if (name === null) return fields.map(() => "");
    if (name instanceof Failure) return fields.map(() => name);
    if (found instanceof Failure) return fields.map(() => found);
    const place = places.get(name) ?? 0;
    const ahj = (needsDetails ? found.details : found.ahjs)[place] ?? new Failure("unexpected-answer");
    // Without its details nobody asks for more than the summary has.
    return fields.map((field) =>
      ahj instanceof Failure ? ahj : field === undefined ? "" : ahjFields[field](ahj as AhjDetail),
    );
  });
}

/** =REGDATA.AHJS */
export async function ahjs(
  call: Call,
  args: { state: unknown; search: unknown; headers: unknown },
): Promise<Outcome[][]> {
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
  if (missing > 0) {
    const detail = `The service counts ${missing} jurisdictions that it does not list.`;
    throw new Failure("unexpected-answer", { detail });
  }
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
): Promise<Outcome[][]> {
  const hasHeaders = flagOf(args.headers, true);
  const [all, categories] = await call.read(({ lookup }, options) =>
    Promise.all([lookup.catalogue.types(options), lookup.catalogue.categories(options)]),
  );
  const wanted = textOf(args.category);
  const chosen = categories.filter(({ id, name }) => String(id) === wanted || isNamed(name, wanted));
  if (wanted !== "" && chosen.length === 0) {
    throw new Failure("invalid-argument", { detail: `There is no category "${wanted.slice(0, 50)}".` });
  }
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  const search = textOf(args.search);
  const named = categories.filter(({ name }) => nameKey(name) === nameKey(search));
  const searched = named.length > 0 ? all.filter(isOfAny(named)) : searchTypes(all, search);
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

function isOfAny(categories: readonly Category[]): (type: DataPointType) => boolean {
  const ids = new Set(categories.map(({ id }) => id));
  return ({ category_ids }) => category_ids.some((id) => ids.has(id));
}

/** =REGDATA.CATEGORIES */
export async function categories(call: Call, args: { headers: unknown }): Promise<Outcome[][]> {
  const hasHeaders = flagOf(args.headers, true);
  const all = await call.read(({ lookup }, options) => lookup.catalogue.categories(options));
  return table(
    ["Category ID", "Name"],
    all.map(({ id, name }) => [id, cellText(name)]),
    hasHeaders,
  );
}

/** =REGDATA.UNITS */
export async function units(call: Call, args: { headers: unknown }): Promise<Outcome[][]> {
  const hasHeaders = flagOf(args.headers, true);
  const all = await call.read(({ lookup }, options) => lookup.catalogue.units(options));
  return table(
    ["Unit"],
    all.map(({ name }) => [cellText(name)]),
    hasHeaders,
  );
}

/** =REGDATA.COLLECTIONS */
export async function collections(call: Call, args: { headers: unknown }): Promise<Outcome[][]> {
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

/** =REGDATA.COLLECTION */
export async function collection(
  call: Call,
  args: { collection: unknown; geoids: unknown; layout: unknown; headers: unknown },
): Promise<Outcome[][]> {
  const wanted = textOf(args.collection);
  const rows = cellsOf(args.geoids).map(jurisdictionOf);
  const layout = choiceOf(args.layout, ["wide", "long"]) ?? "wide";
  const hasHeaders = flagOf(args.headers, true);
  if (wanted === "" || rows.every((row) => row === null)) return [[""]];
  checkSize(rows.length + Number(hasHeaders), 1);
  const names = [...placesOf(rows).keys()];
  // One session for all of it: what one key may see is not to stand beside what another may.
  const answered = await call.read(async ({ lookup, collectionRuns }, options) => {
    const { ahjs: found } = names.length > 0 ? await lookup.ask({ ahjs: names }, options) : { ahjs: [] };
    const who = new Map(names.map((name, place) => [name, found[place] ?? new Failure("unexpected-answer")]));
    const definition = await lookup.catalogue.collection(wanted, options);
    const ahjIds = [...who.values()].flatMap((ahj) => (ahj instanceof Failure ? [] : [ahj.id]));
    const answers = await collectionRuns.read(definition, [...new Set(ahjIds)], options);
    if (layout === "long") return { who, definition, answers, catalogue: [] };
    // Reads the catalogue anew where it lacks one of these.
    await lookup.catalogue.realTypeIds(definition.data_point_type_ids, options);
    const catalogue = await lookup.catalogue.types(options);
    return { who, definition, answers, catalogue };
  });

  const jurisdictions = rows.map((name): Jurisdiction | null => {
    if (name === null) return null;
    if (name instanceof Failure) return { name: "", ahj: name, values: name };
    const ahj = answered.who.get(name) ?? new Failure("unexpected-answer");
    const values =
      ahj instanceof Failure ? ahj : (answered.answers.get(ahj.id) ?? new Map<number, CollectedValue>());
    return { name, ahj, values };
  });
  return layout === "long"
    ? longTable(jurisdictions, call, hasHeaders)
    : wideTable(jurisdictions, columnsOf(answered), call, hasHeaders);
}

/** A jurisdiction that a collection was asked for. */
interface Jurisdiction {
  name: AhjName;
  ahj: Ahj | Failure;
  values: ReadonlyMap<number, CollectedValue> | Failure;
}

interface Column extends Pick<DataPointType, "id" | "name"> {
  /** Why it has no values. */
  failure?: Failure;
}

/** What the collection names and what came; a type that nobody knows keeps its column. */
function columnsOf({
  definition,
  answers,
  catalogue,
}: {
  definition: Collection;
  answers: ReadonlyMap<number, CollectionAnswer>;
  catalogue: readonly DataPointType[];
}): Column[] {
  const came = [...answers.values()].flatMap((answer) =>
    answer instanceof Failure ? [] : Array.from(answer.values(), ({ type }) => type),
  );
  const columns: Column[] = typesThatCame(definition, came, catalogue);
  const known = new Set([...columns, ...catalogue].map(({ id }) => id));
  const unknown = definition.data_point_type_ids.filter((id) => !known.has(id));
  return [
    ...columns,
    ...unknown.map((id) => ({ id, name: String(id), failure: new Failure("unknown-type") })),
  ];
}

/** A row for each jurisdiction as it was asked for, so that the table stands beside their list. */
function wideTable(
  jurisdictions: readonly (Jurisdiction | null)[],
  columns: readonly Column[],
  call: Call,
  hasHeaders: boolean,
): Outcome[][] {
  const missing = new Failure("no-value");
  const rows = jurisdictions.map((jurisdiction): Outcome[] => {
    if (!jurisdiction) return ["", "", ...columns.map(() => "")];
    const { ahj, values } = jurisdiction;
    const who = ahj instanceof Failure ? [ahj, ahj] : [cellText(ahj.name), cellText(ahj.state_code)];
    return [
      ...who,
      ...columns.map(({ id, failure }) => {
        if (values instanceof Failure) return values;
        const found = values.get(id);
        return found?.cell ? valueCell({ ...found, cell: found.cell }, call.app) : (failure ?? missing);
      }),
    ];
  });
  return table(["Name", "State", ...columns.map(({ name }) => cellText(name))], rows, hasHeaders);
}

const longHeaders = [
  "Name",
  "State",
  "geoID",
  "Question",
  "Value",
  "Unit",
  "Reference",
  "Section",
  "Updated",
];

/** A row for each value; one for a jurisdiction without any, so that nothing is left out in silence. */
function longTable(
  jurisdictions: readonly (Jurisdiction | null)[],
  call: Call,
  hasHeaders: boolean,
): Outcome[][] {
  const once = new Map(
    jurisdictions.flatMap((entry) => (entry ? [[entry.name === "" ? entry.ahj : entry.name, entry]] : [])),
  );
  const rows = [...once.values()].flatMap(({ name, ahj, values }): Outcome[][] => {
    const asked = typeof name === "number" ? `ahj:${name}` : name;
    const who =
      ahj instanceof Failure ? [ahj, ahj, asked] : [cellText(ahj.name), ahj.state_code, ahj.geoid ?? ""];
    const why = values instanceof Failure ? values : new Failure("no-value");
    const all = values instanceof Failure ? [] : [...values.values()];
    const found = all.flatMap(({ type, cell }) => (cell ? [{ type, cell }] : []));
    if (found.length === 0) return [[...who, ...Array.from({ length: 6 }, () => why)]];
    return found.map(({ type, cell }) => [
      ...who,
      cellText(type.name),
      valueCell({ type, cell }, call.app),
      cellText(type.unit_of_measure),
      cellText(cell.reference ?? ""),
      cellText(cell.section ?? ""),
      updatedCell(cell.updatedAt, call.app),
    ]);
  });
  return table(longHeaders, rows, hasHeaders);
}
