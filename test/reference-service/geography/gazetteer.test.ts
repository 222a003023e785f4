import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ahj, AhjDetail, DataPointValue, MatrixReport, Page } from "../../../src/engine/api/schemas";
import { readGazetteer } from "../../../reference-service/geography/gazetteer";
import { createGeography } from "../../../reference-service/geography/geography";
import { createService } from "../../../reference-service/service";
import { allItems, asking } from "../asking";

const header = "USPS\tGEOID\tANSICODE\tNAME\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG";
const statusHeader =
  "USPS\tGEOID\tANSICODE\tNAME\tLSAD\tFUNCSTAT\tALAND\tAWATER\tALAND_SQMI\tAWATER_SQMI\tINTPTLAT\tINTPTLONG";

/** A line in the Census Bureau's format. A county has no status; other areas have one. */
function line(usps: string, geoid: string, name: string, lat: string, lon: string, status?: string): string {
  const middle = status === undefined ? [name] : [name, "25", status];
  // The last field is padded with blanks.
  return [usps, geoid, "00399754", ...middle, "4000", "20", "1.5", "0.01", lat, lon.padEnd(40)].join("\t");
}

const counties = [
  `${header}${" ".repeat(60)}`,
  line("CO", "08043", "Fremont County", "38.455658", "-105.421438"),
  line("CA", "06073", "San Diego County", "33.034846", "-116.736533"),
  line("CA", "06025", "Imperial County", "33.040816", "-115.355395"),
  line("NM", "35013", "Doña Ana County", "32.350912", "-106.832182"),
  line("NJ", "34017", "Hudson County", "40.737336", "-74.075110"),
  line("PR", "72127", "San Juan Municipio", "18.400050", "-66.059650"),
].join("\n");

const places = [
  statusHeader,
  line("CO", "0811810", "Cañon City city", "38.440820", "-105.220510", "A"),
  line("CA", "0621782", "El Centro city", "32.786580", "-115.560460", "A"),
  line("CA", "0666000", "San Diego city", "32.815310", "-117.134990", "A"),
  line("CA", "0600001", "A Balance", "32.8", "-117.1", "F"),
  line("CA", "0602112", "Alpine CDP", "32.843690", "-116.757640", "S"),
  line("CA", "0600002", "An Inactive town", "32.8", "-117.1", "I"),
  line("CA", "0600003", "A Nonfunctioning town", "32.8", "-117.1", "N"),
  line("CA", "0600004", "A Subordinate borough", "32.8", "-117.1", "G"),
  line("NJ", "3436000", "Jersey City city", "40.711420", "-74.064760", "B"),
  line("NJ", "3434470", "Hudson Consolidated city", "40.74", "-74.03", "C"),
  line("NJ", "3434471", "Hudson Special borough", "40.75", "-74.03", "E"),
].join("\n");

const subdivisions = [
  statusHeader.replaceAll("\t", "|"),
  line("NJ", "3401779610", "Weehawken township", "40.767767", "-74.015593", "A").replaceAll("\t", "|"),
  line("NJ", "3499900001", "Elsewhere township", "40.7", "-74.1", "A").replaceAll("\t", "|"),
  line("CA", "0607391965", "Laguna-Pine Valley CCD", "32.8", "-116.5", "S").replaceAll("\t", "|"),
].join("\r\n");

function read(...texts: (string | Uint8Array)[]) {
  return readGazetteer(
    texts.map((text, at) => ({
      name: `file${at + 1}.txt`,
      bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
    })),
  );
}

function serviceOf(...texts: (string | Uint8Array)[]) {
  const loaded = read(...texts);
  if ("problem" in loaded) throw new Error(loaded.problem);
  return createService({ geography: createGeography(loaded.territory) });
}

const reportOn = (...texts: (string | Uint8Array)[]) => {
  const loaded = read(...texts);
  return "problem" in loaded ? loaded.problem : loaded.report;
};

const whole = serviceOf(counties, places, subdivisions);
const ask = asking("demo-national", whole);
const ahjsOf = (key: string, service = whole) => allItems<Ahj>(asking(key, service), "/v1/ahjs");
const named = (ahjs: readonly Ahj[], type: string) =>
  ahjs.filter((ahj) => ahj.type === type).map(({ geoid, name }) => `${geoid} ${name}`);
