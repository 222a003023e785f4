import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { templates } from "../../../src/workbook/templates/templates";
import { openWorkbookFile, type WorkbookFile } from "../../../xlsx/workbook-file";
import { createPlayer, inCell, playFolder, published, type Ran } from "../played-io";

let folder: string;
let run: (words: readonly string[]) => Promise<Ran>;
beforeEach(async () => {
  folder = await playFolder();
  run = createPlayer(folder);
});

type Value = string | number | boolean | null;

/** A template as its file holds it: the text of each filled cell by address, and the formulas. */
async function made(id: string, ...where: string[]) {
  const path = join(folder, `${id}.xlsx`);
  const ran = await run(["template", id, ...(where.length > 0 ? ["--where", ...where] : []), "-o", path]);
  const file = openWorkbookFile(await readFile(path));
  const rows: Value[][] = [];
  for (const { row, column, value } of file.sheets[0]!.cells()) (rows[row] ??= [])[column] = value;
  const rowOf = (first: Value, column = 0) => rows.find((row) => row?.[column] === first) ?? [];
  return { ...ran, file, rows, rowOf };
}

/** Ids of AHJs of the sample data. */
const [alameda, losAngeles, harris] = [10243, 10261, 12680];

const printSetup = (file: WorkbookFile) => ({
  ...file.sheets[0]!.printSetup,
  names: file.definedNames.map(({ name, formula }) => `${name} ${formula}`),
});

