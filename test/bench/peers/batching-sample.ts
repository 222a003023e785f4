import type { AhjDetail, MatrixReport } from "../../../src/engine/api/schemas";
import type { Answer, Ask } from "../play/ask";
import { cellKey, type Peer, resolveOnce, unique } from "./peer";

const batchDelayMs = 100;

interface Entry {
  ask: Ask;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/**
 * (b) The pattern of Microsoft's batching sample: each call joins a batch, and 100 ms after the first call the batch goes out as one
 * request, here a matrix over everything that the batch names. As in the sample, a batch has no largest size. The geoIDs' AHJs are asked
 * for once each.
 */
export const batchingSample: Peer = {
  name: "batching-sample",
  answer({ asks, known }, calls) {
    const resolve = resolveOnce(
      known,
      async (geoid) => (await calls.get<AhjDetail>(`/v1/geoid/${geoid}`)).id,
    );
    let batch: Entry[] = [];

    async function sendBatch(entries: readonly Entry[]) {
      const geoids = unique(entries.map(({ ask }) => ask.geoid));
      const ids = new Map<string, number>();
      await Promise.all(geoids.map(async (geoid) => ids.set(geoid, await resolve(geoid))));
      const report = await calls.post<MatrixReport>("/v1/reports/matrix", {
        ahj_ids: unique(ids.values()),
        data_point_type_ids: unique(entries.map(({ ask }) => ask.typeId)),
      });
      const cells = new Map<string, Answer>();
      for (const { ahj, values } of report.rows) {
        for (const [typeId, cell] of Object.entries(values)) {
          cells.set(cellKey(ahj.id, Number(typeId)), cell?.value ?? null);
        }
      }
      for (const { ask, resolve: settle } of entries) {
        settle(cells.get(cellKey(ids.get(ask.geoid) ?? NaN, ask.typeId)) ?? null);
      }
    }

    function push(ask: Ask): Promise<Answer> {
      return new Promise((resolve, reject) => {
        batch.push({ ask, resolve, reject });
        if (batch.length > 1) return;
        setTimeout(() => {
          const entries = batch;
          batch = [];
          sendBatch(entries).catch((reason: unknown) => entries.forEach((entry) => entry.reject(reason)));
        }, batchDelayMs);
      });
    }

    return Promise.all(asks.map(push));
  },
};
