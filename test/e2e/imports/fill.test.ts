import { readFile } from "node:fs/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import { importCell } from "../../../src/workbook/sheet/values/cell-value";
import type { CellValue } from "../../../workbench/spreadsheet";
import { addTypesIn, takeGeoids } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { insertBy, openStep, openTab } from "../pane-steps";
import { expectScreenHolds } from "../layout/screen-rule";
import { counties, sample, typesIn } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");

const category = "EV Charging";

const long = "long ".repeat(8_000);
/** Texts that a spreadsheet would turn into something else. */
const odd = [
  long,
  "'=1 or '06001'",
  '=HYPERLINK("https://evil.test","free")',
  "=1+1",
  "+1-800-555-0100",
  "-5",
  "@SUM(A1:A9)",
  "4-12-7",
  "1/2",
  "2024-02-30",
  "00123",
  "1e5",
  "TRUE",
  "#N/A",
  "<b>bold</b><script>alert(1)</script>",
  "two\nlines",
  "\u202Eright to left",
  "12345678901234567890",
  "  spaces  ",
];

/** Chooses jurisdictions from cells of Sheet1, and the types of the category. */
async function choose(ahjs: readonly Ahj[]) {
  await takeGeoids(
    workbench,
    ahjs.map(({ geoid }) => geoid ?? ""),
  );
  await addTypesIn(workbench, category);
}

/** The rows of a table below its header, each by the columns' headers. */
async function tableAt(address: string): Promise<Record<string, CellValue>[]> {
  const [headers = [], ...rows] = await workbench.values(address);
  return rows.map((row) => Object.fromEntries(headers.map((header, index) => [header, row[index] ?? ""])));
}

async function addressOf(sheet: string): Promise<string> {
  const tables = await workbench.tables();
  const found = tables.find(({ address }) => address.startsWith(sheet));
  if (!found) throw new Error(`no table on ${sheet} among ${JSON.stringify(tables)}`);
  return found.address;
}

const dayMs = 86_400_000;
const serialOf = (iso: string) => Date.parse(iso) / dayMs + 25_569;

