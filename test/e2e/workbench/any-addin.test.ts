import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type {} from "../../../workbench/page/workbench-api";
import { startWorkbench } from "../../../workbench/workbench-server";
import { newWorkbookFile } from "../../../xlsx/workbook-file";
import { drawSeldom } from "../../../scripts/browser";
import { closeBrowser, idle, ready, sharedBrowser } from "../open-workbench";

const pageDir = resolve("build/workbench");
const fixture = (name: string) => resolve("test/workbench", name);
const stops: (() => Promise<unknown>)[] = [];

/** The workbench's page with one of the add-ins; resolves when the add-in has started. */
async function opened(place: { addinDir?: string; addinUrl?: string }): Promise<Page> {
  const server = await startWorkbench({ port: 0, pageDir, ...place });
  const context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true });
  stops.push(() => context.close(), server.close);
  await context.addInitScript(drawSeldom);
  const page = await context.newPage();
  await page.goto(server.url);
  await ready(page);
  return page;
}
async function stop(): Promise<void> {
  for (const each of stops.splice(0)) await each();
}

const problems = (page: Page) => page.evaluate(() => [...window.workbench.problems]);
const values = (page: Page, address: string) =>
  page.evaluate((place) => window.workbench.getValues(place), address);
const pane = (page: Page) => page.frameLocator("#addin iframe");

async function calculated(page: Page, address: string, formulas: string[][]) {
  await page.evaluate(([place, rows]) => window.workbench.setFormulas(place, rows), [
    address,
    formulas,
  ] as const);
  await idle(page);
  return values(page, address);
}

