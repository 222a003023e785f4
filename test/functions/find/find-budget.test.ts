import { expect, it } from "vitest";
import { createService } from "../../../reference-service/service";
import { call, playExcel, settled, start } from "../excel";
import type { Interception } from "../../recorded-service";

playExcel();

const isMatrix = (request: Request) => new URL(request.url).pathname.endsWith("/matrix");
const service = createService();
const services: Record<string, Interception> = {
  "takes 40 AHJs a matrix": async (request) => {
    if (!isMatrix(request)) return undefined;
    const { ahj_ids } = (await request.clone().json()) as { ahj_ids: number[] };
    return ahj_ids.length > 40 ? Response.json({ detail: "too many AHJs" }, { status: 422 }) : undefined;
  },
  "sends a matrix in pages of 10": async (request) => {
    if (!isMatrix(request)) return undefined;
    const answer = (await (await service.fetch(request.clone())).json()) as {
      data?: { rows: unknown[]; pagination?: object };
    };
    if (answer.data && answer.data.rows.length > 10) {
      answer.data.rows = answer.data.rows.slice(0, 10);
      answer.data.pagination = { page: 1, page_size: 10, total: 100, total_pages: 10 };
    }
    return Response.json(answer);
  },
  "ends matrices with 504": (request) => (isMatrix(request) ? new Response("", { status: 504 }) : undefined),
};

it.each(Object.entries(services))(
  "=REGDATA.FIND sends at most 20 requests, its lists among them, though the service %s",
  async (_, intercept) => {
    const { requests } = start({ intercept });
    await settled([call("FIND", "TX", [[1003, "has a value", ""]])], 400_000);
    expect(requests.length).toBeLessThanOrEqual(20);
  },
  240_000,
);
