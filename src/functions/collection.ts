import type { Ahj, Collection, DataPointType } from "../engine/api/schemas";
import { jurisdictionsOf } from "../engine/lookup/asked-names";
import type { CollectedValue, CollectionAnswer } from "../engine/lookup/collections/collection-runs";
import { typesThatCame } from "../engine/lookup/collections/read-collection";
import type { AhjName } from "../engine/lookup/lookup";
import { Failure } from "../errors";
import { cellText } from "../workbook/sheet/values/cell-value";
import { cellsOf, choiceOf, flagOf, textOf } from "./arguments";
import type { ResultContent } from "./answer-plan";
import { type Call, checkSize } from "./call";
import { updatedCell, valueCell } from "./excel-values";
import { distinct } from "./jurisdiction-grid";
import { table } from "./list-table";

/** =REGDATA.COLLECTION */
export async function collection(
  call: Call,
  args: { collection: unknown; geoids: unknown; layout: unknown; headers: unknown },
): Promise<ResultContent[][]> {
  const wanted = textOf(args.collection);
  const cells = cellsOf(args.geoids);
  const rows = await jurisdictionsOf(cells);
  const layout = choiceOf(args.layout, ["wide", "long"]) ?? "wide";
  const hasHeaders = flagOf(args.headers, true);
  if (wanted === "" || rows.every((row) => row === null)) return [[""]];
  checkSize(rows.length + Number(hasHeaders), 1);
  const names = distinct(rows).names;
  // One session for everything, because values for one key must not stand beside values for another.
  const answered = await call.read(async ({ lookup, collectionRuns }, options) => {
    const { ahjs: found } = names.length > 0 ? await lookup.ask({ ahjs: names }, options) : { ahjs: [] };
    const who = new Map(names.map((name, place) => [name, found[place] ?? new Failure("unexpected-answer")]));
    const definition = await lookup.catalogue.collection(wanted, options);
    const ahjIds = [...who.values()].flatMap((ahj) => (ahj instanceof Failure ? [] : [ahj.id]));
    const answers = await collectionRuns.read(definition, [...new Set(ahjIds)], options);
    if (layout === "long") return { who, definition, answers, catalogue: [] };
    // Reads the catalogue again if it lacks one of these types.
    await lookup.catalogue.realTypeIds(definition.data_point_type_ids, options);
    const catalogue = await lookup.catalogue.types(options);
    return { who, definition, answers, catalogue };
  });

  const jurisdictions = rows.map((name, row): Jurisdiction | null => {
    if (name === null) return null;
    if (name instanceof Failure) {
      // A code that stands for no jurisdiction is named in its row.
      const asked = name.kind === "not-a-jurisdiction" ? String(cells[row]).trim() : "";
      return { name: asked, ahj: name, values: name };
    }
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
  /** The reason why the column has no values. */
  failure?: Failure;
}

/** The columns for types that the collection names and types that came. A type that nobody knows keeps its column. */
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

/** A row for each jurisdiction in the order of the argument, so that the table fits beside the user's list. */
function wideTable(
  jurisdictions: readonly (Jurisdiction | null)[],
  columns: readonly Column[],
  call: Call,
  hasHeaders: boolean,
): ResultContent[][] {
  const missing = new Failure("no-value");
  const rows = jurisdictions.map((jurisdiction): ResultContent[] => {
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

/** A row for each value, and one for a jurisdiction without any, so that no jurisdiction is left out silently. */
function longTable(
  jurisdictions: readonly (Jurisdiction | null)[],
  call: Call,
  hasHeaders: boolean,
): ResultContent[][] {
  const once = new Map(
    jurisdictions.flatMap((entry) => (entry ? [[entry.name === "" ? entry.ahj : entry.name, entry]] : [])),
  );
  const rows = [...once.values()].flatMap(({ name, ahj, values }): ResultContent[][] => {
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