const detailOf = async (geoid: string) => (await ask.get<AhjDetail>(`/v1/geoid/${geoid}`)).body.data;

describe("A service of gazetteer files", () => {
  it("has the files' counties and the places and county subdivisions whose governments function, and no generated ones", async () => {
    const ahjs = await ahjsOf("demo-national");
    expect(named(ahjs, "county")).toEqual([
      "06025 Imperial County",
      "06073 San Diego County",
      "08043 Fremont County",
      "34017 Hudson County",
      "35013 Doña Ana County",
      "72127 San Juan Municipio",
    ]);
    expect(named(ahjs, "city").sort()).toEqual([
      "0621782 El Centro city",
      "0666000 San Diego city",
      "0811810 Cañon City city",
      "3401779610 Weehawken township",
      "3434470 Hudson Consolidated city",
      "3434471 Hudson Special borough",
      "3436000 Jersey City city",
      "3499900001 Elsewhere township",
    ]);
  });

  it("keeps all states, and generated utilities in the counties that there are", async () => {
    const ahjs = await ahjsOf("demo-national");
    expect(named(ahjs, "state")).toHaveLength(56);
    const utilities = ahjs.filter(({ type }) => type === "utility");
    expect(new Set(utilities.map(({ state_code }) => state_code))).toEqual(
      new Set(["CA", "CO", "NJ", "NM", "PR"]),
    );
    const texas = await detailOf("48");
    expect(texas).toMatchObject({ name: "Texas", population: null, lat: null, lon: null });
  });

  it("gives the location of an area from the file", async () => {
    expect(await detailOf("0811810")).toMatchObject({
      name: "Cañon City city",
      state_code: "CO",
      state_name: "Colorado",
      lat: 38.4408,
      lon: -105.2205,
    });
    expect(await detailOf("35013")).toMatchObject({
      county: "Doña Ana County",
      lat: 32.3509,
      lon: -106.8322,
    });
  });

  it("puts a place into the county of its state whose interior point is nearest", async () => {
    expect((await detailOf("0621782")).county).toBe("Imperial County");
    expect((await detailOf("0666000")).county).toBe("San Diego County");
    expect((await detailOf("0811810")).county).toBe("Fremont County");
  });

  it("puts a county subdivision into the county of its GEOID, or into the nearest one if the files lack that county", async () => {
    // If the nearest county counted, a subdivision could end up outside its own county.
    const far = [statusHeader, line("CA", "0602500001", "Far township", "32.82", "-117.13", "A")].join("\n");
    const service = asking("demo-national", serviceOf(counties, far));
    const { body } = await service.get<AhjDetail>("/v1/geoid/0602500001");
    expect(body.data.county).toBe("Imperial County");
    expect((await detailOf("3499900001")).county).toBe("Hudson County");
  });

  it("puts an Alaskan island beyond the 180th meridian into the nearest county, which lies on the other side", async () => {
    const alaska = [
      header,
      line("AK", "02016", "Aleutians West Census Area", "51.959447", "-178.338813"),
      line("AK", "02185", "North Slope Borough", "69.449343", "-153.472830"),
    ].join("\n");
    const shemya = [statusHeader, line("AK", "0200001", "Far island city", "52.8", "173.2", "A")].join("\n");
    const service = asking("demo-national", serviceOf(alaska, shemya));
    const { body } = await service.get<AhjDetail>("/v1/geoid/0200001");
    expect(body.data).toMatchObject({ county: "Aleutians West Census Area", lon: 173.2 });
  });

  it("answers with the county's rule if the city has none, as for generated AHJs", async () => {
    const ahjs = await ahjsOf("demo-national");
    const idOf = (geoid: string) => ahjs.find((ahj) => ahj.geoid === geoid)!.id;
    const [city, county] = [idOf("0666000"), idOf("06073")];
    const values = await allItems<DataPointValue>(ask, "/v1/data-points", { ahj_ids: city });
    expect(values.length).toBeGreaterThan(150);
    const { body } = await ask.post<MatrixReport>("/v1/reports/matrix", {
      ahj_ids: [city, county],
      data_point_type_ids: values.map(({ data_point_type }) => data_point_type.id),
    });
    const [cityRow, countyRow] = body.data.rows.map((row) => Object.values(row.values));
    const same = cityRow!.filter((cell, at) => JSON.stringify(cell) === JSON.stringify(countyRow![at]));
    expect(same.length).toBeGreaterThan(50);
    expect(same.length).toBeLessThan(values.length);
  });

  it("gives each sample key the AHJs of its subscription", async () => {
    const west = await ahjsOf("demo-west");
    expect(new Set(west.map(({ state_code }) => state_code))).toEqual(
      new Set(["CA", "OR", "WA", "NV", "AZ"]),
    );
    expect(named(west, "city")).toEqual(["0621782 El Centro city", "0666000 San Diego city"]);
    const one = await ahjsOf("demo-county");
    expect(named(one, "county")).toEqual(["06073 San Diego County"]);
    expect(named(one, "city")).toEqual(["0666000 San Diego city"]);
    expect(named(one, "utility")).toHaveLength(2);
    expect(await ahjsOf("demo-none")).toEqual([]);
  });

  it("gives demo-county the first county if the files lack San Diego County", async () => {
    const service = serviceOf(
      [header, ...counties.split("\n").filter((text) => /^(NJ|NM)/.test(text))].join("\n"),
    );
    expect(named(await ahjsOf("demo-county", service), "county")).toEqual(["34017 Hudson County"]);
  });

  it("gives AHJs the same ids in whatever order the files and their lines come", async () => {
    const backwards = (text: string) => {
      const [first = "", ...rest] = text.split(/\r?\n/);
      return [first, ...rest.reverse()].join("\n");
    };
    const other = serviceOf(...[subdivisions, places, counties].map(backwards));
    expect(await ahjsOf("demo-national", other)).toEqual(await ahjsOf("demo-national"));
  });

  it("knows the files' AHJs and no generated ones under the quirk unknown-ahj-404", async () => {
    const loaded = read(counties);
    if ("problem" in loaded) throw new Error(loaded.problem);
    const geography = createGeography(loaded.territory);
    const none = asking("demo-none", { geography, quirks: ["unknown-ahj-404"] });
    expect((await none.get(`/v1/ahjs/${geography.records.at(-1)!.ahj.id}`)).status).toBe(403);
    // The generated geography has this id, and thousands more.
    expect((await none.get("/v1/ahjs/20001")).status).toBe(404);
  });
});

