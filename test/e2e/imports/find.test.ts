import { afterAll, afterEach, expect, it } from "vitest";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { sample } from "../sample-answers";
import { expectScreenHolds } from "../layout/screen-rule";
import { openTab, pressMore } from "../pane-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

/** The id of the question Storage Moratorium in Effect. */
const moratorium = 1150;
const noWords = ["no", "n", "false", "not required"];

/** The ids of Nevada's jurisdictions whose published answer is a plain no. */
async function withoutMoratorium(): Promise<number[]> {
  const { data: page } = await sample.listAhjs({ state_code: "NV", page: 1, page_size: 500 });
  const { data } = await sample.matrix({
    ahj_ids: page.items.map(({ id }) => id),
    data_point_type_ids: [moratorium],
  });
  return data.rows.flatMap(({ ahj, values }) =>
    noWords.includes(values[moratorium]?.value?.toLowerCase() ?? "") ? [ahj.id] : [],
  );
}

/** The file with a totals row below its table, which counts the table's last column, and a user's text below that. */
function withTotals(bytes: Uint8Array): Uint8Array {
  const file = openWorkbookFile(bytes);
  for (const sheet of file.sheets)
    for (const { id, ref, displayName, columnNames } of sheet.tables) {
      const [row, last] = [ref.row + ref.rows, ref.columns - 1];
      const text = `SUBTOTAL(103,${displayName}[${columnNames[last]}])`;
      sheet.setCells([
        { row, column: 0, value: "Total" },
        { row, column: last, value: ref.rows - 1, formula: { text } },
        { row: row + 2, column: 0, value: "Ask the county first." },
        {
          ...{ row: row + 3, column: 1, value: 21 },
          formula: { text: `LEN(A${row + 3})` },
        },
      ]);
      sheet.updateTable(id, { ref: { ...ref, rows: ref.rows + 1 }, hasTotalsRow: true });
    }
  return file.save();
}

