import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import type { CellValue } from "../../../workbench/spreadsheet";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const client = sampleClient();

/** What a formula shows that spills over so many rows and columns; the cells around it must be blank. */
type Expected = CellValue[][];

/**
 * Enters formulas below each other and compares what they show, spills with a margin of blank cells. Texts that begin
 * with "=" are formulas; everything else is entered beside them.
 */
async function show(formulas: Record<string, { formula: string; shows: Expected }>, column = "T") {
  let row = 1;
  const places: { name: string; address: string; shows: Expected }[] = [];
  const entered: (string | null)[][] = [];
  for (const [name, { formula, shows }] of Object.entries(formulas)) {
    entered.push([formula], ...shows.map(() => [null]));
    const end = String.fromCharCode(column.charCodeAt(0) + (shows[0]?.length ?? 0));
    places.push({
      name: `${name}: ${formula}`,
      address: `${column}${row}:${end}${row + shows.length}`,
      shows: [...shows.map((cells) => [...cells, ""]), [...(shows[0] ?? []).map(() => ""), ""]],
    });
    row += shows.length + 1;
  }
  await workbench.setFormulas(`${column}1`, entered);
  for (const { name, address, shows } of places)
    expect([name, await workbench.values(address)]).toEqual([name, shows]);
}

const types = [1003, 1056, 1076];
const geoids = ["06001", "06037", "32003"];

async function answersOf(asked: readonly string[], typeIds: readonly number[]) {
  const details = await Promise.all(asked.map(async (geoid) => (await client.resolveGeoid({ geoid })).data));
  const { data } = await client.matrix({
    ahj_ids: details.map(({ id }) => id),
    data_point_type_ids: typeIds,
  });
  const points = await client.listDataPoints({
    ahj_ids: details.map(({ id }) => id),
    data_point_type_ids: typeIds,
    page: 1,
    page_size: 500,
  });
  const typeOf = (id: number) => {
    const type = data.data_point_types.find((type) => type.id === id);
    if (!type) throw new Error(`no type ${id}`);
    return type;
  };
  return {
    details,
    typeOf,
    cell: (row: number, typeId: number) =>
      data.rows.find(({ ahj }) => ahj.id === details[row]?.id)?.values[typeId] ?? null,
    point: (row: number, typeId: number) =>
      points.data.items.find(
        ({ ahj, data_point_type }) => ahj.id === details[row]?.id && data_point_type.id === typeId,
      ),
    value(row: number, typeId: number): CellValue {
      const raw = this.cell(row, typeId)?.value;
      return raw ? formulaValue(raw, typeOf(typeId).unit_of_measure) : "#N/A";
    },
  };
}

const quoted = (texts: readonly string[]) => `{${texts.map((text) => `"${text}"`).join(";")}}`;