describe("A service of incomplete gazetteer files", () => {
  it("without a file of counties has the atlas's counties, and generated places beside the files' subdivisions", async () => {
    const service = serviceOf(subdivisions);
    const ahjs = await ahjsOf("demo-national", service);
    expect(named(ahjs, "county")).toHaveLength(3_231);
    const cities = ahjs.filter(({ type }) => type === "city");
    expect(cities.filter(({ geoid }) => geoid!.length === 10)).toHaveLength(2);
    const generated = cities.filter(({ geoid }) => geoid!.length === 7);
    expect(generated.length).toBeGreaterThan(10_000);
    // Other names are those of the large cities that every sample service has, under their real codes.
    const real = generated.filter(({ name }) => !name.startsWith("Sample "));
    expect(real).toHaveLength(117);
    expect(real.find(({ geoid }) => geoid === "4967000")?.name).toBe("Salt Lake City");
  });

  it("has no places if no area in the file of places has a functioning government", async () => {
    const puertoRico = [statusHeader, line("PR", "7276770", "San Juan zona urbana", "18.4", "-66.06", "S")];
    const ahjs = await ahjsOf("demo-national", serviceOf(counties, puertoRico.join("\n")));
    expect(ahjs.filter(({ geoid }) => geoid?.length === 7)).toEqual([]);
  });

  it("generates places near the interior point of their county", async () => {
    const service = asking("demo-national", serviceOf(counties));
    const { body } = await service.get<Page<Ahj>>("/v1/ahjs", { state_code: "NM" });
    const [city] = body.data.items.filter(({ type }) => type === "city");
    const detail = (await service.get<AhjDetail>(`/v1/ahjs/${city!.id}`)).body.data;
    expect(Math.abs(Number(detail.lat) - 32.350912)).toBeLessThan(0.11);
    expect(Math.abs(Number(detail.lon) + 106.832182)).toBeLessThan(0.11);
  });
});

