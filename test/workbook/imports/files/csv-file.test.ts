import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it, vi } from "vitest";
import type { Ahj, Collection } from "../../../../src/engine/api/schemas";
import { exportCsv } from "../../../../src/workbook/imports/files/csv-file";
import { readCsv } from "../../../../src/workbook/imports/files/csv-file";
import type { ImportQuestion } from "../../../../src/workbook/imports/run/import-types";
import { config } from "../../../../src/config";
import { texts } from "../../../hostile/hostile-texts";
import { connected, type Interception } from "../../../recorded-service";

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
  return exportCsv(question, client, {}).then(({ files, missing }) => ({
    saved: files,
    bytes: files.map(({ pieces }) => Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)))),
    files: files.map(({ pieces }) => pieces.map((piece) => Buffer.from(piece as string).toString()).join("")),
    missing,
    requests,
  }));
}

const answering = (text: string) => () => new Response(text, { headers: { "Content-Type": "text/csv" } });

describe("the CSV file of an import", () => {
  it("is the service's own, for a matrix in one request", async () => {
    const ahjs = ofState("NV", 5);
    const { data } = await national.client.exportMatrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types.map(({ id }) => id),
    });
    const { files, missing, requests } = await exported(matrix(ahjs));
    expect(files).toEqual([Buffer.from(data.bytes).toString()]);
    expect(missing).toEqual([]);
    expect(requests).toEqual(["POST /v1/reports/export"]);
  });

  it("of a collection over many addresses is one file with one header, each jurisdiction once", async () => {
    const ahjs = all.filter((_, index) => index % 50 === 0).slice(0, 500);
    const { files, missing, requests } = await exported(executed(ahjs));
    expect(requests.length).toBeGreaterThan(1);
    expect(files).toHaveLength(1);
    const { data } = Papa.parse<string[]>(files[0]?.replace(/^\ufeff/, "") ?? "");
    expect(data.map(([name, state]) => `${name}, ${state}`)).toEqual([
      "AHJ, State",
      ...ahjs.map(({ name, state_code }) => `${name}, ${state_code}`),
    ]);
    expect(missing).toEqual([]);
  });

  it("names the jurisdictions that the subscription leaves out, of a matrix and of a collection", async () => {
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

  it("counts jurisdictions that share name and state", async () => {
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
  ])("that %s does not say what is missing in it", async (_, text) => {
    const { files, missing } = await exported(matrix(ofState("NV", 2)), answering(text));
    expect(files).toEqual([text]);
    expect(missing).toBeNull();
  });

  it.each(["matrix", "collection"] as const)(
    "of a %s whose rows are of other AHJ ids is not saved",
    async (kind) => {
      const ahjs = ofState("NV", 2);
      const question = kind === "matrix" ? matrix(ahjs) : executed(ahjs);
      await expect(exported(question, answering("AHJ ID,Fee\n999001,$5\n"))).rejects.toMatchObject({
        kind: "unexpected-answer",
        detail: "It is about something else than what was asked for. Nothing was saved.",
      });
    },
  );

  it("that is too large for the service is asked for in halves", async () => {
    const ahjs = ofState("CA", 8);
    const whole = await exported(matrix(ahjs));
    const halved = await exported(matrix(ahjs), async (request) => {
      const { ahj_ids: ids } = (await request.clone().json()) as { ahj_ids: number[] };
      return ids.length > 4 ? new Response("", { status: 413 }) : undefined;
    });
    expect(halved.requests).toHaveLength(3);
    expect(halved.files).toEqual(whole.files.map((text) => `\ufeff${text}`));
    expect(halved.missing).toEqual([]);
  });

  it("is asked for in ever smaller parts if it is surely too large, and in halves at most twice if it perhaps is", async () => {
    const refused = async (status: number, count: number) => {
      let asked = 0;
      const refuse = () => {
        asked += 1;
        return new Response("", { status });
      };
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const rejected = expect(exported(matrix(ofState("CA", count)), refuse)).rejects.toMatchObject({
        status,
      });
      await vi.runAllTimersAsync();
      await rejected;
      vi.useRealTimers();
      return asked;
    };
    expect(await refused(413, 20)).toBe(6);
    expect(await refused(413, 1)).toBe(1);
    expect(await refused(422, 20)).toBe(1);
    expect(await refused(504, 20)).toBe(4 + 4 + 4);
  });

  it("of a matrix has as many jurisdictions in each part as the service takes", async () => {
    const ahjs = ofState("CA", 5);
    const many = Array.from({ length: config.mostMatrixCells / 2 }, (_, id) => ({ ...types[0]!, id }));
    const asked: number[][] = [];
    await exported({ kind: "matrix", ahjs, types: many }, async (request) => {
      asked.push(((await request.clone().json()) as { ahj_ids: number[] }).ahj_ids);
      return answering("AHJ ID\n")();
    });
    const [a, b, c, d, e] = ahjs.map(({ id }) => id);
    expect(asked).toEqual([[a, b], [c, d], [e]]);
  });

  it("holds the parts that came if one is denied as a whole, and names that part", async () => {
    const west = (await connected("demo-west").lookup.catalogue.collections())[0] as Collection;
    const [nevada, texas] = [
      ofState("NV", 3),
      all.filter(({ state_code }) => state_code === "TX").slice(0, 500),
    ];
    const question: ImportQuestion = { kind: "collection", ahjs: [...texas, ...nevada], collection: west };
    const { files, missing } = await exported(question, undefined, "demo-west");
    expect(Papa.parse(files[0]?.trimEnd() ?? "").data).toHaveLength(4);
    expect(missing?.map(({ ahj }) => ahj.id).toSorted()).toEqual(texas.map(({ id }) => id).toSorted());
  });

  it.each(["AHJ,State,Fee\nA,NV,1\n", "AHJ,State,Fee\r\nA,NV,1\r\n", "AHJ,State,Fee\r\nA,NV,1"])(
    "has each row of its parts in a line of its own: %j",
    async (text) => {
      const ahjs = all.slice(0, 500);
      const { files, requests } = await exported(executed(ahjs), answering(text));
      const rows = (files[0]?.replace(/^\ufeff/, "") ?? "").split(/\r?\n/);
      const parts = requests.length;
      expect(rows.filter((row) => row !== "")).toEqual([
        "AHJ,State,Fee",
        ...Array<string>(parts).fill("A,NV,1"),
      ]);
      expect(rows.length).toBe(1 + parts + (text.endsWith("\n") ? 1 : 0));
    },
  );

  const latin = Buffer.from("AHJ ID,Fee\n11,\u00a7 5\n", "latin1");
  const wide = Buffer.from("\ufeffAHJ ID,Fee\n11,\u00a7 5\n", "utf16le");
  const marked = Buffer.from("\ufeffAHJ ID,Fee\n11,\u00a7 5\n");
  it.each([
    ["with a byte order mark", marked, "text/csv"],
    ["in Latin-1", latin, "Text/CSV; header=present; charset=iso-8859-1"],
    ["in Latin-1 without a word of it", latin, "text/csv"],
    ["in UTF-16", wide, "text/csv"],
    ["in an encoding that nobody knows", latin, "text/csv;charset=x-none"],
  ])("is saved byte for byte %s", async (_, body, type) => {
    const answer = () => new Response(new Uint8Array(body), { headers: { "Content-Type": type } });
    const ahj = { ...all[0]!, id: 11 };
    const { bytes, missing } = await exported(matrix([ahj]), answer);
    expect(bytes).toEqual([body]);
    const isReadable = body !== latin || type.includes("iso");
    expect(missing).toEqual(isReadable ? [] : null);
    // Several files with the same header become one, which every program can read.
    const { saved, files } = await exported(executed([ahj, ...all.slice(0, 499)]), answer);
    expect(saved.length === 1).toBe(isReadable);
    if (isReadable) expect(files[0]).toMatch(/^\ufeffAHJ ID,Fee\n(?:11,\u00a7 5\n)+$/);
    if (isReadable) expect(saved[0]?.joinedFrom).toBeGreaterThan(1);
  });

  it.each(["text/html", "application/json", "", "text/csvx"])(
    "is not taken from an answer of the type %j",
    async (type) => {
      const page = () => new Response("<h1>Sign in</h1>", { headers: { "Content-Type": type } });
      await expect(exported(matrix(ofState("NV", 1)), page)).rejects.toMatchObject({
        kind: "unexpected-answer",
      });
    },
  );

  it("says how many cells begin like a formula", async () => {
    const text = 'AHJ ID,=Fee\n11,-5\n12,@x\n13,"\t=1"\n14,"\rx"\n15,+1\n16,1-1\n';
    const asked = matrix([{ ...all[0]!, id: 11 }]);
    expect((await exported(asked, answering(text))).saved).toMatchObject([{ formulaLike: 6 }]);
  });

  it("keeps parts apart that are no CSV", async () => {
    const { files, requests } = await exported(executed(all.slice(0, 500)), answering('"A" x\n'));
    expect(files).toEqual(requests.map(() => '"A" x\n'));
  });

  const [here, there] = [
    { ...all[0]!, id: 11, name: " Here County ", state_code: "NV" },
    { ...all[0]!, id: 12, name: "There", state_code: "NV" },
  ];
  it.each([
    ["ids first", "matrix", "AHJ ID,Fee\n11,1\n", [there]],
    ["ids first, behind a byte order mark", "matrix", "\ufeffAHJ ID,Fee\n11,1\n", [there]],
    ["ids somewhere, with blanks", "matrix", "Fee, ahj_id \n1, 11 \n", [there]],
    ["names and states", "matrix", "Name,State\nHere County,NV\n", [there]],
    ["states and names, with blanks", "matrix", "State Code, AHJ Name \nNV , Here County\n", [there]],
    ["names and states somewhere", "matrix", "Fee,Jurisdiction,State\n1,There,NV\n", [here]],
    ["names alone", "matrix", "Name,Fee\nThere,NV\n", null],
    ["states alone", "matrix", "Fee,State\nThere,NV\n", null],
    ["its first two columns", "collection", "Where,Which\nThere,NV\n", [here]],
    ["no row", "matrix", "AHJ ID,Fee\n", [here, there]],
    ["one row of another", "matrix", "AHJ ID,Fee\n11,1\n99,1\n", [there]],
    ["a row that is cut off", "matrix", "Name,State\nThere,NV\nHere\n", [here]],
    ["a row that is no CSV", "matrix", 'AHJ ID,Fee\n11,1\n12,"1" x\n', null],
  ] as const)("is compared with its question if it has %s", async (_, kind, text, lacking) => {
    const question = kind === "matrix" ? matrix([here, there]) : executed([here, there]);
    const { missing } = await exported(question, answering(text));
    expect(missing).toEqual(lacking && lacking.map((ahj) => ({ ahj, among: null })));
  });

  it("keeps parts with other columns apart", async () => {
    let part = 0;
    const { files } = await exported(executed(all.slice(0, 500)), () => {
      part += 1;
      return answering(part === 2 ? "AHJ,State,Other\nA,NV,1\n" : "AHJ,State,Fee\nA,NV,1\n")();
    });
    expect(files[0]).toBe("AHJ,State,Fee\nA,NV,1\n");
    expect(files[1]).toBe("AHJ,State,Other\nA,NV,1\n");
  });
});

