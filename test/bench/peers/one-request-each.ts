import type { AhjDetail, MatrixReport } from "../../../src/engine/api/schemas";
import { type Peer, resolveOnce } from "./peer";

/**
 * (a) A function that fetches its own value, as in Microsoft's custom functions tutorial: each formula sends one request, here a matrix
 * of one cell. The geoID's AHJ is asked for once.
 */
export const oneRequestEach: Peer = {
  name: "one-request-each",
  mostAsks: 20_000,
  answer({ asks, known }, calls) {
    const resolve = resolveOnce(
      known,
      async (geoid) => (await calls.get<AhjDetail>(`/v1/geoid/${geoid}`)).id,
    );
    return Promise.all(
      asks.map(async ({ geoid, typeId }) => {
        const ahjId = await resolve(geoid);
        const report = await calls.post<MatrixReport>("/v1/reports/matrix", {
          ahj_ids: [ahjId],
          data_point_type_ids: [typeId],
        });
        return report.rows[0]?.values[typeId]?.value ?? null;
      }),
    );
  },
};
