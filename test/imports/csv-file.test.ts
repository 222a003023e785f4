import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import type { Ahj, Collection } from "../../src/api/schemas";
import { exportCsv } from "../../src/imports/csv-file";
import { csvRecords } from "../../src/imports/csv-rows";
import type { ImportQuestion } from "../../src/imports/question";
import { connected, type Interception } from "../recorded-service";

const national = connected("demo-national");
const { ahjs: all } = await national.lookup.directory.load();
const types = (await national.lookup.catalogue.types()).slice(0, 3);
const [collection] = (await national.lookup.catalogue.collections()).filter(({ name }) =>
  name.includes("Residential"),
);
const ofState = (state: string, count: number) =>
  all.filter(({ state_code, type }) => state_code === state && type === "county").slice(0, count);

const matrix = (ahjs: readonly Ahj[]): ImportQuestion => ({ kind: "matrix", ahjs, types });
const executed = (ahjs: readonly Ahj[]): ImportQuestion => ({
  kind: "collection",
  ahjs,
  collection: collection as Collection,
});

function exported(question: ImportQuestion, intercept?: Interception, key = "demo-national") {
  const { client, requests } = connected(key, intercept ? { intercept } : {});
  return exportCsv(question, client, {}).then((csv) => ({ ...csv, requests }));
}

const answering = (text: string) => () => new Response(text, { headers: { "Content-Type": "text/csv" } });

describe("the CSV file of an import", () => {
  it("is the service's own, of a matrix in one request", async () => {
    const ahjs = ofState("NV", 5);
    const { data } = await national.client.exportMatrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types.map(({ id }) => id),
    });
    const { files, missing, requests } = await exported(matrix(ahjs));
    expect(files).toEqual([[data]]);
    expect(missing).toEqual([]);
    expect(requests).toEqual(["POST /v1/reports/export"]);
  });

  it("of a collection over many addresses is one file with one header, each jurisdiction once", async () => {
    const ahjs = all.filter((_, index) => index % 50 === 0).slice(0, 500);
    const { files, missing, requests } = await exported(executed(ahjs));
    expect(requests.length).toBeGreaterThan(1);
    expect(files).toHaveLength(1);
    const { data } = Papa.parse<string[]>(files[0]?.join("") ?? "");
    expect(data.map(([name, state]) => `${name}, ${state}`)).toEqual([
      "AHJ, State",
      ...ahjs.map(({ name, state_code }) => `${name}, ${state_code}`),
    ]);
    expect(missing).toEqual([]);
  });

  it("names whom the subscription leaves out, of a matrix and of a collection", async () => {
    const [nevada, texas] = [ofState("NV", 3), ofState("TX", 2)];
    const left = texas.map((ahj) => ({ ahj, among: null }));
    expect((await exported(matrix([...texas, ...nevada]), undefined, "demo-west")).missing).toEqual(left);
    const west = (await connected("demo-west").lookup.catalogue.collections())[0] as Collection;
    const question: ImportQuestion = { kind: "collection", ahjs: [...nevada, ...texas], collection: west };
    expect((await exported(question, undefined, "demo-west")).missing).toEqual(left);
    await expect(exported(matrix(texas), undefined, "demo-west")).rejects.toMatchObject({
      kind: "outside-subscription",
    });
  });

  it("counts where jurisdictions share name and state", async () => {
    const [one, other] = ofState("OH", 2) as [Ahj, Ahj];
    const twin = { ...one, id: 1 };
    const file = `AHJ,State,Fee\r\n"${one.name}",OH,"a\r\nb"\r\n`;
    const { missing } = await exported(executed([one, twin, other]), answering(file));
    expect(missing).toEqual([
      { ahj: one, among: { came: 1, asked: 2 } },
      { ahj: twin, among: { came: 1, asked: 2 } },
      { ahj: other, among: null },
    ]);
  });

  it.each([
    ["has headers that name neither ids nor names", "Where,Fee\nHere,1\n"],
    ["writes states in another way", "Name,State\nClark County,Nevada\n"],
    ["is no CSV", 'AHJ ID,"Fee" x\n1,2\n'],
    ["is empty", ""],
  ])("that %s does not tell what it lacks", async (_, text) => {
    const { files, missing } = await exported(matrix(ofState("NV", 2)), answering(text));
    expect(files).toEqual([[text]]);
    expect(missing).toBeNull();
  });

  it("that is too large for the service is asked for in halves", async () => {
    const ahjs = ofState("CA", 8);
    const whole = await exported(matrix(ahjs));
    const halved = await exported(matrix(ahjs), async (request) => {
      const { ahj_ids: ids } = (await request.clone().json()) as { ahj_ids: number[] };
      return ids.length > 4 ? new Response("", { status: 413 }) : undefined;
    });
    expect(halved.requests).toHaveLength(3);
    expect(halved.files.map((parts) => parts.join(""))).toEqual(whole.files.map((parts) => parts.join("")));
    expect(halved.missing).toEqual([]);
  });

  it("keeps parts with other columns apart", async () => {
    let part = 0;
    const { files } = await exported(executed(all.slice(0, 500)), () => {
      part += 1;
      return answering(part === 2 ? "AHJ,State,Other\nA,NV,1\n" : "AHJ,State,Fee\nA,NV,1\n")();
    });
    expect(files[0]).toEqual(["AHJ,State,Fee\nA,NV,1\n"]);
    expect(files[1]?.[0]).toBe("AHJ,State,Other\nA,NV,1\n");
  });
});

it("CSV is read as Papa Parse reads it", () => {
  const field = fc.oneof(fc.string(), fc.stringMatching(/^[",\r\n ;x]{0,8}$/));
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (rows) => {
      const text = Papa.unparse(rows);
      const read = [...csvRecords(text)].map(({ fields }) => fields);
      expect(read).toEqual(rows);
    }),
  );
});
