import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { createService } from "../../../reference-service/service";
import { baseUrl, countByPath } from "../../recorded-service";
import { inCell, key, published } from "../played-io";
import { serve } from "./served";

const data = resolve(import.meta.dirname, "../../../reference-service/data");

/** The rows of a table of the reference service, by their first column. */
function rowsOf(name: string): Map<string, Record<string, string>> {
  const [head = "", ...lines] = readFileSync(join(data, name), "utf8").trim().split("\n");
  const columns = head.split("\t");
  return new Map(
    lines.map((line) => {
      const cells = line.split("\t");
      return [cells[0] ?? "", Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]))];
    }),
  );
}

interface Listed {
  ahj: { id: number };
  data_point_type: { id: number };
  value: string;
  reference: string | null;
  section: string | null;
  updated_at: string;
}

/** The service's own list of values, asked without the command. */
async function listed(ahjIds: readonly number[], typeIds: readonly number[]): Promise<Listed[]> {
  const query = `ahj_ids=${ahjIds.join()}&data_point_type_ids=${typeIds.join()}&page_size=500`;
  const request = new Request(`${baseUrl}/v1/data-points?${query}`, { headers: { "X-API-Key": key } });
  const answer = await createService().fetch(request);
  return ((await answer.json()) as { data: { items: Listed[] } }).data.items;
}

interface Place {
  ahj_id: number;
  geoid: string | null;
  name: string;
  type: string;
  state: string;
}

it("lists its tools, each with a sentence and both schemas, and those of files only with a folder", async () => {
  const ofService = ["search_places", "search_questions", "get_answers", "find_places"];
  const ofFiles = [
    ...["refresh_workbook", "fill_table", "diff_workbooks", "check_workbook"],
    ...["make_workbook", "make_template"],
  ];
  const { tools } = await (await serve()).client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...ofService, ...ofFiles]);
  for (const { description = "", inputSchema, outputSchema, annotations } of tools) {
    expect(description).toMatch(/^[A-Z][^.]*\.$/);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: "object" });
    expect(JSON.stringify(inputSchema)).not.toMatch(/key"/);
    expect(annotations?.destructiveHint).toBe(false);
  }
  expect(
    tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name),
  ).toEqual(["refresh_workbook", "fill_table", ...["make_workbook", "make_template"]]);
  const without = await serve({ folders: [] });
  expect((await without.client.listTools()).tools.map(({ name }) => name)).toEqual(ofService);
});

it("finds a place by its name and state, with the geoID of the Census", async () => {
  const { call } = await serve();
  // The county of Austin, in the reference service's list of cities.
  const county = [...rowsOf("cities.tsv").values()].find(({ name }) => name === "Austin");
  const geoid = Object.values(county ?? {}).find((text) => /^\d{5}$/.test(text));
  const { structured, text } = await call("search_places", { name: "travis county", state: "Texas" });
  expect(structured).toMatchObject({
    ...{ total: 1, page: 1, pages: 1, not_listed: 0 },
    places: [{ geoid, name: "Travis County", type: "county", state: "TX" }],
  });
  expect(text).toContain(`"${geoid}" | "Travis County" | "county" | "TX"`);
  // Beyond the places of this state nothing is found.
  expect((await call("search_places", { name: "travis county", state: "NV" })).structured).toMatchObject({
    total: 0,
  });
});

it("tells the pages of a state's places, which together are all of them, each once", async () => {
  const { call, requests } = await serve();
  const first = (await call("search_places", { state: "NV" })).structured as { pages: number; total: number };
  const ids: number[] = [];
  for (let page = 1; page <= first.pages; page += 1) {
    const { places } = (await call("search_places", { state: "NV", page })).structured as { places: Place[] };
    ids.push(...places.map(({ ahj_id }) => ahj_id));
  }
  const request = new Request(`${baseUrl}/v1/ahjs?state_code=NV&page_size=500`, {
    headers: { "X-API-Key": key },
  });
  const own = (await (await createService().fetch(request)).json()) as { data: { items: { id: number }[] } };
  expect([...ids].sort((a, b) => a - b)).toEqual(own.data.items.map(({ id }) => id).sort((a, b) => a - b));
  expect(ids).toHaveLength(first.total);
  // The first one learns how the service's filter by state is called.
  expect(countByPath(requests)).toEqual({ "GET /v1/ahjs": 2 });
});

it("finds a question by words that its name does not have", async () => {
  const { call } = await serve();
  const { structured, text } = await call("search_questions", { words: "how long does plan review take" });
  const { questions } = structured as { questions: { id: number }[] };
  const type = rowsOf("types.tsv").get("1030");
  expect(questions[0]).toEqual({
    ...{
      id: 1030,
      name: type?.["name"],
      unit: type?.["unit_of_measure"],
      description: type?.["description"],
    },
  });
  expect(text).toContain(`1030 | "${type?.["name"]}" | "days"`);
});