describe("an add-in whose pane, functions and commands have pages of their own", () => {
  let page: Page;
  beforeAll(async () => {
    page = await opened({ addinDir: fixture("own-pages-addin") });
  });
  afterAll(stop);

  it("starts without a shared runtime, and names what it refuses and what can't be fetched", async () => {
    await expect.poll(() => pane(page).locator("body").getAttribute("data-started")).toBe("alone");
    await expect.poll(async () => (await problems(page)).length).toBe(4);
    expect((await problems(page)).sort()).toEqual([
      expect.stringMatching(/^OWN\.BOTH is refused, as in Excel: it uses both stream and cancelable/),
      expect.stringMatching(/^OWN\.SYNC is left out: the workbench does not support supportSync/),
      expect.stringMatching(/^https:\/\/127\.0\.0\.1:1\/library\.js could not be fetched/),
      expect.stringMatching(/^https:\/\/127\.0\.0\.1:1\/styles\.css could not be fetched/),
    ]);
  });

  it("has the items of its menu in the ribbon, and a button that waits until it is enabled", async () => {
    const ribbon = page.locator("#ribbon");
    const item = ribbon.getByRole("button", { name: "Second page" });
    expect(await item.isVisible()).toBe(false);
    await ribbon.getByText("More").click();
    await item.click();
    await expect.poll(() => pane(page).getByRole("heading").textContent()).toBe("Second page");
    expect(await item.isVisible()).toBe(false);
    expect(await ribbon.getByText("Word").count()).toBe(0);
    await expect.poll(() => ribbon.getByRole("button", { name: "Locked" }).isEnabled()).toBe(true);
  });

  it("has a ribbon that the workbench's own title does not cover, however many buttons there are", async () => {
    const ribbon = page.locator("#ribbon");
    const covered = async () => {
      const { x, y, height } = (await page.locator("#title").boundingBox())!;
      const boxes = await ribbon
        .locator("[data-control]:visible")
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
      return boxes.filter((box) => box.right > x && box.top < y + height).length;
    };
    const more = await ribbon.evaluate((strip) => {
      const copies = Array.from({ length: 4 }, () => strip.firstElementChild!.cloneNode(true));
      strip.append(...copies);
      return copies.length;
    });
    expect(await covered()).toBe(0);
    await ribbon.evaluate(
      (strip, count) => [...strip.children].slice(-count).map((copy) => copy.remove()),
      more,
    );
    expect(await covered()).toBe(0);
  });

  it("has a page of its own for each call of a command", async () => {
    await page.evaluate(() => window.workbench.setValues("A1", [[""]]));
    await page.evaluate(() => window.workbench.press("WriteOnce"));
    expect(await values(page, "A1")).toEqual([["called 1"]]);
    expect(await page.locator("#hidden-runtimes iframe").count()).toBe(1);
  });

  it("is told when a button calls a function that its page does not have", async () => {
    await page.evaluate(() => window.workbench.press("Locked"));
    expect(await problems(page)).toContain(
      "The add-in's page has no function noSuchFunction, which a command calls.",
    );
  });

  it("ends its pane's page when the user closes the pane", async () => {
    await page.evaluate(() => window.workbench.pane.show(false));
    expect(await page.locator("#addin iframe").count()).toBe(0);
    await page.evaluate(() => window.workbench.pane.show(true));
    await expect.poll(() => pane(page).locator("body").getAttribute("data-started")).toBe("alone");
  });

  it("calls functions that have no name, or as many arguments as one likes", async () => {
    expect(
      await calculated(page, "C1:C5", [
        ["=OWN.DOUBLE(21)"],
        ["=OWN.TOTAL(2,1,2,3)"],
        ["=OWN.TOTAL(2)"],
        ["=OWN.RANGES(C1:C2,7)"],
        ["=OWN.BOTH()"],
      ]),
    ).toEqual([[42], [12], [0], ["[[[42],[12]],[[7]]]"], ["#NAME?"]]);
  });

  it("says on a #NAME? where the mouse rests why its function is not there", async () => {
    await calculated(page, "A1:A2", [["=OWN.SYNC()"], ["=OWN.NONE(1)"]]);
    const canvas = (await page.locator("#grid canvas[id^=univer-sheet-main-canvas]").boundingBox())!;
    const rest = async (row: number) => {
      const [x, y] = [canvas.x + 70, canvas.y + 28 + row * 20];
      for (const step of [0, 1]) await page.mouse.move(x + step, y + step);
    };
    await rest(0);
    await page
      .locator(".univer-popup, [class*=univer-w-]")
      .getByText(/^OWN\.SYNC is left out/)
      .first()
      .waitFor();
    await rest(1);
    await page.getByText("functions.json has no function OWN.NONE.").waitFor();
    await calculated(page, "A1:A2", [[""], [""]]);
  });

  it("tells functions where they and their arguments stand", async () => {
    expect(await calculated(page, "E1:E2", [["=OWN.WHERE()"], ["=OWN.WHENCE(A1,$A$1:B3)"]])).toEqual([
      ["Sheet1!E1"],
      ["Sheet1!A1"],
    ]);
    expect(await values(page, "F2")).toEqual([["Sheet1!A1:B3"]]);
  });

  it("calls a volatile function anew with each entry, and no other", async () => {
    const [[first]] = (await calculated(page, "H1", [["=OWN.CALLS()"]])) as [[number]];
    await calculated(page, "H2", [["anything"]]);
    await calculated(page, "H3", [["anything else"]]);
    expect(await values(page, "H1")).toEqual([[first + 2]]);
  });

  it("shows result after result of a stream, and cancels it with its formula", async () => {
    await calculated(page, "J1", [["=OWN.COUNTUP(10)"]]);
    const count = async () => Number((await values(page, "J1"))[0]?.[0]);
    await expect.poll(count).toBeGreaterThan(0);
    const before = await count();
    await expect.poll(count).toBeGreaterThan(before);
    await calculated(page, "J1", [[""]]);
    await expect.poll(() => calculated(page, "J2", [["=OWN.CANCELLED()"]])).toEqual([[1]]);
  });
});

