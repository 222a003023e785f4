import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Ahj, MatrixReport } from "../../../src/engine/api/schemas";
import { importCell } from "../../../src/workbook/sheet/values/cell-value";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";
import { questionSearch } from "../pane-steps";
import { questionIn } from "../sample-answers";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

/** What a spreadsheet would make something else of. */
const hostile = [
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
  "'quoted",
  "<b>bold</b><script>alert(1)</script>",
  "two\nlines",
  "\u202Eright to left",
  "12345678901234567890",
  "  spaces  ",
];
const [fee, permit] = [1056, 1003];

describe("an import of a service with every quirk", () => {
  it("shows what the service says: texts that look like something else, doubles, excluded and unknown ones", async () => {
    const client = sampleClient("demo-west");
    const { items } = (await client.listAhjs({ page: 1, page_size: 500 })).data;
    const own = items.filter(
      ({ geoid }) => geoid && items.filter((other) => other.geoid === geoid).length === 1,
    );
    const ahjs = own.slice(0, hostile.length);
    const types = (await client.listTypes({ page: 1, page_size: 500 })).data.items.filter(
      ({ id }) => id === fee || id === permit,
    );
    const unitOf = new Map(types.map(({ id, unit_of_measure }) => [id, unit_of_measure]));

    workbench = await openWorkbench({ key: "demo-west", quirks: true });
    /** What each AHJ was said to have. */
    const said = new Map<number, Record<string, string>>();
    await workbench.page.route("**/v1/reports/matrix", async (route) => {
      const answer = await route.fetch();
      if (!answer.ok()) return route.fulfill({ response: answer });
      const report = (await answer.json()) as { data: MatrixReport };
      for (const { ahj, values } of report.data.rows) {
        const place = ahjs.findIndex(({ id }) => id === Number(ahj.id));
        for (const cell of Object.values(values)) if (cell) cell.value = hostile[place] ?? "";
        const ofAhj = Object.entries(values).map(([type, cell]) => [type, cell?.value ?? ""]);
        said.set(Number(ahj.id), Object.fromEntries(ofAhj) as Record<string, string>);
      }
      return route.fulfill({ response: answer, json: report });
    });

    const screen = workbench.pane.getByRole("tabpanel");
    const excluded = "48453";
    await screen.getByRole("button", { name: "Paste a list" }).click();
    const list = [...ahjs.map(({ geoid }) => geoid ?? ""), ahjs[0]?.geoid ?? "", excluded, "99999"];
    await screen.getByLabel("geoIDs, one a line").fill(list.join("\n"));
    await screen.getByRole("button", { name: "Add the list" }).click();
    await screen.getByText(`${ahjs.length} jurisdictions chosen`).waitFor();
    await screen.getByText("2 geoIDs not found").waitFor();
    const search = await questionSearch(workbench);
    await search.click();
    for (const { id, name } of types) {
      await search.fill(String(id));
      await workbench.pane.getByRole("menuitemcheckbox", { name: `${name} (${id})` }).click();
    }
    await search.press("Escape");
    await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
    await screen.getByText(new RegExp(`${ahjs.length} jurisdictions with`)).waitFor();

    const [table] = await workbench.tables();
    const address = table?.address ?? "";
    const [headers = [], ...rows] = await workbench.values(address);
    expect(rows).toHaveLength(ahjs.length);
    expect(said.size).toBe(ahjs.length);
    rows.forEach((row, index) => {
      const ahj = ahjs[index] as Ahj;
      expect(row.slice(0, 4)).toEqual([ahj.name, ahj.state_code, ahj.type, ahj.geoid]);
      expect(row.at(-1)).toBe(ahj.id);
      for (const { id, name } of types) {
        const raw = said.get(ahj.id)?.[id] ?? "";
        const shown = importCell(raw, unitOf.get(id) ?? "").value;
        const column = headers.findIndex((header) => questionIn(header) === name);
        // Excel keeps the apostrophe that marks a text to itself.
        const expected = typeof shown === "string" ? shown.replace(/^'/, "") : shown;
        expect(row[column], `${ahj.name}: ${raw}`).toBe(expected);
      }
    });
    const shownTexts = rows.flatMap((row) => row.slice(4, -1)).filter((value) => value !== "");
    expect(shownTexts.length).toBeGreaterThan(hostile.length);
    expect(await workbench.problems()).toEqual([]);
  });
});
