import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import { untilCalculated } from "../../../workbook/cell-formulas/settle";
import { nameInFormulas } from "../../../workbook/formula-text/jurisdiction-name";
import { fitAnswerRows, placeTemplate } from "../../../workbook/templates/place-template";
import type { PlannedSheet } from "../../../workbook/templates/sheet-draft";
import type { Template } from "../../../workbook/templates/template-shape";
import { statesSeen } from "../../../workbook/templates/template-jurisdictions";
import { fillTemplate } from "../../../workbook/templates/templates";
import type { PaneApp } from "../../pane-app";
import type { Readable } from "../../jobs/jobs";
import { createSlot, type SlotState } from "../../jobs/slot";

export interface InsertedTemplate {
  sheetName: string;
  /** The number of jurisdictions on the sheet. */
  jurisdictions: number;
  /** The names of questions that the service does not have. */
  leftOut: string[];
}

export type TemplateState = SlotState<Template, InsertedTemplate>;

export interface TemplateControl extends Readable<TemplateState> {
  /**
   * Puts the template on a new sheet, filled with as many of these jurisdictions as it takes. Does nothing while another one is being
   * inserted.
   */
  insert(template: Template, ahjs: readonly Ahj[]): void;
}

/** Inserts templates into the workbook. */
export function createTemplateControl(app: PaneApp, { lookup }: Pick<Session, "lookup">): TemplateControl {
  const { workbook } = app;
  const slot = createSlot<Template, InsertedTemplate>(app.jobs);

  async function insert(template: Template, ahjs: readonly Ahj[]): Promise<InsertedTemplate> {
    const types = await lookup.catalogue.types();
    const own = await jurisdictionsOf(template, ahjs);
    const nameOf = nameInFormulas(own, lookup.directory);
    const { plan, leftOut } = fillTemplate(template, own, { types, nameOf });
    const askedBefore = await app.idle();
    const { id, name: sheetName } = await placeTemplate(workbook, plan);
    void fitLater(id, plan, askedBefore);
    return { sheetName, jurisdictions: own.length, leftOut };
  }

  async function jurisdictionsOf(template: Template, ahjs: readonly Ahj[]): Promise<readonly Ahj[]> {
    if (template.jurisdictions === "states") return statesSeen(lookup);
    return template.jurisdictions === "one" ? ahjs.slice(0, 1) : ahjs;
  }

  /** Makes rows as high as their answers. If that fails, they stay as they are. */
  async function fitLater(sheetId: string, plan: PlannedSheet, askedBefore: number) {
    const { signal } = new AbortController();
    try {
      // No cells are named, because it is enough that all calls are answered.
      await untilCalculated([], askedBefore, { workbook, calls: app, signal });
      await fitAnswerRows(workbook, sheetId, plan);
    } catch {
      // The sheet may have been deleted by now.
    }
  }

  return {
    ...slot,
    insert: (template, ahjs) =>
      void slot.run(template, { kind: "cells", title: "A template is being inserted.", tab: "data" }, () =>
        insert(template, ahjs),
      ),
  };
}
