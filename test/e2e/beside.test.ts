import AxeBuilder from "@axe-core/playwright";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { importCell } from "../../src/sheet/cell-value";
import { countByPath } from "../recorded-service";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "./open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const client = sampleClient();
const shownScreen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => shownScreen().getByRole("button", { name });
const openTab = (name: string) => workbench.pane.getByRole("tab", { name, exact: true }).click();
const fee = 1056;

async function chooseType(id: number) {
  const search = shownScreen().getByRole("combobox", { name: "Search data point types" });
  await search.click();
  await search.fill(String(id));
  await workbench.pane.getByRole("menuitemcheckbox", { name: new RegExp(`\\(${id}\\)`) }).click();
  await search.press("Escape");
}

/** What a cell must show for each geoID. */
async function fees(geoids: readonly string[]) {
  const ahjs = await Promise.all(geoids.map(async (geoid) => (await client.resolveGeoid({ geoid })).data));
  const { data } = await client.matrix({ ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: [fee] });
  const [type] = data.data_point_types;
  return {
    header: type?.name ?? "",
    of: new Map(
      ahjs.map(({ id, geoid }) => {
        const raw = data.rows.find(({ ahj }) => ahj.id === id)?.values[fee]?.value ?? "";
        return [geoid ?? "", { id, raw, value: importCell(raw, type?.unit_of_measure ?? "").value }];
      }),
    ),
  };
}

async function expectNoViolations() {
  const { violations } = await new AxeBuilder({ page: workbench.page })
    .include(["iframe", "[role=tabpanel]:not([hidden])"])
    .exclude(["iframe", "[data-tabster-dummy]"])
    .analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

describe("beside a list in the sheet", () => {
  it("each row gets its answers, names are asked about, and a refresh finds every row", async () => {
    const { header, of } = await fees(["06001", "06037", "13009"]);
    const row = (geoid: string) => [of.get(geoid)?.id, of.get(geoid)?.value];
    workbench = await openWorkbench();
    const list = [["County"], [6001], ["'06037"], [""], ["'99999"], ["Baldwin County"], ["'06037"]];
    await workbench.setFormulas("B3", list);
    await workbench.setFormulas("D5", [["mine"]]);
    await workbench.select("B1:C20");
    await chooseType(fee);
    await button("Beside my list").click();
    await shownScreen().getByText("A list is one column of geoIDs or names.").waitFor();

    await workbench.select("B1:B20");
    workbench.requests.length = 0;
    await button("Beside my list").click();
    await shownScreen().getByText("1 lost zero given back").waitFor();
    await shownScreen()
      .getByRole("combobox", { name: /Which “Baldwin County”/ })
      .selectOption({ label: "Baldwin County, GA · county · 13009" });
    await button("Add this one").click();
    await shownScreen()
      .getByText("4 of 6 rows in Sheet1!B3:B9 have a jurisdiction, 3 different ones, 1 blank, 1 not matched.")
      .waitFor();
    await shownScreen()
      .getByText(/“County” is its header/)
      .waitFor();
    await shownScreen()
      .getByText(/7 rows × 2 columns, 14 cells, 1 request/)
      .waitFor();
    await expectNoViolations();
    await button("Fill in").click();
    await shownScreen()
      .getByText(/The columns would fill Sheet1!C3:D9 and overwrite what is in Sheet1!D5/)
      .waitFor();
    expect(await workbench.tables()).toEqual([]);
    await button("Overwrite").click();
    await shownScreen()
      .getByText(/3 jurisdictions with 3 values in Sheet1!C3:D9/)
      .waitFor();
    // A name takes the directory; 99999 is told from a denied one by its own look-up.
    expect(countByPath(workbench.requests)).toEqual({
      "GET /v1/ahjs": 66,
      "GET /v1/geoid/{geoid}": 1,
      "POST /v1/reports/matrix": 1,
    });

    expect(await workbench.values("B3:D9")).toEqual([
      ["County", "AHJ ID", header],
      [6001, ...row("06001")],
      ["06037", ...row("06037")],
      ["", "", ""],
      ["99999", "", ""],
      ["Baldwin County", ...row("13009")],
      ["06037", ...row("06037")],
    ]);
    expect((await workbench.tables()).map(({ address }) => address)).toEqual(["Sheet1!B3:D9"]);
    await shownScreen().getByText("Not matched: 1 geoID").click();
    await shownScreen()
      .getByText("99999: The service knows no jurisdiction", { exact: false })
      .last()
      .waitFor();
    await shownScreen().getByText("Blank in your list: 1 cell").click();
    await shownScreen().getByText("Sheet1!B6").waitFor();

    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(`"${of.get("06037")?.raw}"`, '"$9,999"');
      await route.fulfill({ response: answer, body });
    });
    await openTab("Imports");
    await button("Refresh Beside County").click();
    await shownScreen().getByText("2 values changed.").waitFor();
    expect((await workbench.values("D4:D9")).flat()).toEqual([
      of.get("06001")?.value,
      9_999,
      "",
      "",
      of.get("13009")?.value,
      9_999,
    ]);
    await shownScreen()
      .getByText(/^06037: /)
      .first()
      .waitFor();
    expect(await workbench.problems()).toEqual([]);
  });
});