it("a question about storage becomes a table of the jurisdictions that answer it, and names the others", async () => {
  const expected = await withoutMoratorium();
  workbench = await openWorkbench();
  const { page } = workbench;
  let { pane } = workbench;
  await pane.getByRole("button", { name: "Filter by answers…" }).click();
  const panel = pane.getByRole("region", { name: "Those that answer" });
  await panel.getByRole("combobox", { name: "Look within" }).selectOption("States");
  await panel.getByRole("combobox", { name: "States" }).click();
  await panel.getByRole("combobox", { name: "States" }).fill("Nevada");
  await pane.getByRole("menuitemcheckbox", { name: /^NV/ }).click();
  // The typed text is cleared, and the list no longer covers what comes next. Typing opens it again, Escape closes it.
  expect(await panel.getByRole("combobox", { name: "States" }).inputValue()).toBe("");
  await pane.getByRole("menuitemcheckbox").first().waitFor({ state: "detached" });
  await panel.getByRole("combobox", { name: "States" }).pressSequentially("Ariz");
  await pane.getByRole("menuitemcheckbox", { name: /^AZ/ }).waitFor();
  await page.keyboard.press("Escape");
  await pane.getByRole("menuitemcheckbox").first().waitFor({ state: "detached" });
  // Another choice of "Look within" keeps the states.
  await panel.getByRole("combobox", { name: "Look within" }).selectOption("The whole subscription");
  await panel.getByRole("combobox", { name: "Look within" }).selectOption("States");
  await panel.getByText("1 state chosen").waitFor();
  const condition = panel.getByRole("group", { name: "Condition 1" });
  // Tab chooses no question.
  await condition.getByRole("combobox", { name: "Question" }).click();
  await condition.getByRole("combobox", { name: "Question" }).pressSequentially("review");
  await pane
    .getByRole("option", { name: /review/i })
    .first()
    .waitFor();
  await page.keyboard.press("Tab");
  await condition.getByText("Choose a question from the list, or remove this condition.").waitFor();
  await expectScreenHolds(page);
  expect(await condition.getByRole("combobox", { name: "Operator" }).count()).toBe(0);
  // The first Tab reaches the button that opens the list.
  await page.keyboard.press("Tab");
  await pane.getByRole("listbox").waitFor({ state: "detached" });
  await condition.getByRole("combobox", { name: "Question" }).fill("");
  await condition.getByRole("combobox", { name: "Question" }).pressSequentially("storage moratorium");
  await pane.getByRole("option", { name: new RegExp(`\\(${moratorium}\\)$`) }).click();
  // In the narrowest pane the name of the question ends before the chevron of its list.
  await page.evaluate(() => {
    const frame = document.getElementById("pane");
    if (frame) frame.style.width = "320px";
  });
  const question = condition.getByRole("combobox", { name: "Question" });
  const named = await question.boundingBox();
  const chevron = await condition.locator(".fui-Combobox__expandIcon").first().boundingBox();
  expect((named?.x ?? 0) + (named?.width ?? 0)).toBeLessThanOrEqual(chevron?.x ?? 0);
  await condition.getByRole("combobox", { name: "Operator" }).selectOption("is no");
  workbench.requests.length = 0;
  await panel.getByRole("button", { name: "Find", exact: true }).click();
  await panel
    .getByRole("status")
    .filter({ hasText: new RegExp(`^${expected.length} yes, \\d+ no, \\d+ not known$`) })
    .waitFor();
  const sent = workbench.requests.length;

  // The third group is opened: it says why, and which jurisdictions.
  await panel.getByText(/^Not known: \d+$/).click();
  await panel.getByText(/No value is recorded for Storage Moratorium in Effect\.$/).click();
  await panel
    .getByRole("list")
    .getByText(/, NV \(/)
    .first()
    .waitFor();
  await expectScreenHolds(page);

  // A change of the condition is answered without a request.
  await condition.getByRole("combobox", { name: "Operator" }).selectOption("has a value");
  await panel
    .getByRole("status")
    .filter({ hasText: /^\d+ yes, \d+ no, 0 not known$/ })
    .waitFor();
  await condition.getByRole("combobox", { name: "Operator" }).selectOption("is no");
  expect(workbench.requests).toHaveLength(sent);

  // A second condition without its value: no result, and the reason beside it.
  await panel.getByRole("button", { name: "Add a condition" }).click();
  const second = panel.getByRole("group", { name: "Condition 2" });
  await second.getByRole("combobox", { name: "Question" }).click();
  await second.getByRole("combobox", { name: "Question" }).fill("residential storage permit fee");
  await pane.getByRole("option", { name: /\(1140\)$/ }).click();
  await second.getByRole("combobox", { name: "Operator" }).selectOption("at most");
  await second.getByText("Enter a value, or remove this condition.").waitFor();
  await second.getByText("in $").waitFor();
  // Before the answers are read, there is none to choose.
  const value = second.getByRole("combobox", { name: "Value" });
  await value.click();
  await value.press("ArrowDown");
  expect(await pane.getByRole("listbox").count()).toBe(0);
  expect(await workbench.pane.getByRole("button", { name: /^Use the .* found$/ }).count()).toBe(0);
  // The estimate for the new question scrolls into sight, and the condition scrolls from under the mouse.
  await panel.getByText(/× 1 question: \d+ requests?/).waitFor();
  // Afterwards they are offered as soon as the user asks for them, but not by a click into the text.
  await value.fill("300");
  await panel.getByRole("button", { name: "Find", exact: true }).click();
  await panel
    .getByRole("status")
    .filter({ hasText: /^\d+ yes, \d+ no, \d+ not known$/ })
    .waitFor();
  await value.click();
  expect(await pane.getByRole("listbox").count()).toBe(0);
  await value.fill("");
  await value.press("ArrowDown");
  await pane
    .getByRole("option", { name: /\(\d+\)$/ })
    .first()
    .waitFor();
  await value.press("Escape");
  await panel.getByRole("button", { name: "Remove condition 2" }).click();

  await workbench.pane.getByRole("button", { name: `Use the ${expected.length} found` }).click();
  await pane.getByText("Those that answer: Storage Moratorium in Effect is no.").waitFor();
  await pane.getByRole("button", { name: "Insert on a new sheet" }).click();
  await pane
    .getByText(new RegExp(`^Inserted: ${expected.length} jurisdictions, ${expected.length} values`))
    .waitFor();
  const [table] = await workbench.tables();
  const [, ...rows] = await workbench.values(table?.address ?? "");
  expect(new Set(rows.map((row) => row.at(-1)))).toEqual(new Set(expected));

  // A colleague sends the file back with a totals row, and a text below it.
  await workbench.openXlsx(withTotals(await workbench.saveXlsx()));

  // One row is overwritten with a county elsewhere: a refresh adds the missing jurisdiction, and says that it could not check the other.
  const alameda = (await sample.resolveGeoid({ geoid: "06001" })).data;
  const [, sheetName = "", last = "", end = ""] =
    /^(.*)!\$?A\$?1:\$?([A-Z]+)\$?(\d+)$/.exec(table?.address ?? "") ?? [];
  await workbench.setFormulas(`${sheetName}!${last}2`, [[String(alameda.id)]]);
  await openTab(workbench, "In this workbook");
  await pane.getByRole("button", { name: /^Refresh .* Moratorium/ }).click();
  await pane.getByText(/: .*1 jurisdiction entered\. 1 row added at the end\.$/).waitFor();
  await pane
    .getByText(
      new RegExp(
        `1 of ${expected.length + 1} could not be checked: outside the area that is searched\\. Their rows and (?:\\d+ )?values? stay`,
      ),
    )
    .waitFor();
  await pane.getByText("Not checked", { exact: true }).click();
  await expectScreenHolds(page);
  await pane.getByText(/: outside the area that is searched$/).waitFor();
  await pane.getByText("Those that answer: Storage Moratorium in Effect is no. Look within: NV.").waitFor();
  const [added] = await workbench.values(`${sheetName}!${last}${Number(end) + 1}`);
  expect(added).toEqual([rows[0]?.at(-1)]);
  // The totals row and the text stand below the new row, and what refers to them does, too.
  const below = (first: number, lasting: number) =>
    `${sheetName}!A${Number(end) + first}:${last}${Number(end) + lasting}`;
  const blanks = Array.from({ length: 4 }, () => "");
  const count = expected.length + 1;
  expect(await workbench.values(below(2, 5))).toEqual([
    ["Total", ...blanks, count],
    ["", ...blanks, ""],
    ["Ask the county first.", ...blanks, ""],
    ["", "Ask the county first.".length, ...blanks],
  ]);
  const formulas = (at: string) => page.evaluate((place) => window.workbench.getFormulas(place).flat(), at);
  expect(await formulas(below(2, 5))).toEqual(
    expect.arrayContaining(["=SUBTOTAL(103,Table1[AHJ ID])", `=LEN(A${Number(end) + 4})`]),
  );
  expect((await workbench.tables())[0]?.address).toBe(`${sheetName}!A1:${last}${Number(end) + 2}`);
  const saved = openWorkbookFile(await workbench.saveXlsx()).sheets.flatMap((sheet) => sheet.tables);
  expect(saved[0]).toMatchObject({
    hasTotalsRow: true,
    ref: { rows: Number(end) + 2 },
  });
  expect(await workbench.problems()).toEqual([]);

  // The next refresh has no news.
  await pane.getByRole("button", { name: /^Refresh .* Moratorium/ }).click();
  await pane.getByText(/: Nothing has changed\.$/).waitFor();

  // A colleague with a narrower key reads that nobody could be checked, and nothing that advises to delete rows.
  const file = await page.evaluate(() => window.workbench.save());
  await workbench.close();
  workbench = await openWorkbench({ key: "demo-county" });
  await workbench.page.evaluate((saved) => window.workbench.open(saved), file);
  await openTab(workbench, "In this workbook");
  const colleague = workbench.pane;
  await colleague.getByRole("button", { name: /^Refresh .* Moratorium/ }).click();
  await colleague
    .getByText(
      /\d+ of \d+ could not be checked: outside your subscription\. Their rows and \d+ values stay, as of /,
    )
    .first()
    .waitFor();
  expect(await colleague.getByText(/jurisdictions? left|delete those/).count()).toBe(0);
  await workbench.close();
  workbench = await openWorkbench();
  await workbench.page.evaluate((saved) => window.workbench.open(saved), file);
  await openTab(workbench, "In this workbook");
  ({ pane } = workbench);

  // The change says that the table becomes a plain list.
  await pressMore(workbench, /^More for .* Moratorium/, "Change…");
  const change = pane.getByRole("region", { name: /^Change / });
  await change.getByRole("combobox", { name: "Search jurisdictions" }).click();
  await change.getByRole("combobox", { name: "Search jurisdictions" }).fill("Travis County");
  await pane
    .getByRole("option", { name: /^Travis County, TX/ })
    .first()
    .click();
  await change
    .getByText("The table becomes a plain list: a refresh does not ask its conditions again.")
    .waitFor();
  await change.getByRole("button", { name: "Apply" }).click();
  await pane
    .getByText("Those that answer: Storage Moratorium in Effect is no. Look within: NV.")
    .waitFor({ state: "detached" });
});

it("a find in a sentence fills in the fields, by the keyboard alone, and names what it does not understand", async () => {
  workbench = await openWorkbench();
  const { page, pane } = workbench;
  await pane.getByRole("button", { name: "Filter by answers…" }).click();
  const panel = pane.getByRole("region", { name: "Those that answer" });
  await panel.getByRole("textbox", { name: "In your own words" }).click();
  await page.keyboard.type("counties in CA and OR with review time under 10 days and permit fee at most 300");
  workbench.requests.length = 0;
  await page.keyboard.press("Enter");
  await panel.getByText("Set below, where you can change it.").waitFor();
  await panel.getByText("2 states chosen").waitFor();
  expect(await panel.getByRole("combobox", { name: "Kind" }).inputValue()).toBe("county");
  const shown = (number: number) =>
    Promise.all(
      ["Question", "Operator", "Value"].map((name) =>
        panel
          .getByRole("group", { name: `Condition ${number}` })
          .getByRole("combobox", { name })
          .inputValue(),
      ),
    );
  expect(await shown(1)).toEqual(["Residential Permit Review Time", "less-than", "10 days"]);
  expect((await shown(2)).slice(1)).toEqual(["at-most", "300"]);
  expect(workbench.requests).toEqual([]);
  await expectScreenHolds(page);
  await panel.getByRole("button", { name: "Find", exact: true }).click();
  await panel
    .getByRole("status")
    .filter({ hasText: /^\d+ yes, \d+ no, \d+ not known$/ })
    .waitFor();
  await panel.getByRole("textbox", { name: "In your own words" }).fill("NV with good weather");
  await page.keyboard.press("Enter");
  await panel.getByText("Not understood: “good weather”. Set it below.").waitFor();
  await expectScreenHolds(page);
});
