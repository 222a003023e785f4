import { afterAll, afterEach, describe, expect, it } from "vitest";
import { pasteGeoids, toggleType } from "./import-steps";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { insertBy } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const press = (name: string) => shownScreen().getByRole("button", { name }).click();
const shows = (text: string | RegExp) => shownScreen().getByText(text).waitFor();

describe("cells in the way", () => {
  it("are never overwritten without asking, nor changed by an import that fails; the import does what the user confirmed", async () => {
    workbench = await openWorkbench();
    const { page } = workbench;
    await workbench.setFormulas("B10", [["'06001", "'=A1", "'4-12-7", 0.5, "=1+1"]]);
    await workbench.setFormulas("C3", [["mine"]]);
    await workbench.setFormulas("C7", [["never asked about"]]);
    const look = () =>
      page.evaluate(() => [
        window.workbench.getValues("A1:H12"),
        window.workbench.getFormulas("A1:H12"),
        window.workbench.getTexts("A1:H12"),
        window.workbench.tables(),
      ]);
    await workbench.values("B10:F10");
    const before = await look();
    await pasteGeoids(workbench, ["06001", "06003"]);
    await toggleType(workbench, 1056);
    await workbench.select("B2");
    await insertBy(workbench, "Insert at the selected cell");
    await shows(/^This would overwrite/);
    await press("Cancel");
    expect(await look()).toEqual(before);

    await page.evaluate(() => window.workbench.failNext(5004));
    await press("Insert on a new sheet");
    await shows(/A cell is being edited.*Press Enter or Esc/);
    expect(await look()).toEqual(before);

    // The add-in fails by its own mistake while it writes the cells: the message does not blame Excel.
    const frame = page.frames().find((candidate) => candidate.url().includes("taskpane"));
    await frame?.evaluate(() => {
      const { add } = Excel.TableCollection.prototype;
      Excel.TableCollection.prototype.add = () => {
        Excel.TableCollection.prototype.add = add;
        throw new TypeError("06001 is not a function");
      };
    });
    await insertBy(workbench, "Insert at the selected cell");
    await press("Overwrite");
    await shows(/Something in the add-in went wrong/);
    expect(await shownScreen().getByText("06001 is not").count()).toBe(0);
    await shownScreen().getByRole("button", { name: "Copy the details" }).waitFor();
    expect(await look()).toEqual(before);

    // A used-up limit makes the import wait, visibly, until it is cancelled.
    await pasteGeoids(workbench, ["06005"], 3);
    await page.route("**/v1/reports/matrix", (asked) =>
      asked.fulfill({ status: 429, headers: { "Retry-After": "3600" } }),
    );
    await press("Insert on a new sheet");
    await shows(/limit is used up. Continues at \S/);
    await press("Cancel");
    await shows(/^Stopped: \d of \d jurisdictions are complete\. The sheet is as it was\./);
    expect(await look()).toEqual(before);
    await page.unroute("**/v1/reports/matrix");
  });

  it("stay if merged cells are there; choices after the question do not change what was asked", async () => {
    workbench = await openWorkbench();
    await workbench.setFormulas("C3", [["mine"]]);
    await workbench.setFormulas("C7", [["never asked about"]]);
    await pasteGeoids(workbench, ["06001", "06003"]);
    await toggleType(workbench, 1056);
    await workbench.select("B2");
    await insertBy(workbench, "Insert at the selected cell");
    await shows(/^This would overwrite/);
    await pasteGeoids(workbench, ["06005", "06007", "06009", "06011"], 6);
    await press("Overwrite");
    await shows(/Inserted: 2 jurisdictions/);
    expect((await workbench.values("B2:C2"))[0]).toEqual(["Name", "State"]);
    expect(await workbench.values("C7")).toEqual([["never asked about"]]);

    const tables = await workbench.tables();
    await workbench.page.evaluate(() => window.workbench.merge("L2:M3"));
    workbench.requests.length = 0;
    await workbench.select("K1");
    await insertBy(workbench, "Insert at the selected cell");
    await shows(/Cells are merged there: Sheet1!L2:M3/);
    expect(await shownScreen().getByRole("button", { name: "Overwrite" }).count()).toBe(0);
    expect([await workbench.tables(), workbench.requests]).toEqual([tables, []]);
    expect((await workbench.values("K1:M4")).flat().join("")).toBe("");
    expect(await workbench.problems()).toEqual([]);
  });
});
