import { afterAll, afterEach, describe, expect, it } from "vitest";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import { expectScreenHolds } from "../layout/screen-rule";
import { importFees } from "./import-fees";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";
import { openTab, pressMore } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const client = sampleClient();
const geoids = ["06001", "06037", "32003"];
const shownScreen = () => workbench.pane.getByRole("tabpanel");

describe("an import in the workbook", () => {
  it("is found where it stands, refreshed, marked and tells of what changed; it travels, is renamed and forgotten", async () => {
    const ahjs = await Promise.all(geoids.map(async (geoid) => (await client.resolveGeoid({ geoid })).data));
    const { data } = await client.matrix({ ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: [1056] });
    const raw = (id: number) => data.rows.find(({ ahj }) => ahj.id === id)?.values[1056]?.value ?? "";
    const type = data.data_point_types[0]?.name ?? "";
    workbench = await openWorkbench();
    await importFees(workbench, geoids);
    const [{ address } = { address: "" }] = await workbench.tables();
    const [, ...before] = await workbench.values(address);
    expect(before.map((row) => row[4])).toEqual(ahjs.map(({ id }) => formulaValue(raw(id), "USD")));

    await openTab(workbench, "In this workbook");
    const screen = shownScreen();
    await screen.getByText("Minimum Permit Fee", { exact: true }).waitFor();
    await screen.getByText(address).waitFor();
    await screen.getByText(/3 rows, 3 values/).waitFor();

    workbench.requests.length = 0;
    await screen.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await screen.getByText("Nothing has changed.").waitFor();
    expect(workbench.requests).toEqual(["POST /v1/reports/matrix"]);

    // The service raises the fee of one county; a user has overwritten another cell.
    const sheet = address.split("!")[0] ?? "";
    await workbench.setFormulas(`${sheet}!E3`, [["mine"]]);
    await workbench.page.evaluate((at) => window.workbench.fill(at, "#C6E0B4"), `${sheet}!E2`);
    await workbench.page.route(/\/v1\/(reports\/matrix|data-points)/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll(`"${raw(ahjs[0]?.id ?? 0)}"`, '"$9,999"'),
      });
    });
    await screen.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await screen.getByText("1 value changed.").waitFor();
    const fees = async () => (await workbench.values(`${sheet}!E2:E4`)).flat();
    const last = formulaValue(raw(ahjs[2]?.id ?? 0), "USD");
    expect(await fees()).toEqual([9_999, "mine", last]);
    const changes = screen.getByRole("list", { name: "What changed" }).getByRole("listitem");
    const change = await changes.nth(0).textContent();
    expect(change).toContain(`${ahjs[0]?.name}, CA: ${type}${raw(ahjs[0]?.id ?? 0)}`);
    expect(change).toContain("$9,999");

    // Both are marked in the sheet, which looks as before once the marks are removed.
    const fills = async () =>
      workbench.page.evaluate(
        (name) => ["E2", "E3", "E4"].map((at) => window.workbench.fillColor(`${name}!${at}`)),
        sheet,
      );
    await screen.getByRole("button", { name: "Highlight changes" }).click();
    await screen.getByRole("button", { name: "Remove highlights" }).waitFor();
    expect(await fills()).toEqual(["#FFF2CC", "#DDEBF7", null]);
    await screen.getByRole("button", { name: "Remove highlights" }).click();
    await screen.getByRole("button", { name: "Highlight changes" }).waitFor();
    expect(await fills()).toEqual(["#C6E0B4", null, null]);

    // A user sorts the table: the first county's cell is now the last one.
    const rows = await workbench.values(`${sheet}!A2:F4`);
    await workbench.setFormulas(`${sheet}!A2:F4`, rows.toReversed());
    await screen.getByRole("button", { name: "Export as a sheet" }).click();
    await expect.poll(async () => (await workbench.tables()).length).toBe(2);
    const exported = (await workbench.tables())[1]?.address ?? "";
    expect(exported).toMatch(/^'Changes 20\d\d-\d\d-\d\d'!/);
    const [headers, changed, mine] = (await workbench.values(exported)).map((row) => row.slice(0, 7));
    expect(headers).toEqual([
      ...["Cell", "Jurisdiction", "Question", "Change", "Before", "Now", "Kept in the cell"],
    ]);
    const told = [
      `${sheet}!E4`,
      `${ahjs[0]?.name}, CA`,
      type,
      "changed",
      raw(ahjs[0]?.id ?? 0),
      "$9,999",
      "",
    ];
    expect(changed).toEqual(told);
    expect([mine?.[3], mine?.[6]]).toEqual(["edited, kept", "mine"]);

    // The user's text is kept and listed with the service's answer, which replaces it when the user says so.
    const edited = screen.getByRole("region", { name: "Edited cells" });
    await edited.getByText(`Edited to “mine”. The service says “${raw(ahjs[1]?.id ?? 0)}”.`).waitFor();
    await workbench.select(`${sheet}!A1`);
    await edited.getByRole("button", { name: `E3, ${ahjs[1]?.name}, CA: ${type}` }).click();
    await expectScreenHolds(workbench.page);
    workbench.requests.length = 0;
    await edited.getByRole("button", { name: "Use the service’s value" }).click();
    await edited.waitFor({ state: "detached" });
    expect(await fees()).toEqual([last, formulaValue(raw(ahjs[1]?.id ?? 0), "USD"), 9_999]);
    expect(workbench.requests).toEqual([]);

    await screen.getByText("History", { exact: true }).click();
    await screen.getByText(/: nothing changed$/).waitFor();
    await screen.getByText(/: 1 value changed$/).click();
    await screen.getByText(`${ahjs[0]?.name}, CA: ${type}: ${raw(ahjs[0]?.id ?? 0)} → $9,999`).waitFor();
    await openTab(workbench, "Source");
    await shownScreen().getByText(`${sheet}!E3`).waitFor();
    await shownScreen().getByText("Import Minimum Permit Fee").waitFor();
    await openTab(workbench, "In this workbook");
    await expectScreenHolds(workbench.page);

    // The import travels with the file under its new name, without the key, until it is forgotten.
    await pressMore(workbench, "Minimum Permit Fee", "Rename…");
    await screen.getByRole("textbox", { name: "Name" }).fill("Fees of three counties");
    await screen.getByRole("button", { name: "Save" }).click();
    await screen.getByText("Fees of three counties", { exact: true }).waitFor();
    const file = await workbench.page.evaluate(() => window.workbench.save());
    expect(JSON.stringify(file)).not.toContain("demo-national");
    await workbench.page.evaluate((saved) => window.workbench.open(saved), file);
    await openTab(workbench, "In this workbook");
    await screen.getByRole("button", { name: "Refresh Fees of three counties" }).click();
    await screen.getByText("Nothing has changed.").waitFor();
    await pressMore(workbench, "Fees of three counties", "Forget");
    await screen.getByText(/None yet/).waitFor();
    expect(await workbench.tables()).toHaveLength(2);
    expect(await workbench.problems()).toEqual([]);
  });

  it("tells a jurisdiction's new name like a changed value, and keeps a name that somebody has typed until they give it up", async () => {
    workbench = await openWorkbench();
    await importFees(workbench, geoids);
    const [{ address } = { address: "" }] = await workbench.tables();
    const sheet = address.split("!")[0] ?? "";
    const names = async () => (await workbench.values(`${sheet}!A2:A4`)).flat().map(String);
    const [first = "", second = "", third = ""] = await names();
    await workbench.setFormulas(`${sheet}!A3`, [["Our county"]]);
    await workbench.page.route(/\/v1\/reports\/matrix/, async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replaceAll(`"${first}"`, '"North County"');
      await route.fulfill({ response: answer, body: text.replaceAll(`"${second}"`, '"South County"') });
    });
    await openTab(workbench, "In this workbook");
    const screen = shownScreen();
    await screen.getByRole("button", { name: "Refresh Minimum Permit Fee" }).click();
    await screen.getByText("1 value changed.").waitFor();
    expect(await names()).toEqual(["North County", "Our county", third]);
    const changes = screen.getByRole("list", { name: "What changed" }).getByRole("listitem");
    expect(await changes.allTextContents()).toEqual([`${first}, CA: Name${first} North County`]);
    const edited = screen.getByRole("region", { name: "Edited cells" });
    await edited.getByText("Edited to “Our county”. The service changed this: now “South County”.").waitFor();
    await edited.getByRole("button", { name: "A3, Our county, CA: Name" }).click();
    await edited.getByRole("button", { name: "Use the service’s value" }).click();
    await edited.waitFor({ state: "detached" });
    expect(await names()).toEqual(["North County", "South County", third]);
    await screen.getByText("History", { exact: true }).click();
    await screen.getByText(/: 1 value changed$/).click();
    await screen.getByText(`${first}, CA: Name: ${first} → North County`).waitFor();
    expect(await workbench.problems()).toEqual([]);
  });
});
