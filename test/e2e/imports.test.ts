import type { FrameLocator } from "@playwright/test";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Ahj, DataPointType } from "../../src/api/schemas";
import { importCell } from "../../src/sheet/cell-value";
import type { CellValue } from "../../src/workbench/spreadsheet";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "./open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

async function allAhjs(): Promise<Ahj[]> {
  const client = sampleClient();
  const first = await client.listAhjs({ page: 1, page_size: 500 });
  const ahjs: Ahj[] = [];
  for (let page = 1; page <= first.data.pagination.total_pages; page += 1) {
    ahjs.push(...(await client.listAhjs({ page, page_size: 500 })).data.items);
  }
  return ahjs;
}

/** AHJs with a geoID that is theirs alone, from all over the list. */
function spread(ahjs: readonly Ahj[], count: number): Ahj[] {
  const counts = new Map<string, number>();
  for (const { geoid } of ahjs) if (geoid) counts.set(geoid, (counts.get(geoid) ?? 0) + 1);
  const own = ahjs.filter(({ geoid }) => geoid !== null && counts.get(geoid) === 1);
  const step = Math.floor(own.length / count);
  return own.filter((_, index) => index % step === 0).slice(0, count);
}

async function catalogue(): Promise<DataPointType[]> {
  return (await sampleClient().listTypes({ page: 1, page_size: 500 })).data.items;
}

async function pasteGeoids(screen: ReturnType<FrameLocator["locator"]>, geoids: readonly string[]) {
  await screen.getByRole("button", { name: "Paste a list" }).click();
  await screen.getByLabel("geoIDs, one a line").fill(geoids.join("\n"));
  await screen.getByRole("button", { name: "Add the list" }).click();
  await screen.getByLabel("geoIDs, one a line").waitFor({ state: "hidden" });
}

async function chooseTypes(screen: ReturnType<FrameLocator["locator"]>, types: readonly DataPointType[]) {
  const search = screen.getByRole("combobox", { name: "Search data point types" });
  await search.click();
  for (const { id, name } of types) {
    await search.fill(String(id));
    await workbench.pane.getByRole("menuitemcheckbox", { name: `${name} (${id})` }).click();
  }
  await search.fill("");
  await search.press("Escape");
}

const shownScreen = () => workbench.pane.getByRole("tabpanel");

/** What each cell must read as: the service's answer, asked directly. */
async function expectedTable(ahjs: readonly Ahj[], types: readonly DataPointType[]): Promise<CellValue[][]> {
  const { data } = await sampleClient().matrix({
    ahj_ids: ahjs.map(({ id }) => id),
    data_point_type_ids: types.map(({ id }) => id),
  });
  const answers = new Map(data.rows.map((row) => [row.ahj.id, row.values]));
  return ahjs.map((ahj) => [
    ahj.id,
    ahj.name,
    ahj.type,
    ahj.state_code,
    ahj.geoid ?? "",
    ...types.map((type) => {
      const raw = answers.get(ahj.id)?.[type.id]?.value;
      return raw ? importCell(raw, type.unit_of_measure).value : "";
    }),
  ]);
}

async function tableValues(): Promise<CellValue[][]> {
  const [table] = await workbench.tables();
  if (!table) throw new Error("there is no table");
  return workbench.values(table.address);
}