describe("an add-in that makes a contextual tab", () => {
  afterAll(stop);

  it("shows it at the ribbon's end when it says so, runs its functions, and makes it anew when it starts again", async () => {
    const page = await opened({ addinDir: fixture("fixture-addin") });
    const ribbon = page.locator("#ribbon");
    const addin = () => page.frames().find((frame) => new URL(frame.url()).pathname.startsWith("/addin/"))!;
    const create = () =>
      addin().evaluate(() => {
        const icon = [16, 32, 80].map((size) => ({
          size,
          sourceLocation: "https://addin.example/sample/icon.svg",
        }));
        const superTip = { title: "Stamp here", description: "Writes into the selected cell." };
        const button = { type: "Button", id: "TabStamp", label: "Stamp here", icon, superTip };
        return Office.ribbon
          .requestCreateControls({
            actions: [{ id: "stamp", type: "ExecuteFunction", functionName: "stamp" }],
            tabs: [
              {
                ...{ id: "Tab", label: "Places" },
                groups: [
                  {
                    ...{ id: "G", label: "Data", icon },
                    controls: [{ ...button, actionId: "stamp", enabled: false }],
                  },
                ],
              },
            ],
          })
          .then(
            () => "made",
            (error: OfficeExtension.Error) => error.code,
          );
      });
    const update = (tab: Office.Tab) =>
      addin().evaluate(
        (wanted) =>
          Office.ribbon.requestUpdate({ tabs: [wanted] }).then(
            () => "updated",
            (error: OfficeExtension.Error) => error.code,
          ),
        tab,
      );
    const tab = ribbon.getByRole("region", { name: "Places" });
    expect(await addin().evaluate(() => Office.context.requirements.isSetSupported("RibbonApi", "1.2"))).toBe(
      true,
    );
    expect(await create()).toBe("made");
    expect(await tab.isVisible()).toBe(false);
    expect(await update({ id: "Tab", visible: true })).toBe("updated");
    expect(await tab.isVisible()).toBe(true);
    expect(await ribbon.locator("> *").last().getAttribute("aria-label")).toBe("Places");
    const button = tab.getByRole("button", { name: "Stamp here" });
    expect(await button.isEnabled()).toBe(false);
    expect(await update({ id: "Tab", controls: [{ id: "TabStamp", enabled: true }] })).toBe("updated");
    await page.evaluate(() => window.workbench.select("C3"));
    await button.click();
    await expect.poll(() => values(page, "C3")).toEqual([["stamped"]]);
    await page.evaluate(() => window.workbench.select("C4"));
    await page.evaluate(() => window.workbench.press("TabStamp"));
    expect(await values(page, "C4")).toEqual([["stamped"]]);
    expect(await create()).toBe("InvalidOperation");
    expect(await update({ id: "Tab", visible: false })).toBe("updated");
    expect(await tab.isVisible()).toBe(false);
    expect(await update({ id: "Other", visible: true })).toBe("ItemNotFound");
    expect(await problems(page)).toEqual([]);

    await page.evaluate(() => window.workbench.startAgain());
    await ready(page);
    expect(await create()).toBe("made");
  });
});

