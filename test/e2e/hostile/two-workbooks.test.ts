import { afterAll, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

afterAll(closeBrowser);

/** How many records each store of the add-in's database holds. */
const records = ({ page }: Workbench) =>
  page.evaluate(async () => {
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await done(indexedDB.open("regdata"));
    const counts: Record<string, number> = {};
    for (const store of database.objectStoreNames)
      counts[store] = await done(database.transaction(store).objectStore(store).count());
    database.close();
    return counts;
  });

it("answers serve another workbook; a key forgotten in one workbook is used no more in the other, and leaves nothing on the device", async () => {
  const one = await openWorkbench();
  const formulas = [1001, 1003, 999_999].map((type) => [`=REGDATA.VALUE("06001", ${type})`]);
  await one.setFormulas("A1:A3", formulas);
  const values = await one.values("A1:A3");
  expect(values.slice(1)).toEqual([["NEC 2020"], ["#N/A"]]);
  // The records are written in the background.
  await expect.poll(() => records(one)).toMatchObject({ shards: 1 });

  const again = await one.reopen();
  const other = await again.openBeside();
  for (const workbook of [again, other]) {
    one.requests.length = 0;
    await workbook.setFormulas("A1:A3", formulas);
    expect(await workbook.values("A1:A3")).toEqual(values);
    expect(one.requests).toEqual([]);
  }

  await openTab(one, "Settings");
  await one.pane.getByRole("button", { name: /^Forget/ }).click();
  await one.pane.getByRole("button", { name: "Forget it" }).click();
  await one.pane.getByText("Connect to your data service").waitFor();
  // The other workbook's pane has heard that the key was forgotten.
  await other.pane.getByText("Connect to your data service").waitFor();
  one.requests.length = 0;
  await other.setFormulas("B1", [['=REGDATA.VALUE("06037", 1056)']]);
  expect(await other.values("B1")).toEqual([["#N/A"]]);
  expect(await other.errorMessage("B1")).toMatch(/^RegData is not connected/);
  expect(one.requests).toEqual([]);

  await other.page.close();
  const last = await one.reopen();
  await expect.poll(() => records(last)).toEqual({ documents: 0, shards: 0 });
  await last.close();
});