it("gives answers with citation and date as the service lists them", async () => {
  const { call } = await serve();
  const { structured, failure } = await call("get_answers", {
    where: ["Travis County, TX", "Harris County, TX", "AZ"],
    question: ["1056", "Re-Inspection Fee"],
  });
  expect(failure).toBeNull();
  const { rows, total, pages } = structured as {
    rows: (Place & { answers: ({ question_id: number } & Record<string, string | null>)[] })[];
    total: number;
    pages: number;
  };
  expect(rows.slice(0, 2).map(({ name }) => name)).toEqual(["Travis County", "Harris County"]);
  expect([rows.length, pages]).toEqual([Math.min(100, total), Math.ceil(total / 100)]);
  const own = new Map(
    (
      await listed(
        rows.map(({ ahj_id }) => ahj_id),
        [1056, 1057],
      )
    ).map((item) => [`${item.ahj.id} ${item.data_point_type.id}`, item]),
  );
  let values = 0;
  for (const { ahj_id: id, answers } of rows)
    for (const { question_id: typeId, value, reference, section, updated_at: date } of answers) {
      const item = own.get(`${id} ${typeId}`);
      if (value !== null) values += 1;
      expect([id, typeId, value, reference, section, date]).toEqual([
        ...[id, typeId, item?.value ?? null, item?.reference ?? null, item?.section ?? null],
        item?.updated_at ?? null,
      ]);
    }
  expect(values).toBeGreaterThan(20);
});

it("asks few requests: answers that were told once are kept for the server's life", async () => {
  const { call, requests } = await serve();
  const given = { where: ["NV"], question: ["1056", "1057"] };
  await call("get_answers", given);
  const first = countByPath(requests);
  expect(first).toEqual({ "GET /v1/ahjs": 2, "GET /v1/data-points": 1, "GET /v1/data-points/types": 1 });
  await call("get_answers", given);
  await call("search_questions", { words: "permit fee" });
  await call("search_places", { state: "NV" });
  expect(countByPath(requests)).toEqual(first);
});

it("sorts places into those that meet a condition, those that don't, and those of which it is not known, with reasons", async () => {
  const { call } = await serve();
  const { structured, text } = await call("find_places", { where: ["NV"], if: ["1056 at most 60"] });
  const found = structured as Record<
    "meet" | "do_not_meet" | "not_known",
    { total: number; places: (Place & { reasons?: string[] })[] }
  >;
  const all = (await call("get_answers", { where: ["NV"], question: ["1056"] })).structured as {
    rows: Place[];
  };
  const ids = all.rows.map(({ ahj_id }) => ahj_id);
  const values = await published(ids, [1056]);
  /** Undefined where the value is more than an amount, so that it takes docs/find.md to read it. */
  const groupOf = (id: number) => {
    const fee = inCell(values.get(id)?.["1056"]?.value);
    if (fee === null) return "not_known";
    return typeof fee !== "number" ? undefined : fee <= 60 ? "meet" : "do_not_meet";
  };
  const groups = ["meet", "do_not_meet", "not_known"] as const;
  const placed: Record<string, number[]> = { meet: [], do_not_meet: [], not_known: [] };
  for (const page of [1, 2]) {
    const given = { where: ["NV"], if: ["1056 at most 60"], page };
    const { structured: part } = await call("find_places", given);
    for (const group of groups)
      placed[group]?.push(...(part as typeof found)[group].places.map(({ ahj_id: id }) => id));
  }
  expect(Object.values(placed).flat().sort()).toEqual([...ids].sort());
  const seen = groups.map((group) => placed[group]?.filter((id) => groupOf(id) === group).length ?? 0);
  for (const group of groups) {
    expect(found[group].total).toBe(placed[group]?.length);
    for (const id of placed[group] ?? []) expect([id, groupOf(id) ?? group]).toEqual([id, group]);
  }
  expect(Math.min(...seen)).toBeGreaterThan(10);
  for (const { reasons } of found.not_known.places)
    expect(reasons).toEqual([expect.stringContaining("Minimum Permit Fee")]);
  expect(structured["looked"]).toBe(134);
  expect(text).toContain(`Meet the conditions: ${placed["meet"]?.length}.`);
});

it("says a failure's kind, sentence and next step, as the command has them", async () => {
  const { call } = await serve();
  const one = await call("get_answers", { where: ["Alameda County, CA"], question: ["permit feee"] });
  expect(one.failure).toMatchObject({
    kind: "usage",
    sentence: expect.stringContaining('The service knows no question "permit feee". Perhaps '),
  });
  expect(one.text).toMatch(/^Failed \(usage\): ".*"\nNext step: .*\.$/);
  const wrong = await serve({ env: { REGDATA_SERVICE: baseUrl, REGDATA_KEY: "no-such-key" } });
  expect((await wrong.call("search_questions", { words: "fee" })).failure).toMatchObject({
    kind: "wrong-key",
    nextStep: expect.stringContaining("Check REGDATA_KEY"),
  });
  const none = await serve({ env: { REGDATA_SERVICE: baseUrl } });
  expect((await none.call("search_questions", { words: "fee" })).failure).toMatchObject({
    kind: "usage",
    sentence: expect.stringContaining("There is no key. Put it into REGDATA_KEY"),
  });
});

it("ends with the input, and answers messages that are none with nothing but a line on the standard error", async () => {
  const { call, send, told, output, end } = await serve();
  send("{ no JSON");
  send('"\u001b[31m"');
  await call("search_questions", { words: "fee" });
  expect(told()).toMatch(/^A message can't be read: /);
  expect(told()).not.toContain("\u001b");
  for (const line of output().trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(await end()).toBe(0);
});
