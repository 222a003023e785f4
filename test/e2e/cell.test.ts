import AxeBuilder from "@axe-core/playwright";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "./open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

describe("the selected cell", () => {
  it("tells whose answer it shows and where that is written, without asking anything", async () => {
    const client = sampleClient();
    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data } = await client.matrix({ ahj_ids: [ahj.id], data_point_type_ids: [1056] });
    const [type] = data.data_point_types;
    const cell = data.rows[0]?.values[1056];
    workbench = await openWorkbench();
    await workbench.setFormulas("A1:C1", [["'06001", 1056, "=REGDATA.VALUE($A$1, B1)"]]);
    await workbench.setFormulas("A3:A4", [
      ['=IFERROR(REGDATA.VALUE("99999", 1056), "none")'],
      ['=REGDATA.MATRIX({"06037";"06001"}, {1003,1056})'],
    ]);
    await workbench.setFormulas("F1", [["mine"]]);
    await workbench.values("A1:D6");
    workbench.requests.length = 0;
    await workbench.pane.getByRole("tab", { name: "Cell" }).click();
    const screen = workbench.pane.getByRole("tabpanel");
    const line = (name: string) => screen.locator(`dt:text-is("${name}") + dd`);

    // The formula itself, and a cell that a matrix spills into.
    for (const address of ["C1", "D6"]) {
      await workbench.select("F1");
      await screen.getByText(/Select a cell with a REGDATA formula/).waitFor();
      await workbench.select(address);
      await screen
        .getByText(type?.name ?? "")
        .first()
        .waitFor();
      expect(await line("Jurisdiction").textContent()).toContain(`${ahj.name}, CA`);
      expect(await line("Question").textContent()).toBe(`${type?.name} (1056)`);
      expect(await line("About the question").textContent()).toBe(type?.description);
      expect(await line("As published").textContent()).toBe(cell?.value);
      expect(await line("Reference").textContent()).toBe(cell?.reference);
      expect(await line("Section").textContent()).toBe(cell?.section);
    }
    await workbench.select("A3");
    await screen.getByText(/no jurisdiction with this geoID/).waitFor();
    expect(workbench.requests).toEqual([]);

    await workbench.select("C1");
    await screen.getByRole("button", { name: "Ask when it was updated" }).click();
    await screen.getByText("Updated", { exact: true }).waitFor();
    expect(await line("Updated").textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(workbench.requests.filter((request) => request.includes("/v1/data-points?"))).toHaveLength(1);
    const { violations } = await new AxeBuilder({ page: workbench.page })
      .include(["iframe", "#pane"])
      .exclude(["iframe", "[data-tabster-dummy]"])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await workbench.problems()).toEqual([]);
  });
});