describe("A gazetteer file", () => {
  it("is reported with the number of areas that were taken and left out", () => {
    expect(reportOn(counties, places, subdivisions)).toEqual([
      "file1.txt: 6 counties.",
      "file2.txt: 6 places; left out without a functioning government: 5.",
      "file3.txt: 2 county subdivisions; left out without a functioning government: 1.",
    ]);
  });

  it("is read with a byte order mark, CRLF, a qualified id, coordinates with a sign and empty lines", () => {
    const text = [
      "\uFEFFUSPS|GEOID|GEOIDFQ|ANSICODE|NAME|FUNCSTAT|ALAND|AWATER|ALAND_SQMI|AWATER_SQMI|INTPTLAT|INTPTLONG ",
      "NJ|3402320230|0600000US3402320230|00882166|Edison township|A|0|0|0|0|+40.504396|-074.348843",
      "",
      "",
    ].join("\r\n");
    expect(reportOn(text)).toEqual(["file1.txt: 1 county subdivision."]);
  });

  const bad = (text: string) =>
    reportOn([statusHeader, text, line("CA", "0666000", "San Diego city", "32.8", "-117.1", "A")].join("\n"));

  it.each([
    ["CA\t0612345", "it has 2 fields where the header has 12"],
    [`${line("CA", "0612345", "Odd\tcity", "33", "-117", "A")}`, "it has 13 fields where the header has 12"],
    [
      line("CA", "061234", "Odd city", "33", "-117", "A"),
      'its GEOID "061234" does not have 5, 7 or 10 digits',
    ],
    [
      line("CA", "06O2345", "Odd city", "33", "-117", "A"),
      'its GEOID "06O2345" does not have 5, 7 or 10 digits',
    ],
    [line("CA", "", "Odd city", "33", "-117", "A"), 'its GEOID "" does not have 5, 7 or 10 digits'],
    [
      line("ZZ", "9912345", "Odd city", "33", "-117", "A"),
      'its USPS "ZZ" is not the state of its GEOID "9912345"',
    ],
    [
      line("NV", "0612345", "Odd city", "33", "-117", "A"),
      'its USPS "NV" is not the state of its GEOID "0612345"',
    ],
    [line("CA", "0612345", "Odd city", "", "-117", "A"), "its INTPTLAT and INTPTLONG are not in degrees"],
    [line("CA", "0612345", "Odd city", "33", "west", "A"), "its INTPTLAT and INTPTLONG are not in degrees"],
    [line("CA", "0612345", "Odd city", "90.5", "-117", "A"), "its INTPTLAT and INTPTLONG are not in degrees"],
    [line("CA", "0612345", "Odd city", "33", "-180.5", "A"), "its INTPTLAT and INTPTLONG are not in degrees"],
    [line("CA", "0612345", " ", "33", "-117", "A"), "it has no NAME"],
    [line("CA", "0612345", "Odd city", "33", "-117", "\u001b[2J"), 'its FUNCSTAT "\\u001b[2J" is unknown'],
    [line("CA", "0612345", "Odd city", "33", "-117", ""), 'its FUNCSTAT "" is unknown'],
  ])("is read without a line that is wrong, which the report names: %j", (text, why) => {
    expect(bad(text)).toEqual(["file1.txt: 1 place.", `file1.txt, line 2 is skipped: ${why}.`]);
  });

  it("is read without a line that is not UTF-8, which the report names", () => {
    const latin1 = Buffer.from(
      `${statusHeader}\n${line("CO", "0811810", "Cañon City city", "38.4", "-105.2", "A")}\n${line("CO", "0820000", "Denver city", "39.7", "-104.9", "A")}`,
      "latin1",
    );
    expect(reportOn(latin1)).toEqual([
      "file1.txt: 1 place.",
      "file1.txt, line 2 is skipped: it is not UTF-8.",
    ]);
  });

  it("is read without a line whose GEOID an earlier line has, even of another file", async () => {
    const again = [
      statusHeader,
      line("CA", "0666000", "Another city", "32", "-117", "A"),
      line("CA", "0666001", "A city", "32", "-117", "A"),
    ].join("\n");
    expect(reportOn(places, again).slice(1)).toEqual([
      "file2.txt: 1 place.",
      'file2.txt, line 2 is skipped: its GEOID "0666000" is already in file1.txt, line 4.',
    ]);
    const ahjs = await ahjsOf("demo-national", serviceOf(counties, places, again));
    expect(ahjs.filter(({ geoid }) => geoid === "0666000")).toMatchObject([{ name: "San Diego city" }]);
  });

  it("is read without a place in a state that has no county, which the report names", () => {
    const texas = [statusHeader, line("TX", "4835000", "Houston city", "29.8", "-95.4", "A")].join("\n");
    expect(reportOn(counties, texas)).toEqual([
      "file1.txt: 6 counties.",
      "file2.txt: nothing.",
      "file2.txt, line 2 is skipped: its state has no county.",
    ]);
  });

  it("is reported with its first twenty skipped lines, and the number of the others", () => {
    const lines = reportOn([counties, ...Array.from({ length: 1_222 }, (_, at) => `CA\t${at}`)].join("\n"));
    expect(lines).toHaveLength(22);
    expect(lines[1]).toBe("file1.txt, line 8 is skipped: it has 2 fields where the header has 10.");
    expect(lines.at(-1)).toBe("Skipped lines that are not listed here: 1,202.");
  });

  it.each([
    ["", "file1.txt has no header line with USPS, GEOID, NAME, INTPTLAT, INTPTLONG."],
    [
      "GEOID\tALAND\tINTPTLAT\tINTPTLONG\n00601\t1\t18\t-66",
      "file1.txt has no header line with USPS, GEOID, NAME, INTPTLAT, INTPTLONG.",
    ],
    [
      "PK\u0003\u0004\u0000",
      "file1.txt has no header line with USPS, GEOID, NAME, INTPTLAT, INTPTLONG. It is a zip file: unpack it first.",
    ],
    [
      `${header}\n${line("CA", "06", "California", "37", "-120")}`,
      "file1.txt has no line of a county, a place or a county subdivision.",
    ],
  ])("is refused with a sentence if it is something else: %j", (text, sentence) => {
    expect(reportOn(text)).toBe(sentence);
  });
});

