import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { CellValue } from "../../../workbench/spreadsheet";
import { addTypesIn, pasteGeoids, takeGeoids, toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { insertBy, runCollection } from "../pane-steps";
import { catalogue, counties, expectedTable, questionIn, typesIn } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const press = (name: string) => shownScreen().getByRole("button", { name }).click();
const shows = (text: string | RegExp) => shownScreen().getByText(text).waitFor();

async function tableValues(at = 0): Promise<CellValue[][]> {
  const address = (await workbench.tables())[at]?.address;
  if (!address) throw new Error("there is no such table");
  return workbench.values(address);
}

// test/workbook/imports/run/import.test.ts covers over 200 jurisdictions.
describe("a matrix, and a collection in several pages of answers,", () => {
  it("land as tables whose every cell is the service's answer", async () => {
    const ahjs = await counties("CA", 30);
    const types = await typesIn("Plan Submittal");
    expect([ahjs.length, types.length]).toEqual([30, 21]);
    workbench = await openWorkbench({ key: "demo-west" });
    await takeGeoids(
      workbench,
      ahjs.map(({ geoid }) => geoid ?? ""),
    );
    await addTypesIn(workbench, "Plan Submittal");
    await shows("30 jurisdictions × 21 questions: 1 request");
    workbench.requests.length = 0;
    await press("Insert on a new sheet");
    await shows(/30 jurisdictions, [\d,]+ values/);
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);
    const [headers, ...rows] = await tableValues();
    expect(headers?.slice(0, 4)).toEqual(["Name", "State", "Type", "geoID"]);
    expect(headers?.slice(4, -1).map(questionIn)).toEqual(types.map(({ name }) => name));
    expect(headers?.at(-1)).toBe("AHJ ID");
    expect(rows).toEqual(await expectedTable(ahjs, types));

    await runCollection(workbench, "Residential solar");
    await workbench.select("Sheet1!C1");
    workbench.requests.length = 0;
    await insertBy(workbench, "Insert at the selected cell");
    await shows(/30 jurisdictions, [\d,]+ values/);
    await workbench.pane.getByTitle(/^Sheet1!C1:/).waitFor();
    expect(workbench.requests.length).toBeGreaterThan(1);
    const all = await catalogue();
    const [listed = [], ...values] = await tableValues(1);
    const columns = listed.slice(4, -1).map((header) => {
      const type = all.find(({ name }) => name === questionIn(header));
      if (!type) throw new Error(`no type is called ${String(header)}`);
      return type;
    });
    expect(columns).toHaveLength(53);
    expect(values).toEqual(await expectedTable(ahjs, columns));
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("jurisdictions that are outside the subscription or unknown", () => {
  it("are named in the pane, while the rest is inserted", async () => {
    const [nevada, texas] = [await counties("NV", 4), await counties("TX", 2)];
    const types = await typesIn("EV Charging");
    workbench = await openWorkbench({ key: "demo-west" });
    await workbench.setFormulas("B1:B8", [
      ["County"],
      ...[...nevada, ...texas].map(({ geoid }) => [`'${geoid}`]),
      ["'4899999"],
    ]);
    await workbench.select("B1:B8");
    const screen = shownScreen();
    await press("Use selected cells");
    await shows("“County” was read as the list's header");
    await shows("3 geoIDs not found");
    await addTypesIn(workbench, "EV Charging");
    await press("Insert on a new sheet");
    await shows(/Inserted: 4 jurisdictions/);
    await shows("Not found: 3 geoIDs");
    // By keyboard, since office.js also decides where Tab goes.
    await screen.getByRole("button", { name: "Insert on a new sheet" }).focus();
    const notMatched = screen.locator("summary", { hasText: "Not found" });
    const isReached = () => notMatched.evaluate((summary) => summary === document.activeElement);
    for (let tabs = 0; tabs < 3 && !(await isReached()); tabs += 1) {
      await workbench.page.keyboard.press("Tab");
    }
    expect(await isReached()).toBe(true);
    await workbench.page.keyboard.press("Enter");
    const panel = screen.locator("details[open]");
    // The rows stand below the header and four counties of Nevada.
    for (const [index, { geoid }] of texas.entries()) {
      const text = `${geoid} (row ${6 + index}): This jurisdiction is outside your subscription.`;
      await panel.getByText(text).waitFor();
    }
    await panel
      .getByText("4899999 (row 8): The service knows no jurisdiction with this geoID or AHJ id.")
      .waitFor();
    expect((await tableValues()).slice(1)).toEqual(await expectedTable(nevada, types));
  });
});

// test/reliability and test/workbook/sheet cover all faults and obstacles without a browser.
describe("a workbook that is open for reading only", () => {
  it("is refused an import before anything is asked of the service", async () => {
    workbench = await openWorkbench({ isReadOnly: true });
    await pasteGeoids(workbench, ["06001"]);
    await toggleType(workbench, 1056);
    workbench.requests.length = 0;
    await insertBy(workbench, "Insert at the selected cell");
    await shows(/open for reading only\. Open it for editing, then try again\.$/);
    expect(workbench.requests).toEqual([]);
  });
});