describe("citations on a Sources sheet", () => {
  it("name the cell, the source and the dates of every value, and lead to web addresses only", async () => {
    const ahjs = await counties("AL", 12);
    const types = await typesIn(category);
    const { data } = await sample.listDataPoints({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types.map(({ id }) => id),
      page: 1,
      page_size: 500,
    });
    const items = new Map(data.items.map((item) => [`${item.ahj.id} ${item.data_point_type.id}`, item]));
    expect(items.size).toBeGreaterThan(20);
    workbench = await openWorkbench();
    await choose(ahjs);
    const screen = shownScreen();
    await openStep(workbench, "Where in the workbook");
    await screen.getByRole("combobox", { name: "Citations" }).selectOption("On a Sources sheet");
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(/12 jurisdictions, \d+ values; their sources in Sources!A1:I/).waitFor();

    const address = await addressOf("'AL ");
    const [sheet] = address.split("!");
    const shown = await workbench.values(address);
    const expected: CellValue[][] = [];
    const links: (string | null)[] = [];
    const updated: number[] = [];
    ahjs.forEach((ahj, row) =>
      types.forEach((type, column) => {
        const item = items.get(`${ahj.id} ${type.id}`);
        const cell = item?.value ? importCell(item.value, type.unit_of_measure).value : "";
        expect(shown[row + 1]?.[column + 4]).toEqual(cell);
        if (!item?.value) return;
        const letter = String.fromCharCode("E".charCodeAt(0) + column);
        links.push(/^https?:/.test(item.reference ?? "") ? item.reference : null);
        expected.push([
          `${sheet}!${letter}${row + 2}`,
          `${ahj.name}, ${ahj.state_code}`,
          type.name,
          item.value,
          item.reference ?? "",
          item.section ?? "",
        ]);
        updated.push(serialOf(item.updated_at));
      }),
    );
    const sources = (await workbench.values(await addressOf("Sources"))).slice(1);
    expect(sources.map((row) => row.slice(0, 6))).toEqual(expected);
    sources.forEach((row, index) => {
      expect(row[6]).toBeCloseTo(updated[index] ?? 0, 6);
      expect(Math.abs(Number(row[7]) - serialOf(new Date().toISOString()))).toBeLessThan(0.1);
    });
    expect(new Set(links).size).toBeGreaterThan(1);
    const shownLinks = await workbench.page.evaluate(
      (count) => Array.from({ length: count }, (_, row) => window.workbench.link(`Sources!E${row + 2}`)),
      links.length,
    );
    expect(shownLinks).toEqual(links);
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("a row per value, with its citation beside it", () => {
  it("lands as the service answers, odd texts too", async () => {
    const [ahjs, types] = [await counties("AL", 12), await typesIn(category)];
    const { data: matrix } = await sample.matrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types.map(({ id }) => id),
    });
    const answers = matrix.rows.flatMap(({ ahj, values }) =>
      types.flatMap((type) => {
        const answer = values[type.id];
        return answer?.value ? [{ ahj, type, answer }] : [];
      }),
    );
    expect(answers.length).toBeGreaterThan(odd.length);
    odd.forEach((text, at) => Object.assign(answers[at]?.answer ?? {}, { value: text }));
    workbench = await openWorkbench();
    await choose(ahjs);
    const screen = shownScreen();
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      const body = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...body, data: matrix } });
    });
    await openStep(workbench, "Where in the workbook");
    await screen.getByRole("combobox", { name: "Layout" }).selectOption("A row per value");
    await screen.getByRole("combobox", { name: "Citations" }).selectOption("Columns beside");
    await screen.getByText("12 jurisdictions × 6 questions: 1 request").waitFor();
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText("Cut at 32,767 characters: 1 text").click();
    expect(await screen.locator("details[open] li").textContent()).toContain(long);
    const rows = await tableAt(await addressOf("'AL "));
    /** The text as the sheet gives it: Excel hides the apostrophe that marks a text. */
    const inSheet = (value: string, unit: string) => {
      const shown = importCell(value, unit).value;
      return typeof shown === "string" ? shown.replace(/^'/, "") : shown;
    };
    expect(rows).toEqual(
      answers.map(({ ahj, type, answer: { value, reference, section } }) => ({
        "AHJ ID": ahj.id,
        Name: ahj.name,
        Type: ahj.type,
        State: ahj.state_code,
        geoID: ahj.geoid,
        "Type ID": type.id,
        Question: type.name,
        Unit: type.unit_of_measure,
        Value: inSheet(value ?? "", type.unit_of_measure),
        Reference: reference ?? "",
        Section: section ?? "",
      })),
    );
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("an import that is cancelled half-way", () => {
  it("leaves the sheet as it was, and writes what had come where that is wanted; Save as CSV saves the service's own file, and names whom it lacks", async () => {
    const ahjs = await counties("NV", 8);
    workbench = await openWorkbench();
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      const { ahj_ids: ids } = route.request().postDataJSON() as { ahj_ids: number[] };
      if (ids.length > 4) return route.fulfill({ status: 413, body: "{}" });
      // The requests for other jurisdictions are never answered.
      if (ids.includes(ahjs[0]?.id ?? 0)) await route.continue();
    });
    await choose(ahjs);
    const screen = shownScreen();
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText("Fetched 4 of 8 jurisdictions, 24 of 48 cells.").waitFor();
    await screen.getByRole("button", { name: "Pause" }).click();
    await screen.getByText(/^Paused\. Fetched 4 of 8/).waitFor();
    // The pane still responds, and the import goes on.
    await openTab(workbench, "Settings");
    await openTab(workbench, "Get data");
    await screen.getByRole("button", { name: "Resume" }).click();
    await screen.getByRole("button", { name: "Cancel" }).click();
    await screen.getByText(/4 of 8 jurisdictions are complete/).waitFor();
    expect(await workbench.tables()).toEqual([]);
    await screen.getByRole("button", { name: "Insert these" }).click();
    await screen.getByText(/Inserted, but incomplete: 4 jurisdictions/).waitFor();
    await screen.getByText("Not received: 4 jurisdictions").click();
    await screen
      .locator("details[open]")
      .getByText(ahjs[7]?.name ?? "")
      .waitFor();
    const address = await addressOf("'NV ");
    expect(address).toContain(" (partial)'!");
    const rows = await tableAt(address);
    expect(rows.map((row) => row["AHJ ID"])).toEqual(ahjs.slice(0, 4).map(({ id }) => id));

    // The service's own file needs a request of another kind; meanwhile another program uses up the limit.
    const types = await typesIn(category);
    const { data: file } = await sample.exportMatrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types.map(({ id }) => id),
    });
    const shortened = Buffer.from(file.bytes).toString().split("\r\n").slice(0, -1).join("\r\n");
    await workbench.page.route("**/v1/reports/export", (route) =>
      route.fulfill({
        contentType: "text/csv",
        headers: {
          "X-RateLimit-Remaining": "0",
          "X-RateLimit-Reset": String(Math.ceil(Date.now() / 1_000) + 3_000),
        },
        body: shortened,
      }),
    );
    const saving = workbench.page.waitForEvent("download");
    await insertBy(workbench, "Save as CSV");
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/^NV .+ and \d more \d{4}-\d\d-\d\d\.csv$/);
    expect(await readFile(await download.path(), "utf8")).toBe(shortened);
    await shownScreen().getByText("Not in the file: 1 jurisdiction").click();
    await shownScreen()
      .locator("details[open]", { hasText: "Not in the file" })
      .getByText(`${ahjs[7]?.name}, NV (county`)
      .waitFor();
    // The pane says how much of the limit is left before an import is started.
    await shownScreen()
      .getByText(/1 request \(0 left, resets \S/)
      .waitFor();
    await shownScreen()
      .getByText(/more requests than are left/)
      .waitFor();
    expect(await workbench.tables()).toHaveLength(1);
  });
});

it("a list of questions that is pasted into the search is chosen in its order, as soon as the catalogue is there", async () => {
  workbench = await openWorkbench();
  await openStep(workbench, "Which questions");
  const search = shownScreen().getByRole("combobox", { name: "Search questions" });
  await search.click();
  await search.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "electrical code\nflying saucers\nminimum permit fee\n");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await shownScreen().getByText("2 questions chosen").waitFor();
  await shownScreen()
    .getByText(
      "No question has all the words of 1 pasted line: “flying saucers”. Search for it by other words.",
    )
    .waitFor();
  expect(await search.inputValue()).toBe("");
  await expectScreenHolds(workbench.page);
});