describe("npm run service -- --gazetteer", () => {
  const folder = mkdtempSync(join(tmpdir(), "gazetteer-"));
  beforeAll(() => {
    writeFileSync(join(folder, "counties.txt"), `${counties}\nCA\t1`);
    writeFileSync(join(folder, "places.txt"), places);
    writeFileSync(join(folder, "other.txt"), "a,b\n1,2");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("serves the files' jurisdictions, and names on the error output what it skipped", async () => {
    const options = ["counties.txt", "places.txt"].flatMap((name) => ["--gazetteer", join(folder, name)]);
    const server = resolve(import.meta.dirname, "../../../reference-service/reference-server.ts");
    const child = spawn(process.execPath, ["--import", "tsx", server, "--port", "0", ...options]);
    try {
      let errors = "";
      child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
      const output = await new Promise<string>((resolve) =>
        child.stdout.once("data", (text: Buffer) => resolve(text.toString())),
      );
      const response = await fetch(`${output.trim().replace("listening on ", "")}/v1/geoid/0811810`, {
        headers: { "X-API-Key": "demo-national" },
      });
      expect(await response.json()).toMatchObject({ data: { name: "Cañon City city" } });
      expect(errors.trim().split("\n")).toEqual([
        `${folder}/counties.txt: 6 counties.`,
        `${folder}/places.txt: 6 places; left out without a functioning government: 5.`,
        `${folder}/counties.txt, line 8 is skipped: it has 2 fields where the header has 10.`,
      ]);
    } finally {
      child.kill();
    }
  });

  it.each([
    [
      "reference-service/reference-server.ts",
      ["nowhere.txt"],
      "--gazetteer: nowhere.txt can't be read: ENOENT: no such file",
    ],
    [
      "reference-service/reference-server.ts",
      ["other.txt"],
      "--gazetteer: other.txt has no header line with USPS",
    ],
    [
      "scripts/start.ts",
      ["counties.txt", "--service", "https://api.test", "--key", "k"],
      "--gazetteer is for the sample service and does not go with --service.",
    ],
  ])("%s ends with a sentence, not a stack trace, for --gazetteer %j", async (script, options, sentence) => {
    const path = resolve(import.meta.dirname, "../../..", script);
    const tsx = import.meta.resolve("tsx");
    const child = spawn(process.execPath, ["--import", tsx, path, "--gazetteer", ...options], {
      cwd: folder,
    });
    let errors = "";
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(1);
    expect(errors).toContain(sentence);
    expect(errors).not.toMatch(/^\s+at /m);
  });
});