describe("an add-in that inserts sheets of another file", () => {
  afterAll(stop);

  it("gets them beside the sheet that it names, with their values, looks, tables and formulas", async () => {
    const page = await opened({ addinDir: fixture("fixture-addin") });
    const addin = page.frames().find((frame) => new URL(frame.url()).pathname.startsWith("/addin/"))!;
    const file = newWorkbookFile(["Sheet1", "Sums"]);
    const [fees, sums] = file.sheets;
    fees!.setCells([
      { row: 0, column: 0, value: "Place" },
      { row: 0, column: 1, value: "Fee" },
      { row: 1, column: 0, value: "00612" },
      { row: 1, column: 1, value: 300, style: file.styles.styleWith(0, { fillColor: "#FFF2CC" }) },
    ]);
    fees!.addTable({
      ...{ name: "Fees", ref: { row: 0, column: 0, rows: 2, columns: 2 } },
      columnNames: ["Place", "Fee"],
    });
    fees!.setMerged([{ row: 4, column: 0, rows: 1, columns: 2 }]);
    sums!.setCells([{ row: 0, column: 0, formula: { text: "SUM(Sheet1!B2:B9)+1" } }]);
    const names = await addin.evaluate(
      (base64) =>
        Excel.run(async (context) => {
          const { worksheets } = context.workbook;
          worksheets.add("Last");
          context.workbook.insertWorksheetsFromBase64(base64, { positionType: "Before", relativeTo: "Last" });
          worksheets.load("items/name");
          await context.sync();
          return worksheets.items.map(({ name }) => name);
        }),
      Buffer.from(file.save()).toString("base64"),
    );
    expect(names).toEqual(["Sheet1", "Sheet1 (2)", "Sums", "Last"]);
    await idle(page);
    expect(await values(page, "'Sheet1 (2)'!A1:B2")).toEqual([
      ["Place", "Fee"],
      ["00612", 300],
    ]);
    expect(await values(page, "Sums!A1")).toEqual([[301]]);
    expect(await page.evaluate(() => window.workbench.fillColor("'Sheet1 (2)'!B2"))).toBe("#FFF2CC");
    expect(await page.evaluate(() => window.workbench.tables())).toMatchObject([
      { name: "Fees", address: "'Sheet1 (2)'!A1:B2" },
    ]);
    expect(await problems(page)).toEqual([]);
  });
});

describe("the list of requests", () => {
  afterAll(stop);

  it("has what the add-in asks of Excel, step by step, and what was refused and why", async () => {
    const page = await opened({ addinDir: fixture("fixture-addin") });
    const addin = page.frames().find((frame) => new URL(frame.url()).pathname.startsWith("/addin/"))!;
    const list = page.getByRole("region", { name: "Requests of the add-in" });
    expect(await list.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Requests", exact: true }).click();
    await list.getByRole("button", { name: "Clear" }).click();
    expect(await list.getByText("None yet.").isVisible()).toBe(true);
    const write = (sheetName: string) =>
      addin.evaluate(
        (name) =>
          Excel.run(async (context) => {
            context.workbook.worksheets.getItem(name).getRange("A1").values = [["<b>Kern</b>"]];
            await context.sync();
          }).catch(() => {}),
        sheetName,
      );
    await write("Sheet1");
    await expect
      .poll(() => list.locator("code").allTextContents())
      .toContain('workbook.worksheets.getItem("Sheet1").getRange("A1").values = [["<b>Kern</b>"]]');
    expect(await list.getByText("Refused,").count()).toBe(0);

    await write("Other");
    await list.getByText("Refused, ItemNotFound: The requested resource doesn't exist.").waitFor();
    await list.getByLabel("Refused only").check();
    expect(await list.locator("code").allTextContents()).toEqual([
      'workbook.worksheets.getItem("Other")',
      expect.stringContaining("values"),
    ]);
    expect(await list.getByText("(not carried out)").count()).toBe(1);

    await page.evaluate(() => window.workbench.edit(true));
    await write("Sheet1");
    await list.getByText("Refused, 5004: A cell is being edited.").first().waitFor();
    await page.evaluate(() => window.workbench.edit(false));
    await list.getByRole("button", { name: "Close the requests" }).click();
    expect(await list.isVisible()).toBe(false);
  });
});

describe("an add-in with a pane alone", () => {
  afterEach(stop);
  afterAll(closeBrowser);

  it.each(["a folder", "an address"])(
    "starts from %s, and its code from its own server's root",
    async (place) => {
      let where: { addinDir?: string; addinUrl?: string } = { addinDir: fixture("pane-only-addin") };
      if (place === "an address") {
        const files = await startWorkbench({ port: 0, pageDir: fixture("pane-only-addin"), ...where });
        stops.push(files.close);
        where = { addinUrl: files.url };
      }
      const page = await opened(where);
      await pane(page).getByRole("button", { name: "Write" }).click();
      await expect.poll(() => values(page, "B2")).toEqual([["written"]]);
      expect(await problems(page)).toEqual([
        expect.stringMatching(/requires RibbonApi 1\.2: the simulated Excel would not offer the add-in/),
      ]);
    },
  );
});
