/** The main job's questions, and the sample service's answers to them, asked without the add-in. */
import type { createService } from "../../reference-service/service";
import { createClient } from "../../src/engine/api/client";
import { createTransport } from "../../src/engine/transport/exchange";
import type { CellValue } from "../../workbench/spreadsheet";

/** Ten cells' questions: editions of codes, and fees. */
export const askedByFormulas: readonly { geoid: string; typeId: number }[] = [
  { geoid: "06001", typeId: 1001 },
  { geoid: "06001", typeId: 1003 },
  { geoid: "06001", typeId: 1056 },
  { geoid: "06037", typeId: 1002 },
  { geoid: "53033", typeId: 1003 },
  { geoid: "32003", typeId: 1003 },
  { geoid: "32003", typeId: 1056 },
  { geoid: "35001", typeId: 1001 },
  { geoid: "36061", typeId: 1056 },
  { geoid: "41051", typeId: 1002 },
];

/** The comparison matrix. */
export const imported = { geoids: ["32003", "41051", "53033"], typeIds: [1003, 1056] };

export interface Sample {
  /** The value that a cell must show: a number for an amount in dollars, "" where nothing is published, else the published text. */
  cell(geoid: string, typeId: number): CellValue;
  /** As published; "" where nothing is. */
  published(geoid: string, typeId: number): string;
  /** Such as "Clark County, NV". */
  jurisdiction(geoid: string): string;
  question(typeId: number): string;
}

/** Asks the service for all that the job asks for. */
export async function sampleOf(service: ReturnType<typeof createService>, key: string): Promise<Sample> {
  const client = createClient(
    createTransport(
      { baseUrl: "https://service.test", key },
      { fetch: (input, init) => Promise.resolve(service.fetch(new Request(input, init))) },
    ),
  );
  const geoids = [...new Set([...askedByFormulas.map(({ geoid }) => geoid), ...imported.geoids])];
  const typeIds = [...new Set([...askedByFormulas.map(({ typeId }) => typeId), ...imported.typeIds])];
  const ahjs = new Map(
    await Promise.all(
      geoids.map(async (geoid) => [geoid, (await client.resolveGeoid({ geoid })).data] as const),
    ),
  );
  const { data } = await client.matrix({
    ahj_ids: [...ahjs.values()].map(({ id }) => id),
    data_point_type_ids: typeIds,
  });
  const published = (geoid: string, typeId: number) =>
    data.rows.find(({ ahj }) => ahj.id === ahjs.get(geoid)?.id)?.values[typeId]?.value ?? "";
  return {
    published,
    cell(geoid, typeId) {
      const text = published(geoid, typeId);
      return /^\$[\d,.]+$/.test(text) ? Number(text.replaceAll(/[$,]/g, "")) : text;
    },
    jurisdiction(geoid) {
      const { name = "", state_code = "" } = ahjs.get(geoid) ?? {};
      return `${name}, ${state_code}`;
    },
    question: (typeId) => data.data_point_types.find(({ id }) => id === typeId)?.name ?? "",
  };
}
