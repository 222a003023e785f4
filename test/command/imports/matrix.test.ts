import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { importNamespace } from "../../../src/workbook/imports/saved/saved-import";
import { readXlsx } from "../../../workbench/files/read-xlsx";
import { addin } from "../../../command/addin";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { createPlayer, inCell, playFolder, published, type Ran } from "../played-io";

const [permitFee, electricalCode, alameda, clark] = [1056, 1003, "06001", "32003"];
let folder: string;
let run: (words: readonly string[]) => Promise<Ran>;
beforeEach(async () => {
  folder = await playFolder();
  run = createPlayer(folder);
});
const matrix = (output: string, ...words: string[]) =>
  run([
    "matrix",
    "--question",
    String(permitFee),
    String(electricalCode),
    "-o",
    join(folder, output),
    ...words,
  ]);

/** The cells of the first sheet, row by row. */
async function cellsOf(name: string): Promise<(string | number | boolean | null)[][]> {
  const rows: (string | number | boolean | null)[][] = [];
  const [sheet] = openWorkbookFile(await readFile(join(folder, name))).sheets;
  for (const { row, column, value } of sheet?.cells() ?? []) (rows[row] ??= [])[column] = value;
  return rows;
}

describe("matrix", () => {
  it("writes a workbook whose cells are the service's answers, and which remembers the import", async () => {
    const { code, out, requests } = await matrix("fees.xlsx", "--where", "NV", alameda);
    const [header = [], ...rows] = await cellsOf("fees.xlsx");
    const [idAt, feeAt, codeAt] = ["AHJ ID", "Minimum Permit Fee", "Electrical Code in Force"].map((name) =>
      header.findIndex((text) => String(text).startsWith(name)),
    ) as [number, number, number];
    const answers = await published(
      rows.map((row) => Number(row[idAt])),
      [permitFee, electricalCode],
    );
    const values = [...answers.values()].flatMap((row) => Object.values(row)).filter((cell) => cell?.value);
    expect([code, out.split("\n")[0]]).toEqual([
      10,
      `${join(folder, "fees.xlsx")}: ${answers.size} jurisdictions, ${values.length} values.`,
    ]);
    expect(answers.size).toBeGreaterThan(100);
    expect(rows.map((row) => [row[feeAt] || null, row[codeAt] || null])).toEqual(
      rows.map((row) => {
        const values = answers.get(Number(row[idAt]));
        return [inCell(values?.[permitFee]?.value), values?.[electricalCode]?.value ?? null];
      }),
    );
    const { customXmlParts } = openWorkbookFile(await readFile(join(folder, "fees.xlsx")));
    expect(customXmlParts.filter(({ xml }) => xml.includes(importNamespace))).toHaveLength(1);
    expect(requests.filter((request) => request.startsWith("POST"))).toEqual(["POST /v1/reports/matrix"]);
  });

  it("writes a dash where no value is recorded with --dash, and blank cells without it", async () => {
    await matrix("blank.xlsx", "--where", "NV");
    await matrix("dashed.xlsx", "--where", "NV", "--dash");
    const [blank, dashed] = [await cellsOf("blank.xlsx"), await cellsOf("dashed.xlsx")];
    const asked = [permitFee, electricalCode];
    const columns = ["Minimum Permit Fee", "Electrical Code in Force"].map((name) =>
      (dashed[0] ?? []).findIndex((text) => String(text).startsWith(name)),
    );
    const answers = await published(
      dashed.slice(1).map((row) => Number(row.at(-1))),
      asked,
    );
    const expected = dashed
      .slice(1)
      .flatMap((row) => asked.map((id) => answers.get(Number(row.at(-1)))?.[id]));
    expect(expected.filter((answer) => answer === null).length).toBeGreaterThan(0);
    const shown = (rows: typeof dashed) =>
      rows.slice(1).flatMap((row) => columns.map((column) => row[column] || null));
    expect(shown(blank)).toEqual(expected.map((answer) => inCell(answer?.value)));
    expect(shown(dashed)).toEqual(expected.map((answer) => inCell(answer?.value) ?? "–"));
  });

  it("prints the names of jurisdictions without a value, and of listed geoIDs that are not found", async () => {
    await writeFile(join(folder, "list.txt"), `\ufeff${alameda}\r\n\r\n32510\r\n99999\r\n`);
    const { code, out } = await matrix("fees.xlsx", "--where", `@${join(folder, "list.txt")}`);
    expect(code).toBe(10);
    expect(out).toContain("2 jurisdictions");
    expect(out).toMatch(/Not found: 1 entry\n +99999: /);
    expect(out).toMatch(/Minimum Permit Fee \(1056\), 1 without: Carson City, NV \(county, 32510\)/);
    const { out: json } = await matrix("fees.json", "--where", `@${join(folder, "list.txt")}`, "--json");
    expect(JSON.parse(json)).toMatchObject({
      jurisdictions: 2,
      notFound: [expect.stringContaining("99999")],
    });
  });

  it("reads a list as Excel saves it as Unicode text, and names the line that it takes for the heading", async () => {
    const list = join(folder, "list.txt");
    await writeFile(list, Buffer.from(`\ufeffGeoID\r\n${alameda}\r\n32510\r\n`, "utf16le"));
    const { code, out } = await matrix("fees.xlsx", "--where", `@${list}`);
    expect([code, out]).toEqual([10, expect.stringContaining("2 jurisdictions")]);
    expect(out).toMatch(/GeoID: It is taken for the list's heading\./);
  });

  it("refuses a list that is no text", async () => {
    const list = join(folder, "list.txt");
    for (const bytes of [
      [0x80, 0x81],
      [0x50, 0x4b, 3, 4, 0, 0],
    ]) {
      await writeFile(list, Buffer.from(bytes));
      const unread = await matrix("fees.xlsx", "--where", `@${list}`);
      expect([unread.code, unread.told]).toEqual([
        4,
        expect.stringContaining("is no text in UTF-8, UTF-16 or Windows-1252."),
      ]);
    }
  });

  describe("reads a list as the pane does:", () => {
    const [losAngeles, travis, donaAna] = ["06037", "48453", "35013"];
    it.each([
      ["codes in two columns", "STATEFP,COUNTYFP\n06,001\n06,037\n", [alameda, losAngeles]],
      ["the same between semicolons", "STATEFP;COUNTYFP\n6;1\n6;37\n", [alameda, losAngeles]],
      [
        "a file of data.census.gov, whose other columns are not read",
        'GEO_ID,NAME,B01001_001E\nGeography,Geographic Area Name,Estimate!!Total\n0500000US06001,"Alameda County, California",1643700\n',
        [alameda],
      ],
      [
        "names and states between tabs",
        "Alameda County\tCalifornia\nTravis County\tTexas\n",
        [alameda, travis],
      ],
      [
        "zeros that are lost, prefixes and signs",
        '6001\n0500000US06037\n="48453"\n',
        [alameda, losAngeles, travis],
      ],
      [
        "Windows-1252",
        Buffer.from("Do\xf1a Ana County, NM\nAlameda County, CA\n", "latin1"),
        [alameda, donaAna],
      ],
      [
        "Windows-1252 with its own quotes",
        Buffer.from(
          "“Alameda County, CA”\nPrince George’s County, MD\n".replace(/[“”’]/g, (sign) =>
            String.fromCharCode({ "“": 0x93, "”": 0x94, "’": 0x92 }[sign] ?? 0),
          ),
          "latin1",
        ),
        [alameda, "24033"],
      ],
      ["UTF-16 without a mark", Buffer.from("FIPS\r\n06001\r\n48453\r\n", "utf16le"), [alameda, travis]],
      ["a line that is none among others", "06001\n8600000US36001\nNowhere County, CA\n", [alameda]],
    ])("%s", async (_, contents, geoids) => {
      const list = join(folder, "list.csv");
      await writeFile(list, contents);
      const { code, told } = await matrix("fees.json", "--where", `@${list}`, "--force");
      expect([code, told]).toEqual([10, expect.not.stringContaining("usage")]);
      const { rows } = JSON.parse(await readFile(join(folder, "fees.json"), "utf8"));
      expect(rows.map(({ geoid }: { geoid: string }) => geoid).sort()).toEqual([...geoids].sort());
    });

    it("and says what it corrected, and why it left something out", async () => {
      const list = join(folder, "list.csv");
      await writeFile(list, "6001\n8600000US36001\n01001020100\n3.4E+09\n");
      const { out } = await matrix("fees.xlsx", "--where", `@${list}`);
      expect(out).toContain("Corrected: 1 leading zero put back, such as 6001 → 06001");
      expect(out).toContain("8600000US36001: It is the code of a ZIP code area.");
      expect(out).toContain("01001020100: It is the code of a census tract of Autauga County, AL.");
      expect(out).toContain("3.4E+09: Excel shortened this code");
    });
  });

  it("leaves out and names jurisdictions outside of the subscription", async () => {
    const env = { REGDATA_SERVICE: "https://service.test", REGDATA_KEY: "demo-west" };
    await writeFile(join(folder, "list.txt"), `${alameda}\n48201\n`);
    const { code, out, told } = await createPlayer(folder, { env })([
      ...["matrix", "--where", `@${join(folder, "list.txt")}`, "--question", "1056"],
      ...["-o", join(folder, "fees.xlsx")],
    ]);
    expect([code, `${out}${told}`]).toEqual([10, expect.stringMatching(/Not found: 1 entry|Left out: 1/)]);
  });

  it("keeps zeros in front of geoIDs, puts a lost one back and says so, and refuses what is no code", async () => {
    const typed = await matrix("fees.xlsx", "--where", "6001");
    expect(typed.out).toContain("1 leading zero put back, such as 6001 → 06001");
    const refused = await matrix("fees.xlsx", "--where", "8600000US36001");
    expect([refused.code, refused.requests, refused.told]).toEqual([
      ...[2, []],
      expect.stringContaining('"8600000US36001": It is the code of a ZIP code area.'),
    ]);
    await writeFile(join(folder, "list.txt"), `${alameda}\n`);
    await matrix("fees.json", "--where", `@${join(folder, "list.txt")}`);
    const { rows } = JSON.parse(await readFile(join(folder, "fees.json"), "utf8"));
    expect(rows).toMatchObject([{ geoid: alameda, name: "Alameda County" }]);
  });

  it("writes JSON with ids, values as published, citations and dates", async () => {
    await matrix("fees.json", "--where", alameda, clark);
    const { rows, questions } = JSON.parse(await readFile(join(folder, "fees.json"), "utf8"));
    expect(questions).toMatchObject([{ id: 1056, name: "Minimum Permit Fee", unit: "USD" }, { id: 1003 }]);
    const ids = rows.map(({ ahj_id }: { ahj_id: number }) => ahj_id);
    const answers = await published(ids, [permitFee, electricalCode]);
    for (const { ahj_id, answers: told } of rows) {
      expect(told.map(({ updated_at }: { updated_at: string }) => updated_at)).toEqual([
        expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      ]);
      expect(told).toMatchObject(
        [permitFee, electricalCode].map((id) => ({ question_id: id, ...answers.get(ahj_id)?.[id] })),
      );
    }
  });

  it("writes the service's own CSV, and prints the same with -o -", async () => {
    const { code } = await matrix("fees.csv", "--where", alameda, clark);
    const csv = await readFile(join(folder, "fees.csv"), "utf8");
    expect(csv).toMatch(/^10243,Alameda County,county,CA,06001,.*\$30,/m);
    const words = ["matrix", "--where", alameda, clark, "--question", "1056", "1003", "-o", "-"];
    const printed = await run(words);
    expect([code, printed.code, printed.out, printed.told]).toEqual([10, 0, csv, ""]);
  });

  it("says how many cells of a CSV begin like a formula", async () => {
    const intercept = (request: Request) =>
      request.url.endsWith("/v1/reports/export")
        ? new Response("AHJ ID,AHJ\r\n10243,=1+1\r\n", { headers: { "Content-Type": "text/csv" } })
        : undefined;
    const words = ["matrix", "--where", alameda, "--question", "1056", "-o", join(folder, "fees.csv")];
    const { out } = await createPlayer(folder, { intercept })(words);
    expect(out).toContain("1 cell begins with =");
  });

  it("writes one formula with the answers as its values with --live", async () => {
    await matrix("live.xlsx", "--live", "--where", alameda, clark);
    const [sheet] = openWorkbookFile(await readFile(join(folder, "live.xlsx"))).sheets;
    const formulas = [...(sheet?.cells(["REGDATA"]) ?? [])].flatMap(({ formula }) => formula ?? []);
    expect(formulas.map(({ text, shown, area }) => [text, shown, area])).toEqual([
      [
        "_xldudf_REGDATA_MATRIX(A2:A3,{1056,1003})",
        "REGDATA.MATRIX(A2:A3,{1056,1003})",
        { row: 0, column: 1, rows: 3, columns: 4 },
      ],
    ]);
    const opened = readXlsx(openWorkbookFile(await readFile(join(folder, "live.xlsx"))), addin).contents;
    const [{ columnWidths, frozen } = { columnWidths: new Map<number, number>(), frozen: null }] =
      opened.sheets;
    expect(frozen).toEqual({ rows: 1, columns: 2 });
    // In Calibri 11 a character takes some seven pixels: both of these are cut at Excel's usual 64.
    expect(columnWidths.get(1)).toBeGreaterThan("Alameda County".length * 7);
    expect(columnWidths.get(4)).toBeGreaterThan("Electrical Code in Force".length * 7);
    const cells = await cellsOf("live.xlsx");
    expect(cells[0]).toEqual(["geoID", "Name", "State", "Minimum Permit Fee", "Electrical Code in Force"]);
    const answers = await published([10243], [permitFee, electricalCode]);
    expect(cells[1]).toEqual([
      ...[alameda, "Alameda County", "CA", inCell(answers.get(10243)?.[permitFee]?.value)],
      answers.get(10243)?.[electricalCode]?.value,
    ]);
  });

  it("asks nothing twice: the next command answers from the folder", async () => {
    await matrix("one.xlsx", "--where", "NV");
    const { requests } = await matrix("two.xlsx", "--where", "NV");
    expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  });

  it("takes names with their state, as words and in a list, and ids of questions in one word", async () => {
    const words = ["matrix", "--question", `${permitFee},${electricalCode}`, "--where"];
    const json = join(folder, "fees.json");
    const geoidsOf = async () =>
      (JSON.parse(await readFile(json, "utf8")) as { rows: { geoid: string }[] }).rows.map(
        ({ geoid }) => geoid,
      );
    await run([...words, "Alameda County, CA", "clark county, Nevada", "-o", json]);
    expect(await geoidsOf()).toEqual([alameda, clark]);
    const list = join(folder, "sites.txt");
    await writeFile(list, "Clark County, NV\nNowhere County, NV\n06001\n");
    const { out } = await run([...words, `@${list}`, "-o", json, "--force"]);
    expect((await geoidsOf()).sort()).toEqual([alameda, clark]);
    expect(out).toContain("Not found: 1 entry\n    Nowhere County, NV: No jurisdiction of your subscription");
  });

  it("leaves a line on a narrow terminal that does not wrap", async () => {
    const words = ["matrix", "--where", "NV", "--question", "1056", "-o", join(folder, "fees.xlsx")];
    const { told } = await createPlayer(folder)(words, { isTerminal: true, columns: () => 30 });
    const lines = told.split("\r\u001B[2K");
    expect(lines.length).toBeGreaterThan(2);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(30);
  });

  it.each([
    [["--where", "NV"], "Name the questions"],
    [["--question", "1056"], "Name the jurisdictions"],
    [["--where", "Nevada City", "--question", "1056"], "Nevada City: No jurisdiction of your subscription"],
    [["--where", "NV", "counties", "06001", "--question", "1056"], "Beside kinds, such as counties"],
    [["--where", "XX", "--question", "1056"], "No jurisdictions of XX"],
    [["--where", "Alamedo County, CA", "--question", "1056"], "Did you mean Alameda County, CA (06001)?"],
    [
      ["--where", "NV", "--question", "permit fee"],
      'no question "permit fee". Perhaps Residential Solar Permit Fee (1045)',
    ],
    [["--where", "NV", "--question", "9999999"], 'no question "9999999"'],
    [["--where", "NV", "--question", "1056", "--if", "x"], "--if"],
    [["--where", "NV", "--question", "1056", "--live", "--citations"], "formulas have no citations"],
    [["--where", "NV", "--question", "1056", "--live", "--dash"], "--live does not go with --dash"],
  ])("refuses %j as a mistake in the words", async (words, sentence) => {
    const { code, told } = await run(["matrix", ...words, "-o", join(folder, "fees.xlsx")]);
    expect([code, told]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("refuses a file of another kind, and options that only go with workbooks", async () => {
    expect((await matrix("fees.pdf", "--where", "NV")).code).toBe(2);
    expect((await matrix("fees.csv", "--where", "NV", "--long")).told).toContain("--long goes with an .xlsx");
  });

  it("ends with 3 if the service can't be asked or refuses the key, and writes nothing", async () => {
    const intercept = ({ url }: Request) =>
      url.includes("/v1/reports/matrix") ? new Response("", { status: 500 }) : undefined;
    const words = ["matrix", "--where", alameda, "--question", "1056", "-o", join(folder, "fees.xlsx")];
    const failed = await createPlayer(folder, { intercept })(words);
    expect(failed.code).toBe(3);
    const env = { REGDATA_SERVICE: "https://service.test", REGDATA_KEY: "no-such-key" };
    const refused = await createPlayer(folder, { env })(words);
    expect([refused.code, refused.told]).toEqual([
      3,
      expect.stringContaining("does not accept this API key. It may be wrong or expired. Check REGDATA_KEY"),
    ]);
    await expect(readFile(join(folder, "fees.xlsx"))).rejects.toThrow("ENOENT");
  });

  it("ends with 4, before it asks anything, if the file exists or its folder does not", async () => {
    await writeFile(join(folder, "fees.xlsx"), "of somebody");
    const there = await matrix("fees.xlsx", "--where", "NV");
    expect([there.code, there.requests]).toEqual([4, []]);
    const nowhere = await matrix("no-folder/fees.xlsx", "--where", "NV");
    expect([nowhere.code, nowhere.requests, nowhere.told]).toEqual([
      ...[4, []],
      expect.stringContaining("fees.xlsx can't be written: its folder is missing."),
    ]);
    expect(await readFile(join(folder, "fees.xlsx"), "utf8")).toBe("of somebody");
    expect((await matrix("fees.xlsx", "--where", alameda, "--force")).code).toBe(10);
  });
});

describe("collection", () => {
  const collection = (...words: string[]) =>
    run(["collection", "Residential solar", "--where", alameda, ...words]);

  it("writes the answers of a saved collection", async () => {
    const { code, out } = await collection("-o", join(folder, "solar.xlsx"));
    expect([code, out]).toEqual([10, expect.stringMatching(/: 1 jurisdiction, \d+ values\./)]);
    const [header = [], row = []] = await cellsOf("solar.xlsx");
    const answers = await published([10243], [electricalCode]);
    expect(row[header.indexOf("Electrical Code in Force")]).toBe(answers.get(10243)?.[electricalCode]?.value);
  });

  it("writes the formula of the collection with --live", async () => {
    await collection("--live", "-o", join(folder, "solar.xlsx"));
    const [sheet] = openWorkbookFile(await readFile(join(folder, "solar.xlsx"))).sheets;
    const formulas = [...(sheet?.cells(["REGDATA"]) ?? [])].flatMap(({ formula }) => formula?.shown ?? []);
    expect(formulas).toEqual([expect.stringMatching(/^REGDATA\.COLLECTION\("[-0-9a-f]{36}",A2:A2\)$/)]);
  });

  it("refuses a name that no collection has", async () => {
    const words = ["collection", "Moon bases", "--where", alameda, "-o", join(folder, "solar.xlsx")];
    const { code, told } = await run(words);
    expect([code, told]).toEqual([2, expect.stringContaining('no collection "Moon bases"')]);
  });
});
