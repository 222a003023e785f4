import { describe, expect, it, vi } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import {
  createTemplateControl,
  type TemplateControl,
  type TemplateState,
} from "../../../../src/taskpane/fill/templates/template-control";
import type { Template } from "../../../../src/workbook/templates/template-shape";
import { templates } from "../../../../src/workbook/templates/templates";
import { inTime } from "../../../excel/in-time";
import { openExcel } from "../../../excel/open-excel";
import { outage, pass, playExcel } from "../../../functions/excel";

playExcel();

const [harris, alameda]: Ahj[] = [
  { id: 12680, name: "Harris County", type: "county", state_code: "TX", geoid: "48201" },
  { id: 10243, name: "Alameda County", type: "county", state_code: "CA", geoid: "06001" },
] as const;
const byId = (wanted: string) => templates.find(({ id }) => id === wanted)!;

async function open(options: Parameters<typeof openExcel>[0] = {}) {
  const excel = openExcel(options);
  const { lookup } = await inTime(excel.app.session());
  return { ...excel, lookup, control: createTemplateControl(excel.app, { lookup }) };
}

/** Inserts and waits for the end. */
function inserted(
  control: TemplateControl,
  template: Template,
  ahjs: readonly Ahj[],
): Promise<TemplateState> {
  return inTime(
    new Promise<TemplateState>((resolve) => {
      const stop = control.subscribe(() => {
        const state = control.getState();
        if (state.status === "running") return;
        stop();
        resolve(state);
      });
      control.insert(template, ahjs);
    }),
  );
}

describe("a template in the pane", () => {
  it("comes on a sheet of its own, filled with the first chosen jurisdiction if it takes one", async () => {
    const { control, values, cells, spreadsheet } = await open();
    const state = await inserted(control, byId("permit-cost"), [harris!, alameda!]);
    expect(state).toMatchObject({
      status: "done",
      result: { sheetName: "Permit cost calculator", jurisdictions: 1, leftOut: [] },
    });
    await inTime(spreadsheet.idle());
    expect(cells("Permit cost calculator!B5")[0]![0]!.formula).toBe('=REGDATA.AHJ($B$4,"name")');
    expect(values("Permit cost calculator!B4:B5")).toEqual([["48201"], ["Harris County"]]);
    expect(values("Permit cost calculator!D13")).toEqual([[125]]);
  });

  it("is filled with all chosen jurisdictions if it takes any number", async () => {
    const { control, values, spreadsheet } = await open();
    expect(control.getState()).toEqual({ status: "idle" });
    const state = await inserted(control, byId("scorecard"), [harris!, alameda!]);
    expect(state).toMatchObject({ status: "done", result: { jurisdictions: 2 } });
    await inTime(spreadsheet.idle());
    const written = values("Expansion scorecard!A1:D30").flat();
    expect(written).toContain("Harris County");
    expect(written).toContain("Alameda County");
  });

  it("is filled with the states, the District of Columbia and the territories if it compares them, whatever is chosen", async () => {
    const { control, values } = await open();
    const state = await inserted(control, byId("code-adoption"), [harris!]);
    expect(state).toMatchObject({ status: "done", result: { jurisdictions: 50 + 1 + 5 } });
    const [first, second] = values("Code adoption by state!A6:B7");
    expect(first?.[0]).toBe("01");
    expect(second?.[0]).toBe("02");
  });

  it("is inserted once, even if another one is chosen meanwhile", async () => {
    const { control, spreadsheet } = await open();
    const first = inserted(control, byId("scorecard"), [harris!]);
    expect(control.getState()).toMatchObject({ status: "running", order: byId("scorecard") });
    control.insert(byId("permit-cost"), [harris!]);
    expect(control.getState()).toMatchObject({ status: "running", order: byId("scorecard") });
    expect(await first).toMatchObject({ status: "done", order: { id: "scorecard" } });
    await pass(1_000);
    expect(spreadsheet.sheets()).toHaveLength(2);
  });

  it("gets rows as high as its answers once they have arrived", async () => {
    const { control, values, spreadsheet } = await open();
    const fitted: unknown[] = [];
    vi.spyOn(spreadsheet, "autofitRows").mockImplementation((_, { row, rows }) => {
      fitted.push({ from: row + 1, to: row + rows, fee: values("Permit cost calculator!D13")[0]?.[0] });
    });
    await inserted(control, byId("permit-cost"), [harris!]);
    await pass(5_000);
    // The heading's height does not depend on answers, so only the rows below it wait.
    expect(fitted).toEqual([
      { from: 10, to: 10, fee: "#BUSY!" },
      { from: 11, to: 26, fee: 125 },
    ]);
  });

  it("is not inserted if the service can't be asked, and the failure is shown", async () => {
    const service = outage();
    const { control, spreadsheet } = await open({ intercept: service.intercept });
    service.isDown = true;
    const state = await inserted(control, byId("permit-cost"), [harris!]);
    expect(state).toMatchObject({
      status: "failed",
      order: { id: "permit-cost" },
      failure: { kind: "unreachable" },
    });
    expect(spreadsheet.sheets().map(({ name }) => name)).toEqual(["Sheet1"]);
  });

  it("takes the next free name, and leaves the workbook's own sheets", async () => {
    const { control, enter, values, spreadsheet } = await open();
    enter("A1", [["mine"]]);
    await inserted(control, byId("project-tracker"), [harris!]);
    const state = await inserted(control, byId("project-tracker"), []);
    expect(state).toMatchObject({ result: { sheetName: "Project tracker 2", jurisdictions: 0 } });
    expect(spreadsheet.sheets().map(({ name }) => name)).toEqual([
      "Sheet1",
      "Project tracker",
      "Project tracker 2",
    ]);
    expect(values("Sheet1!A1")).toEqual([["mine"]]);
  });

  it("leaves out a question whose name has another unit with this service, and says so", async () => {
    const { app, values, lookup } = await open();
    const types = await inTime(lookup.catalogue.types());
    const changed = types.map((type) =>
      type.name === "Plan Review Fee" ? { ...type, unit_of_measure: "percent" } : type,
    );
    const control = createTemplateControl(app, {
      lookup: { ...lookup, catalogue: { ...lookup.catalogue, types: () => Promise.resolve(changed) } },
    });
    const state = await inserted(control, byId("permit-cost"), [harris!]);
    expect(state).toMatchObject({ status: "done", result: { leftOut: ["Plan Review Fee"] } });
    const written = values("Permit cost calculator!A1:A30").flat();
    expect(written).not.toContain("Plan Review Fee");
    expect(written).toContain("Plan Review Fee as Share of Permit Fee");
  });

  it("is taken back if Excel refuses a write, and the failure is shown", async () => {
    const { control, spreadsheet } = await open();
    // Excel refuses the first write of the template's cells.
    const { writeNumberFormats } = spreadsheet;
    spreadsheet.writeNumberFormats = () => {
      spreadsheet.writeNumberFormats = writeNumberFormats;
      throw new Error("refused");
    };
    const state = await inserted(control, byId("scorecard"), [harris!, alameda!]);
    expect(state.status).toBe("failed");
    expect(spreadsheet.sheets().map(({ name }) => name)).toEqual(["Sheet1"]);
  });
});
