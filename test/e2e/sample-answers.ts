import type { Ahj, DataPointType } from "../../src/engine/api/schemas";
import { importCell } from "../../src/workbook/sheet/values/cell-value";
import type { CellValue } from "../../workbench/spreadsheet";
import { sampleClient } from "./open-workbench";

/** A client that asks the sample service directly with the key demo-national: its answers are what the sheet must show. */
export const sample = sampleClient();

/** The types, which a worker reads once. */
let types: Promise<DataPointType[]> | undefined;

/** Counties of a state whose geoIDs belong to no other AHJ. */
export async function counties(state: string, count: number): Promise<Ahj[]> {
  const { data } = await sample.listAhjs({ state_code: state, page: 1, page_size: 500 });
  return data.items.filter(({ type }) => type === "county").slice(0, count);
}

export function ahjsOf(geoids: readonly string[]): Promise<Ahj[]> {
  return Promise.all(geoids.map(async (geoid) => (await sample.resolveGeoid({ geoid })).data));
}

export function catalogue(): Promise<readonly DataPointType[]> {
  return (types ??= sample.listTypes({ page: 1, page_size: 500 }).then(({ data }) => data.items));
}

/** The types of a category, in the catalogue's order. */
export async function typesIn(category: string): Promise<DataPointType[]> {
  const { data } = await sample.listCategories({ page: 1, page_size: 500 });
  const id = data.items.find(({ name }) => name === category)?.id;
  if (id === undefined) throw new Error(`there is no category ${category}`);
  return (await catalogue()).filter(({ category_ids }) => category_ids.includes(id));
}

/** The rows of an import below its header: four columns that identify the AHJ, then its answers, then its id. */
export async function expectedTable(
  ahjs: readonly Ahj[],
  types: readonly DataPointType[],
): Promise<CellValue[][]> {
  const { data } = await sample.matrix({
    ahj_ids: ahjs.map(({ id }) => id),
    data_point_type_ids: types.map(({ id }) => id),
  });
  const answers = new Map(data.rows.map((row) => [row.ahj.id, row.values]));
  return ahjs.map((ahj) => [
    ahj.name,
    ahj.state_code,
    ahj.type,
    ahj.geoid ?? "",
    ...types.map((type) => {
      const raw = answers.get(ahj.id)?.[type.id]?.value;
      return raw ? importCell(raw, type.unit_of_measure).value : "";
    }),
    ahj.id,
  ]);
}

/** The question that a column's header names, without the unit of its amounts. */
export function questionIn(header: unknown): string {
  return String(header).replace(/ \([^()]*\)$/, "");
}
