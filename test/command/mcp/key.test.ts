import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { holdsForm, keyForms } from "../../../src/key-forms";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { playConfig } from "../../play-config";
import { saying } from "../../hostile/hostile-service";
import type { PlayOptions } from "../played-io";
import { serve } from "./served";

playConfig({ retryDelayMs: 1 });

/** A key with characters that JSON, addresses and XML write in other ways. */
const planted = "k&y<%7>'secret\"+/=0123456789";
const played: PlayOptions = {
  env: { REGDATA_SERVICE: "https://service.test", REGDATA_KEY: planted },
  keys: { [planted]: "demo-national" },
};

const echoing = saying((object) => {
  for (const name of ["name", "value", "description"])
    if (typeof object[name] === "string") object[name] = `${object[name] as string} ${planted}`;
});
const services: Record<string, PlayOptions> = {
  "answers as it should": {},
  "repeats the key in its answers": {
    // The service behind it knows another key.
    intercept: (request) => {
      const headers = new Headers(request.headers);
      headers.set("X-API-Key", "demo-national");
      return echoing(new Request(request, { headers }));
    },
  },
  "repeats the key in its refusals": {
    intercept: (request) =>
      Response.json({ error: `Bad key ${request.headers.get("X-API-Key")}` }, { status: 401 }),
  },
  "fails with the key": { fetch: () => Promise.reject(new Error(`fetch failed with ${planted}`)) },
};

it.each(Object.entries(services))(
  "no byte of the output holds the key where the service %s",
  async (_, options) => {
    const { call, path, output, told, send, requests } = await serve({ ...played, ...options });
    const order = { where: ["Clark County, NV"], question: ["1056"] };
    await call("search_places", { name: "clark", state: "NV" });
    await call("search_places", { name: planted });
    await call("search_questions", { words: planted });
    await call("get_answers", order);
    await call("get_answers", { where: [planted], question: [planted] });
    await call("get_answers", { ...order, key: planted, [planted]: 1 });
    await call("find_places", { where: ["NV"], if: ["1056 at most 60"] });
    await call("find_places", { where: ["NV"], if: [planted] });
    await call("make_workbook", { ...order, output: "fees.xlsx" });
    await call("make_workbook", { ...order, output: `${encodeURIComponent(planted)}.xlsx` });
    await call(planted, { planted });
    send(planted);
    send(JSON.stringify({ jsonrpc: "2.0", id: 900, method: planted }));
    const bytes = await readFile(path("fees.xlsx")).catch(() => null);
    if (bytes) {
      const file = openWorkbookFile(bytes);
      const inForms = [planted, encodeURIComponent(planted), Buffer.from(planted).toString("base64")];
      file.sheets[0]?.setCells(
        inForms.map((value, at) => ({ row: 50 + at, column: 0, value: `${"long ".repeat(31)}${value}` })),
      );
      await writeFile(path("held.xlsx"), file.save());
      const checked = await call("check_workbook", { workbook: "held.xlsx" });
      expect((checked.structured["problems"] as { total: number }).total).toBeGreaterThanOrEqual(3);
      await call("diff_workbooks", { before: "fees.xlsx", now: "held.xlsx" });
      await call("refresh_workbook", { workbook: "held.xlsx" });
    }
    const forms = keyForms(planted);
    const lines = [...output().split("\n"), ...told().split("\n")];
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.includes(planted) || holdsForm(line, forms))).toEqual([]);
    if (options.fetch === undefined) expect(requests.length).toBeGreaterThan(2);
  },
);
