import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { CellValue } from "../../../workbench/spreadsheet";
import { addTypesIn, pasteGeoids, takeGeoids, toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { insertBy, openTab, runCollection } from "../pane-steps";
import { allAhjs, catalogue, expectedTable, questionIn, spreadAhjs, typesIn } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const press = (name: string) => shownScreen().getByRole("button", { name }).click();
const fee = 1056;

async function tableValues(): Promise<CellValue[][]> {
  const [table] = await workbench.tables();
  if (!table) throw new Error("there is no table");
  return workbench.values(table.address);
}

const geoidsOf = (ahjs: readonly { geoid: string | null }[]) => ahjs.map(({ geoid }) => geoid ?? "");

describe("a matrix of 200 jurisdictions x 21 types", () => {
  it("lands as a table whose every cell is the service's answer", async () => {
    const ahjs = await spreadAhjs(200);
    const types = await typesIn("Plan Submittal");
    expect(types).toHaveLength(21);
    workbench = await openWorkbench();
    const screen = shownScreen();
    await takeGeoids(workbench, geoidsOf(ahjs));
    await addTypesIn(workbench, "Plan Submittal");
    await screen.getByText("200 jurisdictions × 21 questions: 201 rows × 26 columns, 1 request").waitFor();
    workbench.requests.length = 0;
    await press("Insert on a new sheet");
    await screen.getByText(/200 jurisdictions with [\d,]+ values in/).waitFor();
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);

    const [headers, ...rows] = await tableValues();
    expect(headers?.slice(0, 4)).toEqual(["Name", "State", "Type", "geoID"]);
    expect(headers?.slice(4, -1).map(questionIn)).toEqual(types.map(({ name }) => name));
    expect(headers?.at(-1)).toBe("AHJ ID");
    expect(rows).toEqual(await expectedTable(ahjs, types));
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("a collection over 30 jurisdictions", () => {
  // In several pages of answers; over 200 jurisdictions: test/workbook/imports/run/import.test.ts.
  it("lands as a table whose every cell is the service's answer", async () => {
    const ahjs = await spreadAhjs(30);
    workbench = await openWorkbench();
    await openTab(workbench, "Get data");
    const screen = shownScreen();
    await runCollection(workbench, "Residential solar");
    await takeGeoids(workbench, geoidsOf(ahjs));
    await workbench.select("C1");
    workbench.requests.length = 0;
    await insertBy(workbench, "Insert at the selected cell");
    await screen.getByText(/30 jurisdictions with [\d,]+ values in/).waitFor();
    expect(workbench.requests.length).toBeGreaterThan(1);

    const types = await catalogue();
    const [headers = [], ...rows] = await tableValues();
    const columns = headers.slice(4, -1).map((header) => {
      const type = types.find(({ name }) => name === questionIn(header));
      if (!type) throw new Error(`no type is called ${String(header)}`);
      return type;
    });
    expect(columns).toHaveLength(53);
    expect(rows).toEqual(await expectedTable(ahjs, columns));
  });
});

describe("what is outside the subscription or unknown", () => {
  it("is named in the pane, and the rest lands", async () => {
    const all = await allAhjs();
    const nevada = all.filter(({ state_code, type }) => state_code === "NV" && type === "county").slice(0, 4);
    const texas = all.filter(({ state_code, type }) => state_code === "TX" && type === "county").slice(0, 2);
    const types = await typesIn("EV Charging");
    workbench = await openWorkbench({ key: "demo-west" });
    await workbench.setFormulas("B1:B8", [
      ["County"],
      ...[...nevada, ...texas].map(({ geoid }) => [`'${geoid}`]),
      ["'48999"],
    ]);
    await workbench.select("B1:B8");
    const screen = shownScreen();
    await press("Use selected cells");
    await screen.getByText("“County” was read as the list's header").waitFor();
    await screen.getByText("3 geoIDs not found").waitFor();
    await addTypesIn(workbench, "EV Charging");
    await press("Insert on a new sheet");
    await screen.getByText(/4 jurisdictions with/).waitFor();
    await screen.getByText("Not found: 3 geoIDs").waitFor();
    // By keyboard: office.js has a say in where Tab goes.
    await screen.getByRole("button", { name: "Insert on a new sheet" }).focus();
    const notMatched = screen.locator("summary", { hasText: "Not found" });
    const isReached = () => notMatched.evaluate((summary) => summary === document.activeElement);
    for (let tabs = 0; tabs < 3 && !(await isReached()); tabs += 1) {
      await workbench.page.keyboard.press("Tab");
    }
    expect(await isReached()).toBe(true);
    await workbench.page.keyboard.press("Enter");
    const panel = screen.locator("details[open]");
    // Below the header and four counties of Nevada.
    for (const [index, { geoid }] of texas.entries()) {
      const text = `${geoid} (row ${6 + index}): This jurisdiction is outside your subscription.`;
      await panel.getByText(text).waitFor();
    }
    await panel
      .getByText("48999 (row 8): The service knows no jurisdiction with this geoID or AHJ id.")
      .waitFor();
    expect((await tableValues()).slice(1)).toEqual(await expectedTable(nevada, types));
  });
});

describe("cells in the way", () => {
  it("are never overwritten without asking; what was confirmed is what is done, whatever is chosen meanwhile", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("C3", [["mine"]]);
    await workbench.setFormulas("C7", [["never asked about"]]);
    const screen = shownScreen();
    await pasteGeoids(workbench, ["06001", "06003"]);
    await toggleType(workbench, fee);
    await workbench.select("B2");
    await insertBy(workbench, "Insert at the selected cell");
    await screen.getByText(/^This would overwrite/).waitFor();
    await press("Cancel");
    expect(await workbench.values("B2:C3")).toEqual([
      ["", ""],
      ["", "mine"],
    ]);
    await insertBy(workbench, "Insert at the selected cell");
    await screen.getByText(/^This would overwrite/).waitFor();
    await pasteGeoids(workbench, ["06005", "06007", "06009", "06011"], 6);
    await press("Overwrite");
    await screen.getByText(/2 jurisdictions with/).waitFor();
    expect((await workbench.values("B2:C2"))[0]).toEqual(["Name", "State"]);
    expect(await workbench.values("C7")).toEqual([["never asked about"]]);

    // Neither merged cells nor a table are overwritten by any import, asked or not.
    const before = await workbench.tables();
    await workbench.page.evaluate(() => window.workbench.merge("L2:M3"));
    await workbench.select("K1");
    workbench.requests.length = 0;
    await insertBy(workbench, "Insert at the selected cell");
    await screen.getByText(/Cells are merged there: Sheet1!L2:M3/).waitFor();
    expect(await screen.getByRole("button", { name: "Overwrite" }).count()).toBe(0);
    expect(workbench.requests).toEqual([]);
    expect((await workbench.values("K1:M4")).flat().every((value) => value === "")).toBe(true);
    await workbench.select("A1");
    await insertBy(workbench, "Insert at the selected cell");
    await screen.getByText(/A table stands there/).waitFor();
    expect(await workbench.tables()).toEqual(before);
    expect(await workbench.values("A1:A8")).toEqual(Array.from({ length: 8 }, () => [""]));
  });
});

// All other faults: test/reliability, without a browser.
describe("a failed import", () => {
  it("says why, and leaves what stood there: texts that look like numbers or formulas, formats, formulas", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1", [["'06001", "'=A1", "'4-12-7", 0.5, "=1+1"]]);
    const screen = shownScreen();
    await pasteGeoids(workbench, ["06001"]);
    await toggleType(workbench, fee);
    const look = async () => ({
      values: await workbench.values("A1:H5"),
      ...(await workbench.page.evaluate(() => ({
        formulas: window.workbench.getFormulas("A1:H5"),
        texts: window.workbench.getTexts("A1:H5"),
        tables: window.workbench.tables(),
      }))),
    });
    const before = await look();
    expect(before.tables).toEqual([]);

    const route = "**/v1/reports/matrix";
    await workbench.page.route(route, (asked) => asked.abort("connectionrefused"));
    await press("Insert on a new sheet");
    await screen.getByText(/can't be reached/).waitFor();
    expect(await look()).toEqual(before);
    await workbench.page.unroute(route);

    await workbench.page.evaluate(() => window.workbench.failNext(5004));
    await press("Insert on a new sheet");
    await screen.getByText(/A cell is being edited.*Press Enter or Esc/).waitFor();
    expect(await look()).toEqual(before);

    // Half-way: the cells are written when Excel is asked to make a table of them.
    const frame = workbench.page.frames().find((candidate) => candidate.url().includes("taskpane"));
    await frame?.evaluate(() => {
      Excel.TableCollection.prototype.add = () => {
        throw Object.assign(new Error("no more tables"), { code: "GeneralException" });
      };
    });
    await workbench.select("A1");
    await insertBy(workbench, "Insert at the selected cell");
    await press("Overwrite");
    await screen.getByText(/Excel refused this.*no more tables/).waitFor();
    expect(await look()).toEqual(before);

    // A mistake of the add-in is not said to be Excel's.
    await frame?.evaluate(() => {
      Excel.TableCollection.prototype.add = () => {
        throw new TypeError("06001 is not a function");
      };
    });
    await insertBy(workbench, "Insert at the selected cell");
    await press("Overwrite");
    await screen.getByText(/Something in the add-in went wrong/).waitFor();
    expect(await screen.getByText("06001 is not").count()).toBe(0);
    await screen.getByRole("button", { name: "Copy the details" }).waitFor();
    expect(await look()).toEqual(before);

    // A used-up limit makes it wait, visibly, until it is cancelled.
    await pasteGeoids(workbench, ["06003"], 2);
    await workbench.page.route(route, (asked) =>
      asked.fulfill({ status: 429, headers: { "Retry-After": "3600" } }),
    );
    await press("Insert on a new sheet");
    await screen.getByText(/limit is used up. Continues at \S/).waitFor();
    await press("Cancel");
    await screen.getByText("Canceled.").waitFor();
    expect(await look()).toEqual(before);
    expect(await workbench.problems()).toEqual([]);
  });
});
