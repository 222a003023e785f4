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

it("a key that is forgotten in one workbook is used no more in another, and nothing of it stays on the device", async () => {
  const one = await openWorkbench();
  const other = await one.openBeside();
  await other.setFormulas("A1", [['=REGDATA.VALUE("06001", 1003)']]);
  expect(await other.values("A1")).toEqual([["NEC 2020"]]);

  await openTab(one, "Settings");
  await one.pane.getByRole("button", { name: /^Forget/ }).click();
  await one.pane.getByRole("button", { name: "Forget it" }).click();
  await one.pane.getByText("Connect to your data service").waitFor();
  // The other one's pane has heard it.
  await other.pane.getByText("Connect to your data service").waitFor();
  one.requests.length = 0;
  await other.setFormulas("A2", [['=REGDATA.VALUE("06037", 1056)']]);
  expect(await other.values("A2")).toEqual([["#N/A"]]);
  expect(await other.errorMessage("A2")).toMatch(/^RegData is not connected/);
  expect(one.requests).toEqual([]);

  await other.page.close();
  const again = await one.reopen();
  await expect.poll(() => records(again)).toEqual({ documents: 0, heads: 0, parts: 0 });
  await again.close();
});
