import type { Ahj, DataPointType } from "../../src/engine/api/schemas";
import { importCell } from "../../src/workbook/sheet/values/cell-value";
import type { CellValue } from "../../workbench/spreadsheet";
import { sampleClient } from "./open-workbench";

/** The sample service with the key demo-national, asked directly: what the sheet must show. */
export const sample = sampleClient();

/** A worker reads them once. */
let all: Promise<Ahj[]> | undefined;
let types: Promise<DataPointType[]> | undefined;

/** Every AHJ, in the service's order. */
export function allAhjs(): Promise<readonly Ahj[]> {
  return (all ??= readAll());
}

async function readAll(): Promise<Ahj[]> {
  const first = await sample.listAhjs({ page: 1, page_size: 500 });
  const ahjs = [...first.data.items];
  for (let page = 2; page <= first.data.pagination.total_pages; page += 1) {
    ahjs.push(...(await sample.listAhjs({ page, page_size: 500 })).data.items);
  }
  return ahjs;
}

/** AHJs with a geoID that is theirs alone, from all over the list. */
export async function spreadAhjs(count: number): Promise<Ahj[]> {
  const ahjs = await allAhjs();
  const counts = new Map<string, number>();
  for (const { geoid } of ahjs) if (geoid) counts.set(geoid, (counts.get(geoid) ?? 0) + 1);
  const own = ahjs.filter(({ geoid }) => geoid !== null && counts.get(geoid) === 1);
  const step = Math.floor(own.length / count);
  return own.filter((_, index) => index % step === 0).slice(0, count);
}

/** Counties of a state, whose geoIDs are theirs alone. */
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

/** The rows of an import below its header: four columns that say who it is, then its answers, and its id. */
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