describe("a matrix of 200 jurisdictions x 20 types", () => {
  it("lands as a table whose every cell is the service's answer", async () => {
    const ahjs = spread(await allAhjs(), 200);
    const types = (await catalogue()).filter((_, index) => index % 17 === 0).slice(0, 20);
    workbench = await openWorkbench();
    const screen = shownScreen();
    await pasteGeoids(
      screen,
      ahjs.map(({ geoid }) => geoid ?? ""),
    );
    await screen.getByText("200 jurisdictions chosen").waitFor();
    await chooseTypes(screen, types);
    await screen.getByText("201 rows × 25 columns, 5,025 cells, 1 request").waitFor();
    workbench.requests.length = 0;
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/200 jurisdictions with [\d,]+ values in/).waitFor();
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);

    const [headers, ...rows] = await tableValues();
    expect(headers?.slice(0, 5)).toEqual(["AHJ ID", "Name", "Type", "State", "geoID"]);
    expect(headers?.slice(5)).toEqual(types.map(({ name }) => name));
    expect(rows).toEqual(await expectedTable(ahjs, types));
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("a collection over 200 jurisdictions", () => {
  it("lands as a table whose every cell is the service's answer", async () => {
    const ahjs = spread(await allAhjs(), 200);
    workbench = await openWorkbench();
    await workbench.pane.getByRole("tab", { name: "Collection" }).click();
    const screen = shownScreen();
    await screen.getByRole("combobox", { name: "Collection" }).selectOption("Residential solar");
    await pasteGeoids(
      screen,
      ahjs.map(({ geoid }) => geoid ?? ""),
    );
    await screen.getByText("200 jurisdictions chosen").waitFor();
    await screen.getByRole("button", { name: "Insert at the selected cell" }).click();
    await screen.getByText(/200 jurisdictions with [\d,]+ values in/).waitFor();

    const types = await catalogue();
    const [headers = [], ...rows] = await tableValues();
    const columns = headers.slice(5).map((header) => {
      const type = types.find(({ name }) => name === header);
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
    const types = (await catalogue()).slice(0, 2);
    workbench = await openWorkbench({ key: "demo-west" });
    await workbench.setFormulas("B1:B8", [
      ["County"],
      ...[...nevada, ...texas].map(({ geoid }) => [`'${geoid}`]),
      ["'99999"],
    ]);
    await workbench.select("B1:B8");
    const screen = shownScreen();
    await screen.getByRole("button", { name: "Take selected cells" }).click();
    await screen.getByText("“County” was taken for the list's header").waitFor();
    await screen.getByText("3 geoIDs not matched").waitFor();
    await chooseTypes(screen, types);
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/4 jurisdictions with/).waitFor();
    await screen.getByText("Not matched: 3 geoIDs").waitFor();
    // By keyboard: office.js has a say in where Tab goes.
    await screen.getByRole("combobox", { name: "In place of an earlier import" }).focus();
    const notMatched = screen.locator("summary", { hasText: "Not matched" });
    const isReached = () => notMatched.evaluate((summary) => summary === document.activeElement);
    for (let tabs = 0; tabs < 3 && !(await isReached()); tabs += 1) {
      await workbench.page.keyboard.press("Tab");
    }
    expect(await isReached()).toBe(true);
    await workbench.page.keyboard.press("Enter");
    const panel = screen.locator("details[open]");
    for (const { geoid } of texas) {
      await panel.getByText(`${geoid}: This jurisdiction is outside your subscription.`).waitFor();
    }
    await panel.getByText("99999: The service knows no jurisdiction with this geoID or AHJ id.").waitFor();
    expect((await tableValues()).slice(1)).toEqual(await expectedTable(nevada, types));
  });
});

describe("cells in the way", () => {
  it("are never overwritten without asking", async () => {
    const [type] = await catalogue();
    workbench = await openWorkbench();
    await workbench.setFormulas("C3", [["mine"]]);
    await workbench.select("B2");
    const screen = shownScreen();
    await pasteGeoids(screen, ["06001", "06003"]);
    await chooseTypes(screen, [type as DataPointType]);
    await screen.getByRole("button", { name: "Insert at the selected cell" }).click();
    await screen.getByText("There are cells in the way").waitFor();
    await screen.getByRole("button", { name: "Leave them" }).click();
    expect(await workbench.values("B2:C3")).toEqual([
      ["", ""],
      ["", "mine"],
    ]);
    await screen.getByRole("button", { name: "Insert at the selected cell" }).click();
    await screen.getByRole("button", { name: "Overwrite" }).click();
    await screen.getByText(/2 jurisdictions with/).waitFor();
    expect((await workbench.values("B2:C2"))[0]).toEqual(["AHJ ID", "Name"]);
  });
});

describe("an import that Excel refuses half-way", () => {
  it("puts back what stood there: texts that look like numbers or formulas, formats, formulas, tables", async () => {
    const [type] = await catalogue();
    workbench = await openWorkbench();
    const screen = shownScreen();
    await pasteGeoids(screen, ["06001"]);
    await chooseTypes(screen, [type as DataPointType]);
    await workbench.select("C4");
    await screen.getByRole("button", { name: "Insert at the selected cell" }).click();
    await screen.getByText(/1 jurisdiction with/).waitFor();

    const texts = [["'06001", "'=A1", "'4-12-7", 0.5, "=1+1"]];
    await workbench.setFormulas("A1", texts);
    await workbench.setFormulas("A20", texts);
    await pasteGeoids(screen, ["06003", "06005", "06007", "06009"]);
    await workbench.select("A1");
    const look = () =>
      workbench.page.evaluate(() => ({
        formulas: window.workbench.getFormulas("A1:H30"),
        texts: window.workbench.getTexts("A1:H30"),
        tables: window.workbench.tables(),
      }));
    const before = await look();
    await screen.getByRole("button", { name: "Insert at the selected cell" }).click();
    await screen.getByText(/A table stands there/).waitFor();
    expect(await look()).toEqual(before);

    await workbench.select("A20");
    const frame = workbench.page.frames().find((candidate) => candidate.url().includes("taskpane"));
    await frame?.evaluate(() => {
      Excel.TableCollection.prototype.add = () => {
        throw new Error("no more tables");
      };
    });
    await screen.getByRole("button", { name: "Insert at the selected cell" }).click();
    await screen.getByRole("button", { name: "Overwrite" }).click();
    await screen.getByText(/Excel did not accept the change/).waitFor();
    expect(await look()).toEqual(before);
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("what was confirmed", () => {
  it("is what is done, whatever is chosen meanwhile", async () => {
    const [type] = await catalogue();
    workbench = await openWorkbench();
    await workbench.setFormulas("A2", [["mine"]]);
    await workbench.setFormulas("A6", [["never asked about"]]);
    const screen = shownScreen();
    await pasteGeoids(screen, ["06001", "06003"]);
    await chooseTypes(screen, [type as DataPointType]);
    await workbench.select("A1");
    await screen.getByRole("button", { name: "Insert at the selected cell" }).click();
    await screen.getByText("There are cells in the way").waitFor();
    await pasteGeoids(screen, ["06005", "06007", "06009", "06011"]);
    await screen.getByRole("button", { name: "Overwrite" }).click();
    await screen.getByText(/2 jurisdictions with/).waitFor();
    expect(await workbench.values("A6")).toEqual([["never asked about"]]);
  });
});

// All other faults: test/reliability, without a browser.
describe("a failed import", () => {
  it("of a service that is stopped leaves the sheet as it was and says why", async () => {
    const [type] = await catalogue();
    workbench = await openWorkbench();
    await workbench.setFormulas("A1", [["mine"]]);
    const screen = shownScreen();
    await pasteGeoids(screen, ["06001"]);
    await chooseTypes(screen, [type as DataPointType]);
    await workbench.page.route("**/v1/reports/matrix", (route) => route.abort("connectionrefused"));
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/can't be reached/).waitFor();
    expect(await workbench.tables()).toEqual([]);
    expect(await workbench.values("A1")).toEqual([["mine"]]);
  });

  it("because of the sheet itself leaves it as it was and says why", async () => {
    const [type] = await catalogue();
    workbench = await openWorkbench();
    const screen = shownScreen();
    await pasteGeoids(screen, ["06001"]);
    await chooseTypes(screen, [type as DataPointType]);
    await workbench.page.evaluate(() => window.workbench.failNext(5004));
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/Excel did not accept the change/).waitFor();
    expect(await workbench.tables()).toEqual([]);
  });
});

describe("a used-up request limit", () => {
  it("makes an import wait, visibly, until it is cancelled", async () => {
    const [type] = await catalogue();
    workbench = await openWorkbench();
    const screen = shownScreen();
    await pasteGeoids(screen, ["06001"]);
    await chooseTypes(screen, [type as DataPointType]);
    await workbench.page.route("**/v1/reports/matrix", (route) =>
      route.fulfill({ status: 429, headers: { "Retry-After": "3600" } }),
    );
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/limit is used up. Going on at \d/).waitFor();
    await screen.getByRole("button", { name: "Cancel" }).click();
    await screen.getByText("Cancelled.").waitFor();
    expect(await workbench.tables()).toEqual([]);
  });
});
