import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";
import { openTab, questionSearch } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

/**
 * Counts the requests that the add-in sends to Excel, by office.js's request number. It leaves out the later release of objects, which
 * nobody waits for.
 */
function countRoundTrips() {
  const { dataset } = document.documentElement;
  dataset.roundTrips = "0";
  window.addEventListener("message", ({ data }) => {
    const text = JSON.stringify(data);
    const isRequest = /DispatchId\W+93\b/.test(text) && !text.includes("_RemoveReference");
    if (isRequest) dataset.roundTrips = String(Number(dataset.roundTrips) + 1);
  });
}

const roundTrips = () => workbench.page.evaluate(() => Number(document.documentElement.dataset.roundTrips));

describe("the selected cell", () => {
  it("explains a formula that waits only if it has waited for three seconds", async () => {
    workbench = await openWorkbench();
    let answer = () => {};
    const isHeld = new Promise<void>((resolve) => (answer = resolve));
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      await isHeld;
      await route.continue();
    });
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1056)']]);
    await workbench.select("A1");
    await openTab(workbench, "Source");
    const screen = workbench.pane.getByRole("tabpanel");
    await screen.getByRole("button", { name: "Refresh" }).waitFor();
    const begunAtMs = Date.now();
    const explanation = screen.getByText(/^The formula is waiting for its answer\./);
    expect(await explanation.count()).toBe(0);
    await explanation.waitFor();
    expect(Date.now() - begunAtMs).toBeGreaterThan(2_000);
    answer();
    await explanation.waitFor({ state: "detached" });
  });

  it("tells whose answer it shows and where that is written, without asking anything", async () => {
    const client = sampleClient();
    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1056] });
    const [type] = data.data_point_types;
    const cell = data.rows[0]?.values[1056];
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:C1", [["'06001", 1056, "=REGDATA.VALUE($A$1, B1)"]]);
    await workbench.setFormulas("A3:A4", [
      ['=IFERROR(REGDATA.VALUE("4899999", 1056), "none")'],
      ['=REGDATA.MATRIX({"06037";"06001"}, {1003,1056})'],
    ]);
    await workbench.setFormulas("F1", [["mine"]]);
    await workbench.values("A1:D6");
    workbench.requests.length = 0;
    await openTab(workbench, "Source");
    const screen = workbench.pane.getByRole("tabpanel");
    const line = (name: string) => screen.locator(`dt:text-is("${name}") + dd`);
    const answer = screen.getByRole("group", { name: "The answer" });

    // C1 holds the formula, and the matrix spills into D6.
    for (const address of ["C1", "D6"]) {
      await workbench.select("F1");
      await screen.getByText(/Select an answer from RegData/).waitFor();
      await workbench.select(address);
      await screen
        .getByText(type?.name ?? "")
        .first()
        .waitFor();
      await screen.getByText(`${ahj.name}, CA (county, 06001)`).waitFor();
      await screen.getByText("About the question").click();
      await screen.getByText(type?.description ?? "").waitFor();
      expect(await answer.textContent()).toBe(cell?.value);
      expect(await line("Reference").textContent()).toBe(cell?.reference);
      expect(await line("Section").textContent()).toBe(cell?.section);
    }
    await workbench.select("A3");
    await screen.getByText(/^The service knows no jurisdiction with this geoID/).waitFor();
    // Each selected cell costs one round trip to Excel; a late event may make the pane look twice.
    await workbench.page.evaluate(countRoundTrips);
    const counts: number[] = [];
    for (const address of ["F1", "A3", "F1", "A3"]) {
      const before = await roundTrips();
      await workbench.select(address);
      await screen.getByText(`Sheet1!${address}`, { exact: true }).waitFor();
      counts.push((await roundTrips()) - before);
    }
    expect(Math.min(...counts)).toBe(1);
    expect(workbench.requests).toEqual([]);

    await workbench.select("C1");
    await screen.getByText("Sheet1!C1", { exact: true }).waitFor();
    await screen.getByRole("button", { name: "Refresh", exact: true }).click();
    await screen.getByText("Refresh asks for the date.").waitFor({ state: "hidden" });
    expect(await line("Updated").textContent()).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    expect(workbench.requests.filter((request) => request.includes("/v1/data-points?"))).toHaveLength(1);

    // A spilled cell disappears while the matrix is calculated, and comes back.
    await workbench.select("D6");
    await screen.getByText("=REGDATA.MATRIX in Sheet1!A4").waitFor();
    workbench.requests.length = 0;
    await screen.getByRole("button", { name: "Refresh", exact: true }).click();
    await screen.getByText("Unchanged.").waitFor();
    expect(await answer.textContent()).toBe(cell?.value);
    expect(workbench.requests).toHaveLength(1);
    expect(await workbench.problems()).toEqual([]);
  });

  it("brings one answer up to date, of a formula and of an import, with one request and no other cell", async () => {
    const client = sampleClient();
    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1056] });
    const raw = data.rows[0]?.values[1056]?.value ?? "";
    workbench = await openWorkbench();
    const screen = () => workbench.pane.getByRole("tabpanel");
    const button = (name: string | RegExp) => screen().getByRole("button", { name });
    await screen().getByRole("button", { name: "Paste a list" }).click();
    await screen().getByRole("textbox").last().fill("06037\n06001");
    await button("Add the list").click();
    await screen().getByText("2 jurisdictions chosen").waitFor();
    const search = await questionSearch(workbench);
    await search.click();
    await search.fill("1056");
    await workbench.pane.getByRole("menuitemcheckbox", { name: /\(1056\)/ }).click();
    await search.press("Escape");
    await button("Insert on a new sheet").click();
    await screen()
      .getByText(/Inserted: 2 jurisdictions/)
      .waitFor();
    const [table] = await workbench.tables();
    const sheet = table?.address.split("!")[0] ?? "";
    await workbench.setFormulas(`${sheet}!H1:I1`, [
      ['=REGDATA.VALUE("06001", 1056, "text")', '=REGDATA.VALUE("06037", 1056, "text")'],
    ]);
    const [[, other]] = (await workbench.values(`${sheet}!H1:I1`)) as [[string, string]];
    const before = await workbench.values(`${sheet}!A1:F3`);

    await openTab(workbench, "Source");
    await workbench.select(`${sheet}!H1`);
    await button("Change the formula").waitFor();
    workbench.requests.length = 0;
    await button(/^Refresh$/).click();
    await screen().getByText("Unchanged.").waitFor();
    // A matrix's answer has no date of its values' changes.
    await screen().getByText("Refresh asks for the date.").waitFor({ state: "hidden" });
    expect(workbench.requests.map((request) => request.split("?")[0])).toEqual([
      "POST /v1/reports/matrix",
      "GET /v1/data-points",
    ]);

    // The service now gives every fee another value: only the asked one may change.
    await workbench.page.route(/\/v1\/(reports\/matrix|data-points)/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replaceAll(/"value":"[^"]*"/g, '"value":"$9,999"');
      await route.fulfill({ response: answer, body });
    });
    await button(/^Refresh$/).click();
    await screen().getByText(`${raw} → $9,999`).waitFor();
    expect(await workbench.values(`${sheet}!H1:I1`)).toEqual([["$9,999", other]]);
    expect(await workbench.values(`${sheet}!A1:F3`)).toEqual(before);
    expect(workbench.requests).toHaveLength(3);

    // The user has sorted the rows by hand since: the row is recognized by its AHJ.
    await workbench.setFormulas(`${sheet}!A2:F3`, [before[2] ?? [], before[1] ?? []]);
    await workbench.select(`${sheet}!E3`);
    await screen().getByText("Import CA Minimum Permit Fee").waitFor();
    await button(/^Refresh$/).click();
    await screen().getByText(`${other} → $9,999`).waitFor();
    expect((await workbench.values(`${sheet}!E2:E3`)).flat()).toEqual([before[2]?.[4], 9_999]);
    await screen().getByText("Refresh asks for the date.").waitFor({ state: "hidden" });
    expect(workbench.requests).toHaveLength(5);

    // Inserted as a formula, the answer goes to another cell; its own cell stays as it is.
    await button("Insert as formula").click();
    await screen().getByText("Select the cell where the formula goes.").waitFor();
    await workbench.select(`${sheet}!H5`);
    await button(/^Insert here: .*!H5$/).click();
    await button("Change the formula").waitFor();
    const formula = await workbench.page.evaluate((at) => window.workbench.getFormulas(at), `${sheet}!H5`);
    expect(formula).toEqual([['=REGDATA.VALUE("06037", 1056)']]);
    expect(await workbench.values(`${sheet}!H5`)).toEqual([[9_999]]);
    expect(workbench.requests).toHaveLength(5);
    expect(await workbench.problems()).toEqual([]);
  });

  it("knows a frozen cell, a geoID and each call in a larger formula, and leads on from there", async () => {
    workbench = await openWorkbench();
    const formula = '=REGDATA.VALUE(A1, 1056, "text")';
    await workbench.setFormulas("A1:C1", [
      ["'06001", formula, `${formula}&" / "&REGDATA.VALUE("06037", 1056, "text")`],
    ]);
    const [[fee]] = (await workbench.values("B1")) as [[string]];
    expect(fee).not.toMatch(/^(#|$)/);
    await workbench.select("B1");
    await openTab(workbench, "In this workbook");
    const screen = workbench.pane.getByRole("tabpanel");
    const button = (name: string) => screen.getByRole("button", { name, exact: true });
    await button("Freeze").click();
    await screen.getByText("1 formula frozen: the cells hold plain values now.").waitFor();
    workbench.requests.length = 0;
    await openTab(workbench, "Source");
    await screen.getByText(/^Frozen on [A-Z][a-z]{2} \d{1,2}, \d{4}, /).waitFor();
    expect(await screen.getByRole("group", { name: "The frozen value" }).textContent()).toBe(fee);
    await workbench.setFormulas("B1", [["my note"]]);
    await workbench.select("A1");
    await screen.getByText("County in California").waitFor();
    await workbench.select("B1");
    await screen.getByText("The cell was edited since: it shows “my note” now.").waitFor();
    await button("Unfreeze").click();
    await button("Put the formula back").click();
    await screen.getByText("1 formula brought back.").waitFor();
    expect(await workbench.values("B1")).toEqual([[fee]]);

    await workbench.select("C1");
    const calls = screen.getByRole("region", { name: "Calls in this formula" });
    await calls.getByText(/^=?REGDATA\.VALUE\("06037"/).click();
    await screen.getByText("Los Angeles County, CA (county, 06037)").waitFor();
    await screen.getByText("Alameda County, CA (county, 06001)").waitFor({ state: "detached" });
    expect(workbench.requests).toEqual([]);

    await workbench.select("A1");
    await button("Get data for it").click();
    await screen.getByText("1 jurisdiction chosen").waitFor();
    expect(await workbench.problems()).toEqual([]);
  });

  it("says why it is an error and what to do, and whose table it belongs to, without asking again", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:A3", [
      ['=REGDATA.VALUE("County", 1003)'],
      ["=REGDATA.VALEU(1, 2)"],
      ['=REGDATA.MATRIX({"06001";"06037"}, {1003,1056})'],
    ]);
    await workbench.setFormulas("B5", [["in the way"]]);
    await workbench.setFormulas("A9", [['=REGDATA.GEOID("Alamedda County", "CA")']]);
    await workbench.setFormulas("F1", [['=REGDATA.COLLECTION("Residential solar", {"06037","06001"})']]);
    await workbench.values("A1:A9");
    await openTab(workbench, "Source");
    const screen = workbench.pane.getByRole("tabpanel");
    workbench.requests.length = 0;
    for (const [address, text, sentence] of [
      ["A1", "#VALUE!", /"County" is neither a geoID nor a name\. Write it like =REGDATA\.VALUE/],
      ["A2", "#NAME?", /REGDATA has no function VALEU\. Did you mean VALUE\?/],
      ["A3", "#SPILL!", /needs more cells than this one.*Empty them/],
      ["A9", "#N/A", /has this name.*Did you mean Alameda County, CA \(06001\)\?/],
    ] as const) {
      expect(await workbench.values(address)).toEqual([[text]]);
      await workbench.select(address);
      await screen.getByText(sentence).waitFor();
    }
    const [[header]] = (await workbench.values("H1")) as [[string]];
    await workbench.select("H3");
    await screen.getByText(/^Alameda County, CA/).waitFor();
    await screen.getByText(header, { exact: true }).waitFor();
    await workbench.select("F3");
    await screen.getByText("=REGDATA.COLLECTION in Sheet1!F1").waitFor();
    await screen.getByRole("button", { name: "Go to the formula" }).click();
    await screen.getByText("Sheet1!F1", { exact: true }).waitFor();
    expect(workbench.requests).toEqual([]);

    await workbench.page.route("**/v1/**", (route) => route.abort("connectionrefused"));
    await workbench.setFormulas("A10", [['=REGDATA.VALUE("06059", 1057)']]);
    expect(await workbench.values("A10")).toEqual([["#N/A"]]);
    workbench.requests.length = 0;
    await workbench.select("A10");
    await screen.getByText(/The service can't be reached/).waitFor();
    expect(workbench.requests).toEqual([]);
  });
});
