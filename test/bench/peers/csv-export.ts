import Papa from "papaparse";
import type { DataPointType, Page } from "../../../src/engine/api/schemas";
import type { Answer } from "../play/ask";
import { pageSize } from "../service/reference-data";
import { readAhjIds } from "./pages-in-sequence";
import { cellKey, type Peer, unique } from "./peer";

/**
 * (e) The comparison as a CSV file, downloaded and parsed. The export wants AHJ ids and heads its columns with the types' names, so the
 * lists of AHJs and types are read first, page by page.
 */
export const csvExport: Peer = {
  name: "csv-export",
  async answer(work, calls) {
    const ids = await readAhjIds(work, calls);
    const types = await calls.get<Page<DataPointType>>(`/v1/data-points/types?page=1&page_size=${pageSize}`);
    const typeIds = unique(work.asks.map(({ typeId }) => typeId));
    const file = await calls.postForText("/v1/reports/export", {
      ahj_ids: unique(work.asks.map(({ geoid }) => ids.get(geoid))),
      data_point_type_ids: typeIds,
    });
    const { data: rows } = Papa.parse<Record<string, string>>(file, { header: true });
    const nameById = new Map(types.items.map((type) => [type.id, type.name]));
    const values = new Map<string, Answer>();
    for (const row of rows) {
      for (const typeId of typeIds) {
        values.set(cellKey(Number(row["AHJ ID"]), typeId), row[nameById.get(typeId) ?? ""] || null);
      }
    }
    return work.asks.map(({ geoid, typeId }) => values.get(cellKey(ids.get(geoid) ?? NaN, typeId)) ?? null);
  },
};
