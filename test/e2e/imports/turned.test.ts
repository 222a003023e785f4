import { afterEach, describe, expect, it } from "vitest";
import { openStep, openTab } from "../pane-steps";
import { toggleType } from "./import-steps";
import { openWorkbench, type Workbench } from "../open-workbench";

let workbench: Workbench;
afterEach(() => workbench.close());

const places = [
  ["Project", "City", "State"],
  ["Roof", "Clark County", "NV"],
  ["Field", "Lane County", "Oregon"],
  ["Barn", "Baldwin County", "AL"],
];

describe("names in two columns", () => {
  it("turn into jurisdictions by the cells' menu, and get answers question by question", async () => {
    workbench = await openWorkbench();
    const { pane, page } = workbench;
    await workbench.setFormulas("A1:C4", places);
    await openTab(workbench, "Get data");
    await openStep(workbench, "Which places");
    await pane.getByRole("radio", { name: "in my list" }).check();
    const turn = pane.getByRole("button", { name: "Turn into jurisdictions" });
    const why = "Select your list in the sheet, then choose Use selected cells above.";
    await pane.getByText(why).waitFor();
    const id = await turn.getAttribute("aria-describedby");
    expect(await pane.locator(`[id="${id}"]`).textContent()).toBe(why);
    // The states beside the cities are read with them.
    await workbench.select("B1:B4");
    await page.evaluate(() => window.workbench.press("RegData.TurnIntoJurisdictions"));
    await pane.getByText("All 3 rows of Sheet1!B1:C4 matched").waitFor();
    await pane.getByText("“State”, the column beside it, was read with it.").waitFor();
    await turn.click();
    const search = pane.getByRole("region", { name: "Add a question" }).getByRole("combobox");
    await search.waitFor();
    expect(await workbench.values("A1:E4")).toEqual([
      ["Project", "City", "State", "geoID", "AHJ ID"],
      ["Roof", "Clark County", "NV", "32003", expect.any(Number)],
      ["Field", "Lane County", "Oregon", "41039", expect.any(Number)],
      ["Barn", "Baldwin County", "AL", "01003", expect.any(Number)],
    ]);
    await search.click();
    await search.fill("minimum permit fee");
    await pane.getByRole("option", { name: /^Minimum Permit Fee/ }).waitFor();
    await search.press("Enter");
    await pane.getByText("Added to “3 jurisdictions”: Minimum Permit Fee.").waitFor();
    expect((await workbench.values("E1:E1"))[0]).toEqual(["Minimum Permit Fee ($)"]);

    await openTab(workbench, "Source");
    const [[fee]] = (await workbench.values("E2")) as [[number]];
    for (const [content, words] of [
      [999, /^The cell shows “\$999”, which is not this answer: somebody has typed that/],
      ["", /^The cell is blank, which is not this answer: somebody has cleared it/],
    ] as const) {
      await workbench.setFormulas("E2", [[content]]);
      await workbench.select("D3");
      await workbench.select("E2");
      await pane.getByRole("tabpanel").getByText(words).waitFor();
    }
    await workbench.setFormulas("E2", [[fee]]);
    await workbench.select("D3");
    await workbench.select("E2");
    await pane.getByText(/which is not this answer/).waitFor({ state: "detached" });
    await pane.getByRole("tabpanel").getByText("Minimum Permit Fee").first().waitFor();
    await workbench.select("D3");
    const more = pane
      .getByRole("tabpanel")
      .getByRole("region", { name: "Add a question" })
      .getByRole("combobox");
    await more.click();
    await more.fill("nec");
    await pane.getByRole("option", { name: /^Electrical Code in Force/ }).waitFor();
    await more.press("Enter");
    await pane.getByText("Added to “3 jurisdictions”: Electrical Code in Force.").waitFor();
    expect((await workbench.values("F1:F4")).flat()).toEqual([
      "Electrical Code in Force",
      expect.stringMatching(/NEC|NFPA 70/),
      expect.stringMatching(/NEC|NFPA 70/),
      expect.stringMatching(/NEC|NFPA 70/),
    ]);

    await openTab(workbench, "Get data");
    await workbench.select("B2:C4");
    // Who goes on with another import no longer sees the offer to extend this one.
    const offer = pane
      .getByRole("tabpanel", { name: "Get data" })
      .getByText("Its answers become a column of “3 jurisdictions”.");
    await offer.waitFor();
    await openStep(workbench, "Which places");
    await offer.waitFor({ state: "hidden" });
    await pane.getByRole("button", { name: "Use selected cells" }).click();
    await pane.getByText("All 3 rows of Sheet1!B2:C4 matched").waitFor();
    await toggleType(workbench, 1003);
    await toggleType(workbench, 1001);
    await pane.getByRole("button", { name: /^Add this question to/ }).waitFor();
    await pane.getByRole("button", { name: /^Add this question to/ }).click();
    await pane.getByText("Added to “3 jurisdictions”: Building Code in Force.").waitFor();
    expect((await workbench.values("G1:G1"))[0]).toEqual(["Building Code in Force"]);

    // The column of geoIDs stands for the same rows.
    await workbench.select("D2:D4");
    await openStep(workbench, "Which places");
    await pane.getByRole("button", { name: "Use selected cells" }).click();
    await pane.getByText("All 3 rows of Sheet1!D2:D4 matched").waitFor();
    await toggleType(workbench, 1002);
    await pane.getByRole("button", { name: /^Add this question to/ }).waitFor();
    expect(await workbench.problems()).toEqual([]);
  });
});