describe("formulas of answers", () => {
  it("give every field, in cells, ranges and constants, with blanks and duplicates", async () => {
    const answers = await answersOf(geoids, types);
    const { value, cell, point } = { ...answers, value: answers.value.bind(answers) };
    const matrix = geoids.map((_, row) => types.map((type) => value(row, type)));
    const names = answers.details.map(({ name }) => name);
    const headers = ["Name", "State", ...types.map((type) => answers.typeOf(type).name)];
    const citation = (row: number, type: number) =>
      [cell(row, type)?.reference, cell(row, type)?.section].filter(Boolean).join(", ") ||
      "no citation recorded";
    workbench = await openWorkbench({ excelApi: "1.15" });
    // A1:A5 has a blank cell and a geoID that lost its zero and stands there twice; B1:E1 has a blank, too.
    await workbench.setFormulas("A1:A5", [["'06001"], ["'06037"], [""], [32_003], [6001]]);
    await workbench.setFormulas("B1:E1", [[1003, "", 1056, answers.typeOf(1076).name]]);
    const filled = (row: number) => [value(row, 1003), "", value(row, 1056), value(row, 1076)];
    const blank = ["", "", "", ""];
    await show({
      "one answer": { formula: '=REGDATA.VALUE("06001", 1003)', shows: [[value(0, 1003)]] },
      "a long geoID": { formula: '=REGDATA.VALUE("0500000US06001", 1003)', shows: [[value(0, 1003)]] },
      "an AHJ id": {
        formula: `=REGDATA.VALUE("ahj:${answers.details[1]?.id}", 1003)`,
        shows: [[value(1, 1003)]],
      },
      "a type's name": {
        formula: `=REGDATA.VALUE("06001", "${answers.typeOf(1056).name}")`,
        shows: [[value(0, 1056)]],
      },
      "a blank": { formula: "=REGDATA.VALUE(A3, 1003)", shows: [[""]] },
      "ranges with blanks": {
        formula: "=REGDATA.VALUE(A1:A5, B1:E1)",
        shows: [filled(0), filled(1), blank, filled(2), filled(0)],
      },
      "rows are jurisdictions": {
        formula: '=REGDATA.VALUE({"06001","06037"}, {1003;1056})',
        shows: [0, 1].map((row) => [value(row, 1003), value(row, 1056)]),
      },
      text: { formula: '=REGDATA.VALUE("06001", 1056, "text")', shows: [[cell(0, 1056)?.value ?? ""]] },
      reference: {
        formula: '=REGDATA.VALUE("06001", 1056, "Reference")',
        shows: [[cell(0, 1056)?.reference ?? ""]],
      },
      section: {
        formula: '=REGDATA.VALUE("06001", 1056, "section")',
        shows: [[cell(0, 1056)?.section ?? ""]],
      },
      citation: { formula: '=REGDATA.VALUE("06001", 1056, "citation")', shows: [[citation(0, 1056)]] },
      "when it changed": {
        formula: '=REGDATA.VALUE("06001", 1056, "updated_at")',
        shows: [[point(0, 1056)?.updated_at ?? ""]],
      },
      unit: {
        formula: '=REGDATA.VALUE("06001", {1003,1056}, "unit")',
        shows: [[answers.typeOf(1003).unit_of_measure, answers.typeOf(1056).unit_of_measure]],
      },
      question: {
        formula: '=REGDATA.VALUE({"06001";"48999"}, {1003,1056}, "question")',
        shows: [headers.slice(2, 4), headers.slice(2, 4)],
      },
      status: {
        formula: '=REGDATA.VALUE({"06001";"48999";"x"}, {1003,489999}, "status")',
        shows: [
          ["ok", "unknown question"],
          ["unknown jurisdiction", "unknown jurisdiction"],
          ["invalid argument", "invalid argument"],
        ],
      },
      CITATION: {
        formula: "=REGDATA.CITATION(A1:A2, 1056)",
        shows: [[citation(0, 1056)], [citation(1, 1056)]],
      },
      MATRIX: {
        formula: `=REGDATA.MATRIX(${quoted(geoids)}, {1003,1056,1076})`,
        shows: [
          headers,
          ...matrix.map((cells, row) => [names[row] ?? "", answers.details[row]?.state_code ?? "", ...cells]),
        ],
      },
      "MATRIX without headers, with a blank row": {
        formula: "=REGDATA.MATRIX(A2:A3, 1056, FALSE)",
        shows: [
          [names[1] ?? "", "CA", value(1, 1056)],
          ["", "", ""],
        ],
      },
      "CARD without data types": { formula: '=REGDATA.CARD("06001", 1056)', shows: [[value(0, 1056)]] },
      CHANGED: {
        formula: '=REGDATA.CHANGED("06001", 1056, {"2000-01-01","2100-01-01"})',
        shows: [[true, false]],
      },
      "inside other formulas": {
        formula: `=SUM(REGDATA.VALUE(${quoted(geoids)}, 1056))+0`,
        shows: [[geoids.reduce((sum, _, row) => sum + Number(value(row, 1056)), 0)]],
      },
      IF: { formula: '=IF(REGDATA.VALUE("06001", 1056, "status")="ok", "yes", "no")', shows: [["yes"]] },
      IFERROR: { formula: '=IFERROR(REGDATA.VALUE("48999", 1003), "none")', shows: [["none"]] },
      XLOOKUP: {
        formula: `=XLOOKUP("${names[1]}", REGDATA.AHJ(${quoted(geoids)}), REGDATA.VALUE(${quoted(geoids)}, 1003))`,
        shows: [[value(1, 1003)]],
      },
      FILTER: {
        formula: `=FILTER(REGDATA.MATRIX(${quoted(geoids)}, 1003, FALSE), REGDATA.AHJ(${quoted(geoids)}, "state_code")="NV")`,
        shows: [[names[2] ?? "", "NV", value(2, 1003)]],
      },
      TRANSPOSE: {
        formula: `=TRANSPOSE(REGDATA.VALUE("06001", {1003,1056}))`,
        shows: [[value(0, 1003)], [value(0, 1056)]],
      },
    });
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("formulas of lists", () => {
  it("give jurisdictions, the catalogue and collections as tables", async () => {
    const { details } = await answersOf(geoids, types);
    const all = async <Item>(
      list: (paging: { page: number; page_size: number }) => Promise<{ data: { items: Item[] } }>,
    ) => (await list({ page: 1, page_size: 500 })).data.items;
    const nevada = (await all((paging) => client.listAhjs({ ...paging, state_code: "NV" }))).sort(
      (a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id,
    );
    const categories = (await all(client.listCategories)).sort((a, b) => a.id - b.id);
    const catalogue = (await all(client.listTypes)).sort((a, b) => a.id - b.id);
    const units = (await client.listUnits({})).data;
    const [category = { id: 0, name: "" }] = categories.slice(2);
    const ofCategory = catalogue.filter(({ category_ids }) => category_ids.includes(category.id));
    workbench = await openWorkbench({ excelApi: "1.15" });
    await workbench.setFormulas(
      "A1:A3",
      geoids.map((geoid) => [`'${geoid}`]),
    );
    await show({
      GEOID: { formula: '=REGDATA.GEOID("Alameda County, CA")', shows: [["06001"]] },
      "GEOID of several": {
        formula: '=REGDATA.GEOID({"St Louis County MO";"clark county nevada"})',
        shows: [["29189"], ["32003"]],
      },
      "GEOID, with the states beside": {
        formula: '=REGDATA.GEOID({"Orange County";"County of Orange"}, {"FL";"California"})',
        shows: [["12095"], ["06059"]],
      },
      AHJ: { formula: "=REGDATA.AHJ(A1:A3)", shows: details.map(({ name }) => [name]) },
      "AHJ, several fields": {
        formula: '=REGDATA.AHJ(A1:A3, {"id","type","state_code","geoid"})',
        shows: details.map(({ id, type, state_code, geoid }) => [id, type, state_code, geoid ?? ""]),
      },
      "AHJ, details": {
        formula: '=REGDATA.AHJ(A1:A2, {"state_name","county","population","lat","lon"})',
        shows: details
          .slice(0, 2)
          .map(({ state_name, county, population, lat, lon }) => [
            state_name ?? "",
            county ?? "",
            population ?? "",
            lat ?? "",
            lon ?? "",
          ]),
      },
      AHJS: {
        formula: '=REGDATA.AHJS("nv")',
        shows: [
          ["AHJ ID", "Name", "Type", "State", "geoID"],
          ...nevada.map(({ id, name, type, state_code, geoid }) => [id, name, type, state_code, geoid ?? ""]),
        ],
      },
      "AHJS, searched": {
        formula: '=INDEX(REGDATA.AHJS("NV", "clark county", FALSE), 1, 5)',
        shows: [["32003"]],
      },
      "types of a category": {
        formula: `=REGDATA.TYPES(, "${category.name}", FALSE)`,
        shows: ofCategory.map(({ id, name, description, unit_of_measure, category_ids }) => [
          id,
          name,
          description,
          unit_of_measure,
          category_ids.map((id) => categories.find((category) => category.id === id)?.name).join("; "),
        ]),
      },
      CATEGORIES: {
        formula: "=REGDATA.CATEGORIES()",
        shows: [["Category ID", "Name"], ...categories.map(({ id, name }) => [id, name])],
      },
      UNITS: { formula: "=REGDATA.UNITS(FALSE)", shows: units.map(({ name }) => [name]) },
    });
    expect(await workbench.problems()).toEqual([]);
  });

  it("execute a collection, wide and long, by name and by id", async () => {
    const collections = (await client.listCollections({ page: 1, page_size: 500 })).data.items;
    const zoning = collections.find(({ name }) => name === "Zoning");
    if (!zoning) throw new Error("no collection");
    const { details } = await answersOf(geoids, types);
    const ids = details.map(({ id }) => id);
    const { items } = (
      await client.runCollection({ collection_id: zoning.id, ahj_ids: ids, page: 1, page_size: 500 })
    ).data;
    const byAhj = ids.map((id) =>
      items.filter(({ ahj }) => ahj.id === id).sort((a, b) => a.data_point_type.id - b.data_point_type.id),
    );
    workbench = await openWorkbench({ excelApi: "1.15" });
    await workbench.setFormulas("A1", [[`=REGDATA.COLLECTION("${zoning.id}", ${quoted(geoids)})`]]);
    await workbench.setFormulas("A10", [[`=REGDATA.COLLECTION("Zoning", ${quoted(geoids)}, "long")`]]);
    const [headers = [], ...wide] = await workbench.values("A1:BZ4");
    details.forEach(({ name, state_code }, row) => {
      expect(wide[row]?.slice(0, 2)).toEqual([name, state_code]);
      for (const { data_point_type: type, value } of byAhj[row] ?? []) {
        const shown = wide[row]?.[headers.indexOf(type.name)];
        expect([type.name, shown]).toEqual([
          type.name,
          value ? formulaValue(value, type.unit_of_measure) : "#N/A",
        ]);
      }
    });
    const long = await workbench.values(`A10:I${10 + items.length}`);
    expect(long[0]).toEqual([
      "Name",
      "State",
      "geoID",
      "Question",
      "Value",
      "Unit",
      "Reference",
      "Section",
      "Updated",
    ]);
    const rowOf = ({
      ahj,
      data_point_type: type,
      value,
      reference,
      section,
      updated_at,
    }: (typeof items)[number]) => [
      ahj.name,
      ahj.state_code,
      ahj.geoid,
      type.name,
      formulaValue(value ?? "", type.unit_of_measure),
      type.unit_of_measure,
      reference ?? "",
      section ?? "",
      updated_at,
    ];
    const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(long.slice(1))).toEqual(sorted(items.map(rowOf)));
    expect(workbench.requests.filter((request) => request.includes("/data?"))).toHaveLength(1);
  });
});

describe("in an Excel with data types", () => {
  it("cards show where a value holds and is written, and dates are dates", async () => {
    const answers = await answersOf(geoids, types);
    workbench = await openWorkbench({ excelApi: "1.19" });
    await workbench.setFormulas("A1:C1", [
      [
        '=REGDATA.CARD("06001", 1056)',
        '=REGDATA.VALUE("06001", 1056, "updated_at")',
        '=REGDATA.VALUE("06001", 1056)',
      ],
    ]);
    const point = answers.point(0, 1056);
    const texts = (await workbench.texts("A1:C1"))[0];
    expect(texts?.[0]).toBe(point?.value);
    expect(Date.parse(`${texts?.[1]}Z`)).toBe(Date.parse(point?.updated_at ?? ""));
    expect(await workbench.card("A1")).toMatchObject({ fields: { Question: answers.typeOf(1056).name } });
    expect(await workbench.values("B1:C1")).toEqual([[expect.any(Number), answers.value(0, 1056)]]);
    expect(await workbench.problems()).toEqual([]);
  });

  it("numbers carry their citation where the user wants it, and still add up", async () => {
    const answers = await answersOf(geoids, types);
    workbench = await openWorkbench({ excelApi: "1.19" });
    await openTab(workbench, "Settings");
    await workbench.pane.getByRole("checkbox", { name: "Numbers carry their citation" }).check();
    await workbench.setFormulas("A1:B1", [['=REGDATA.VALUE("06001", 1056)', "=SUM(A1, A1)"]]);
    expect(await workbench.values("A1:B1")).toEqual([
      [answers.value(0, 1056), 2 * Number(answers.value(0, 1056))],
    ]);
    expect((await workbench.texts("A1"))[0]?.[0]).toBe(answers.cell(0, 1056)?.value);
    expect(await workbench.card("A1")).toMatchObject({
      fields: { Reference: answers.cell(0, 1056)?.reference },
    });
  });
});

describe("spills", () => {
  it("grow and shrink with their arguments, and what depends on them follows", async () => {
    const answers = await answersOf(geoids, types);
    const value = (row: number) => answers.value(row, 1056);
    workbench = await openWorkbench({ excelApi: "1.15" });
    await workbench.setFormulas("A1:A2", [["'06001"], ["'06037"]]);
    await workbench.setFormulas("C1:D1", [
      [
        '=REGDATA.VALUE(FILTER(A1:A3, A1:A3<>""), 1056)',
        '=ROWS(REGDATA.VALUE(FILTER(A1:A3, A1:A3<>""), 1056))',
      ],
    ]);
    expect(await workbench.values("C1:D3")).toEqual([
      [value(0), 2],
      [value(1), ""],
      ["", ""],
    ]);
    await workbench.setFormulas("A3", [["'32003"]]);
    expect(await workbench.values("C1:D3")).toEqual([
      [value(0), 3],
      [value(1), ""],
      [value(2), ""],
    ]);
    await workbench.setFormulas("A2:A3", [[""], [""]]);
    expect(await workbench.values("C1:D3")).toEqual([
      [value(0), 1],
      ["", ""],
      ["", ""],
    ]);
  });
});

describe("many answers", () => {
  it("take what other formulas of theirs give as arguments: a date, a card", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1", [
      ['=REGDATA.VALUE("06001", 1003, "updated_at")', '=REGDATA.CARD("06001", 1002)'],
      ['=REGDATA.CHANGED("06001", 1003, A1)', '=REGDATA.VALUE("06001", 1002, "text", B1)'],
      ['=REGDATA.CHANGED("06001", 1003, A1 - 1)', "=REGDATA.VALUE(B1, 1002)"],
    ]);
    expect(await workbench.values("A2:A3")).toEqual([[false], [true]]);
    expect((await workbench.texts("B1"))[0]).toEqual((await workbench.values("B2"))[0]);
    expect(await workbench.errorMessage("B3")).toMatch(/is not a geoID/);
    expect(await workbench.problems()).toEqual([]);
  });

  it("share their requests inside of MAP and BYROW as single calls do", async () => {
    const cells = `A1:A${geoids.length}`;
    /** What formulas show, in C1 and below, and what a new browser asks for it. */
    const askedBy = async (formulas: string[][]) => {
      workbench = await openWorkbench();
      await workbench.setFormulas(
        "A1",
        geoids.map((geoid) => [`'${geoid}`]),
      );
      await workbench.setFormulas("C1", formulas);
      const values = await workbench.values(`C1:C${geoids.length}`);
      const asked = [...workbench.requests];
      expect(await workbench.problems()).toEqual([]);
      return { values, asked };
    };
    const single = await askedBy(geoids.map((_, row) => [`=REGDATA.VALUE(A${row + 1}, 1003)`]));
    await workbench.close();
    const mapped = await askedBy([
      [
        `=MAP(${cells}, LAMBDA(geoid, REGDATA.VALUE(geoid, 1003)))`,
        "",
        `=BYROW(${cells}, LAMBDA(geoid, REGDATA.VALUE(geoid, 1003)))`,
      ],
    ]);
    expect(single.asked.length).toBeGreaterThan(0);
    expect(mapped).toEqual(single);
    expect(await workbench.values(`E1:E${geoids.length}`)).toEqual(single.values);
  });

  it("a matrix of 1,000 x 20 takes one request beside the directory, and 1,000 formulas of its answers none", async () => {
    workbench = await openWorkbench({ excelApi: "1.15" });
    const ahjs = (await client.listAhjs({ page: 20, page_size: 500 })).data.items;
    const more = (await client.listAhjs({ page: 21, page_size: 500 })).data.items;
    const all = [...new Set([...ahjs, ...more].flatMap(({ geoid }) => geoid ?? []))];
    const catalogue = (await client.listTypes({ page: 1, page_size: 500 })).data.items.slice(0, 20);
    await workbench.setFormulas(
      `A2:A${all.length + 1}`,
      all.map((geoid) => [`'${geoid}`]),
    );
    await workbench.setFormulas("B1:U1", [catalogue.map(({ id }) => id)]);
    await workbench.setFormulas("W1", [[`=REGDATA.MATRIX(A2:A${all.length + 1}, B1:U1)`]]);
    const matrix = await workbench.values(`W1:AR${all.length + 1}`);
    expect(matrix.flat()).not.toContain("#BUSY!");
    // The pane, which is open, reads the lists that it offers.
    const isListOrDirectory = (request: string) =>
      /^GET \/v1\/(ahjs\?|geoid\/|data-points\/types\?|categories\?)/.test(request);
    expect(workbench.requests.filter((request) => !isListOrDirectory(request))).toEqual([
      "POST /v1/reports/matrix",
    ]);
    workbench.requests.length = 0;

    const rows = all.slice(0, 100);
    const columns = "BCDEFGHIJK".split("");
    await workbench.setFormulas(
      `B2:K${rows.length + 1}`,
      rows.map((_, row) => columns.map((column) => `=REGDATA.VALUE($A${row + 2}, ${column}$1)`)),
    );
    const values = await workbench.values(`B2:K${rows.length + 1}`);
    expect(values).toEqual(matrix.slice(1, rows.length + 1).map((cells) => cells.slice(2, 12)));
    expect(workbench.requests).toEqual([]);
  });
});

describe("what can't be answered", () => {
  it("fails cell by cell, each with its own sentence, and can be counted", async () => {
    const { value } = await answersOf(["06001"], [1003]).then((answers) => ({
      value: answers.value(0, 1003),
    }));
    workbench = await openWorkbench({ key: "demo-west", excelApi: "1.15" });
    await workbench.setFormulas("A1:A5", [["'06001"], ["'48201"], ["'48999"], ["Oakland"], [true]]);
    await workbench.setFormulas("B1:C1", [["=REGDATA.VALUE(A1:A5, {1003,489999})", ""]]);
    await workbench.setFormulas("E1:E2", [['=REGDATA.VALUE(A1:A5, {1003,489999}, "status")'], [""]]);
    await workbench.setFormulas("H1", [["=REGDATA.MATRIX(A1:A3, 1003)"]]);
    expect(await workbench.values("B1:C5")).toEqual([
      [value, "#N/A"],
      ["#N/A", "#N/A"],
      ["#N/A", "#N/A"],
      ["#VALUE!", "#VALUE!"],
      ["#VALUE!", "#VALUE!"],
    ]);
    expect(await workbench.errorMessage("C1")).toMatch(/no such question/);
    expect(await workbench.errorMessage("B2")).toMatch(/outside your subscription/);
    expect(await workbench.errorMessage("B3")).toMatch(/no jurisdiction with this geoID/);
    expect(await workbench.errorMessage("B4")).toMatch(/"Oakland" is not a geoID/);
    expect(await workbench.errorMessage("B5")).toMatch(/TRUE is not a geoID/);
    expect(await workbench.values("E1:F5")).toEqual([
      ["ok", "unknown question"],
      ["outside subscription", "outside subscription"],
      ["unknown jurisdiction", "unknown jurisdiction"],
      ["invalid argument", "invalid argument"],
      ["invalid argument", "invalid argument"],
    ]);
    expect((await workbench.values("H1:J4")).slice(2)).toEqual([
      ["#N/A", "#N/A", "#N/A"],
      ["#N/A", "#N/A", "#N/A"],
    ]);
    expect(await workbench.errorMessage("H3")).toMatch(/outside your subscription/);
    expect(await workbench.errorMessage("J4")).toMatch(/no jurisdiction with this geoID/);
  });

  it("say what is wrong with an argument, each formula in its own sentence", async () => {
    const wrong: [formula: string, error: string, sentence: RegExp][] = [
      ['=REGDATA.VALUE("06001", 1003, "colour")', "#VALUE!", /"colour" is none of: value, text, reference/],
      ['=REGDATA.MATRIX("06001", 1003, "maybe")', "#VALUE!", /"maybe" is none of: true, false/],
      ['=REGDATA.CITATION("x", 1003)', "#VALUE!", /"x" is not a geoID/],
      ['=REGDATA.CARD("48999", 1003)', "#N/A", /no jurisdiction with this geoID/],
      ['=REGDATA.CHANGED("06001", 1003, "soon")', "#VALUE!", /"soon" is not a date/],
      ['=REGDATA.GEOID("Alamedda County, CA")', "#N/A", /Did you mean Alameda County, CA \(06001\)\?/],
      ['=REGDATA.GEOID("Alameda County", "XX")', "#VALUE!", /"XX" is not a state.*=REGDATA\.GEOID\(/],
      ['=REGDATA.AHJ("06001", "mayor")', "#VALUE!", /"mayor" is none of: id, name/],
      ['=REGDATA.AHJS("California")', "#VALUE!", /"CALIFORNIA" is not a state's code/],
      ['=REGDATA.AHJS("NV", "xyzzy", FALSE)', "#N/A", /Nothing was found/],
      ['=REGDATA.TYPES("xyzzy", , FALSE)', "#N/A", /Nothing was found/],
      ['=REGDATA.TYPES(, "Nonsense")', "#VALUE!", /no category "Nonsense"/],
      ['=REGDATA.COLLECTION("Nonsense", "06001")', "#N/A", /no collection "Nonsense"/],
      ['=REGDATA.COLLECTION("Zoning", "06001", "tall")', "#VALUE!", /"tall" is none of: wide, long/],
    ];
    workbench = await openWorkbench({ excelApi: "1.15" });
    await workbench.setFormulas(
      "A1",
      wrong.map(([formula]) => [formula]),
    );
    const shown = (await workbench.values(`A1:A${wrong.length}`)).flat();
    for (const [row, [formula, error, sentence]] of wrong.entries()) {
      expect([formula, shown[row]]).toEqual([formula, error]);
      expect(await workbench.errorMessage(`A${row + 1}`), formula).toMatch(sentence);
    }
  });

  it.each([
    ["no key", null, false, /not connected/],
    ["unreachable", "demo-national", true, /can't be reached/],
  ])(
    "says %s in status, and fails in every formula with one sentence",
    async (status, key, isStopped, sentence) => {
      workbench = await openWorkbench({ key, excelApi: "1.15" });
      if (isStopped) await workbench.page.route("**/v1/**", (route) => route.abort("connectionrefused"));
      const formulas = [
        '=REGDATA.VALUE("06001", {1003,1056}, "status")',
        '=REGDATA.VALUE("06001", 1003, , "none")',
        '=REGDATA.MATRIX("06001", 1003)',
        '=REGDATA.CITATION("06001", 1003)',
        '=REGDATA.CARD("06001", 1003)',
        '=REGDATA.CHANGED("06001", 1003, "2026-01-01")',
        '=REGDATA.GEOID("Alameda County, CA")',
        '=REGDATA.AHJ("06001")',
        "=REGDATA.AHJS()",
        "=REGDATA.TYPES()",
        "=REGDATA.CATEGORIES()",
        "=REGDATA.UNITS()",
        "=REGDATA.COLLECTIONS()",
        '=REGDATA.COLLECTION("Zoning", "06001")',
      ];
      await workbench.setFormulas(
        "A1",
        formulas.flatMap((formula) => [[formula], [null], [null]]),
      );
      const shown = await workbench.values("A1:C43");
      expect(shown[0]?.slice(0, 2)).toEqual([status, status]);
      expect(shown[6]).toEqual(["Name", "State", 1003]);
      expect(shown[7]).toEqual(["#N/A", "#N/A", "#N/A"]);
      const others = [...formulas.keys()].filter((index) => index !== 0 && index !== 2);
      expect(others.map((index) => shown[index * 3]?.[0])).toEqual(others.map(() => "#N/A"));
      const sentences = await Promise.all(others.map((index) => workbench.errorMessage(`A${index * 3 + 1}`)));
      expect(new Set(sentences).size).toBe(1);
      expect(sentences[0]).toMatch(sentence);
    },
  );
});