it("a file of names and values that nobody means well with is kept letter by letter, and its rows are found", async () => {
  // The texts as UTF-8 can carry them: without half surrogate pairs.
  const own = texts.map((text) => Buffer.from(text.slice(0, 1_000)).toString());
  const ahjs = all.slice(0, 500).map((ahj, at) => ({ ...ahj, name: `${own[at % own.length]}${at}` }));
  const rowOf = ({ name, state_code }: Ahj, at: number) => [
    name,
    state_code,
    own[(at + 1) % own.length] ?? "",
  ];
  const header = ["AHJ", "State", "=1+1"];
  const byId = new Map(ahjs.map((ahj, at) => [ahj.id, rowOf(ahj, at)]));
  const { files, missing, requests } = await exported(executed(ahjs), (request) => {
    const ids = new URL(request.url).searchParams.get("ahj_ids") ?? "";
    const rows = ids.split(",").flatMap((id) => [byId.get(Number(id)) ?? []]);
    return answering(Papa.unparse([header, ...rows]))();
  });
  expect(requests.length).toBeGreaterThan(1);
  expect(missing).toEqual([]);
  expect(files).toHaveLength(1);
  const { data } = Papa.parse<string[]>(files[0]?.replace(/^\ufeff/, "") ?? "", { skipEmptyLines: true });
  expect(data).toEqual([header, ...byId.values()]);
});

it("CSV whose lines end differently is read line by line", () => {
  const read: string[][] = [];
  readCsv('AHJ ID,Name\r\n1,One\n"2","Two\r"\r\n3,"Three"\n', ({ fields }) => void read.push(fields));
  expect(read).toEqual([
    ["AHJ ID", "Name"],
    ["1", "One"],
    ["2", "Two\r"],
    ["3", "Three"],
  ]);
});

it("CSV is read record by record, with the place where each one ends", () => {
  const field = fc.oneof(fc.string(), fc.stringMatching(/^[",\r\n ;x]{0,8}$/));
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { minLength: 1 }),
      fc.constantFrom("", "\r\n"),
      (rows, last) => {
        const ends = rows.map((_, at) => Papa.unparse(rows.slice(0, at + 1)).length + 2);
        const text = Papa.unparse(rows) + last;
        const read: [string[], number][] = [];
        readCsv(text, ({ fields, end }) => void read.push([fields, end]));
        expect(read).toEqual(rows.map((row, at) => [row, Math.min(ends[at]!, text.length)]));
      },
    ),
  );
});