describe("a template", () => {
  it("of permit costs adds up the fees of a place, each step in sight", async () => {
    const { rows, rowOf, code, out, file } = await made("permit-cost", "48201");
    expect([code, out.split("\n")[0]]).toEqual([
      10,
      `${join(folder, "permit-cost.xlsx")}: Permit cost calculator, 1 jurisdiction.`,
    ]);
    expect(rows[4]?.[1]).toBe("Harris County");
    // The sample publishes $125, $14.00 per kW above 5 kW, at most $600, plan review $110.70 and electrical $270.
    const line = (name: string) => rowOf(name).slice(2, 6);
    expect(line("Residential Solar Permit Fee")).toEqual(["$125", 125, 1, 125]);
    expect(line("Fee per Kilowatt Above Base")).toEqual(["$14.00 per kW", 14, 3, 42]);
    expect(line("Valuation Fee Rate")).toEqual(["no value", "no value", 0, 0]);
    expect(line("Plan Review Fee as Share of Permit Fee")).toEqual(["25 percent", 0.25, 0, 0]);
    expect(rowOf("Permit fee within its limits")[5]).toBe(167);
    expect(rowOf("Total")[5]).toBe(167 + 110.7 + 270);
    expect(rowOf("Answers that are no amount")[5]).toBe(0);
    expect(rowOf("Without a recorded value")[5]).toBe(2);
    const live = file.customFunctions("REGDATA").map(({ storedText }) => storedText);
    expect(live).toContain('_xldudf_REGDATA_VALUE($B$4,$B13,"value","no value")');
    expect(live.every((text) => text.startsWith("_xldudf_REGDATA_"))).toBe(true);
  });

  it("of permit costs counts what is no amount instead of reckoning with it", async () => {
    const { rowOf } = await made("permit-cost", "06037");
    expect(rowOf("Residential Solar Permit Fee").slice(2, 6)).toEqual([
      "$125 plus $15 per kW above 10 kW",
      "$125 plus $15 per kW above 10 kW",
      1,
      0,
    ]);
    // The two answers are the base fee and a plan review of "40% of the permit fee".
    expect(rowOf("Answers that are no amount")[5]).toBe(2);
  });

  it("of requirements is one page with the answers as published, their citations and a date", async () => {
    const types = [1001, 1003, 1023, 1030];
    const { rows, rowOf, file } = await made("requirements", "06037");
    const answers = (await published([losAngeles], types)).values().next().value!;
    for (const [id, name] of [
      [1001, "Building Code in Force"],
      [1003, "Electrical Code in Force"],
      [1023, "Online Application Accepted"],
      [1030, "Residential Permit Review Time"],
    ] as const)
      expect(rowOf(name).slice(0, 2)).toEqual([name, answers[id]?.value ?? "no value"]);
    const updated = rowOf("Building Code in Force");
    expect(updated[4]).toBe(String(updated[7]).slice(0, 10));
    const [{ formula } = { formula: null }] = [...file.sheets[0]!.cells()].filter(
      ({ row, column }) => row === 3 && column === 1,
    );
    expect(formula?.text).toBe("TODAY()");
    expect(printSetup(file)).toEqual({
      orientation: "portrait",
      fitToPages: { across: 1, down: 1 },
      footer: "&L&A&CPage &P of &N&RRegData, &D",
      header: null,
      names: [`_xlnm.Print_Area 'Requirements sheet'!$A$1:$E$${rows.length}`],
    });
  });

  it("of projects has a row for each place, and spare ones that ask nothing until a geoID stands there", async () => {
    const { rows, file, requests } = await made("project-tracker", "06001", "48201");
    const answers = await published([alameda, harris], [1030, 1045]);
    expect(rows[5]?.slice(4, 8)).toEqual([
      "06001",
      "Alameda County",
      inCell(answers.get(alameda)?.[1030]?.value?.replace(/ days$/, "")) ?? "no value",
      inCell(answers.get(alameda)?.[1045]?.value) ?? "no value",
    ]);
    expect(rows[6]?.slice(4, 8)).toEqual([
      "48201",
      "Harris County",
      inCell(answers.get(harris)?.[1030]?.value?.replace(/ days$/, "")),
      inCell(answers.get(harris)?.[1045]?.value),
    ]);
    expect(rows[7]?.filter((value) => value !== null && value !== "")).toEqual([]);
    expect(rows[4]?.slice(2, 5)).toEqual(["City", "State", "Place"]);
    const place = [...file.sheets[0]!.cells()].find(({ row, column }) => row === 7 && column === 4);
    expect(place?.formula?.text).toBe('IF(OR($C8="",$D8=""),"",$C8&", "&$D8)');
    const [table] = file.sheets[0]!.tables;
    expect(table?.ref).toMatchObject({ row: 4, rows: 23 });
    expect(requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
  });

  it("of states counts each state once in every code, by the year that its text names", async () => {
    const { rows, rowOf } = await made("code-adoption");
    expect(rowOf("Alabama", 1).slice(2, 8)).toEqual([
      ...["2021 IBC with state amendments", "2015 IRC", "2023 NEC", "2021 IECC"],
      ...["2021 International Fire Code", 2021],
    ]);
    const header = rows[4]!;
    const at = header.lastIndexOf("Building Code in Force");
    const states = rows.slice(5).filter((row) => /^\d\d$/.test(String(row?.[0])));
    const years = states.map((row) => row[header.indexOf("Year of the Building Code")]);
    const counted = (label: Value) => rowOf(label, at - 1)[at];
    expect(counted("States")).toBe(states.length);
    for (const year of [2024, 2021, 2018])
      expect(counted(year)).toBe(years.filter((each) => each === year).length);
    expect(counted("no value")).toBe(states.filter((row) => row[2] === "no value").length);
    expect(counted("Another year, or none")).toBe(
      states.length -
        years.filter((year) => typeof year === "number" && year > 2006).length -
        states.filter((row) => row[2] === "no value").length,
    );
  });

  it("of a scorecard holds each number against the median of its state, where three or more have one", async () => {
    const { rows } = await made("scorecard", "DE", "48201", "48113");
    const header = rows[10]!;
    const [days, median, points] = [3, 9, 15];
    expect(header[days]).toBe("Residential Permit Review Time");
    const places = rows.slice(11).filter((row) => row?.[0]);
    const ofDelaware = places.filter((row) => row[2] === "DE");
    expect(ofDelaware.length).toBeGreaterThan(20);
    const numbers = ofDelaware
      .flatMap((row) => (typeof row[days] === "number" ? [row[days]] : []))
      .sort((one, other) => one - other);
    const middle = numbers.length / 2;
    const expected = (numbers[Math.ceil(middle) - 1]! + numbers[Math.floor(middle)]!) / 2;
    expect(new Set(ofDelaware.map((row) => row[median]))).toEqual(new Set([expected]));
    expect(places.filter((row) => row[2] === "TX").map((row) => row[median] ?? "")).toEqual(["", ""]);
    for (const row of ofDelaware)
      expect(row[points] ?? "").toBe(typeof row[days] === "number" ? Number(row[days] <= expected) : "");
    for (const row of ofDelaware) {
      const known = row.slice(points, points + 6).filter((point) => typeof point === "number");
      const score = known.reduce((sum, point) => sum + point, 0) / known.length;
      expect(row[21] ?? "").toEqual(known.length < 3 ? "" : score);
    }
    const best = Math.max(...places.flatMap((row) => (typeof row[21] === "number" ? [row[21]] : [])));
    for (const row of places) expect(row[23] === 1).toBe(row[21] === best);
  });

  it("is refused for more places than it takes, and by another name than one of the templates", async () => {
    const output = join(folder, "x.xlsx");
    expect(await run(["template", "permit-cost", "--where", "06001", "48201", "-o", output])).toMatchObject({
      code: 2,
      told: expect.stringContaining('"permit-cost" takes one jurisdiction.') as string,
    });
    expect(await run(["template", "scorecard", "--where", "all", "-o", output])).toMatchObject({
      code: 2,
      told: expect.stringContaining("takes up to 1,000 jurisdictions, not") as string,
    });
    const { code, told } = await run(["template", "budget", "-o", output]);
    expect([code, told.split("\n")[0]]).toEqual([
      2,
      `There is no template budget. Templates: ${templates.map(({ id }) => id).join(", ")}.`,
    ]);
    expect(await run(["template", "scorecard", "-o", join(folder, "x.csv")])).toMatchObject({ code: 2 });
  });
});
