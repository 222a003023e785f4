import type { FormulaWritten, Overwriting } from "../../workbook/sheet/cells/write-formula";
import type { CellPosition, Workbook } from "../../workbook/sheet/workbook";
import type { Jobs, Readable } from "../jobs/jobs";
import { createSlot, type SlotState } from "../jobs/slot";

/** The cell that a formula goes into. */
export interface FormulaTarget extends CellPosition {
  /** With the sheet's name. */
  address: string;
}

interface Order {
  target: FormulaTarget;
  formula: string;
}

/** The writing of a formula. If it is done with "in-the-way", the cell has content, so the user is asked whether it may be overwritten. */
export type WriteState = SlotState<Order, FormulaWritten>;

export interface WriteControl extends Readable<WriteState> {
  /** Writes a formula. If the cell has content that `overwriting` does not allow to lose, the user is asked first. */
  write(order: Order, overwriting?: Overwriting): void;
  /**
   * Writes the formula that the user was asked about, even if another cell is selected by now. Asks again if the cell's content has changed
   * since.
   */
  overwrite(): void;
  dismiss(): void;
}

/** Writes a formula into a cell, and asks first if the cell has content. */
export function createWriteControl(
  workbook: Pick<Workbook, "writeFormula">,
  jobs: Jobs,
  onWritten: (target: FormulaTarget) => void,
): WriteControl {
  const slot = createSlot<Order, FormulaWritten>(jobs);
  async function write(order: Order, overwriting: Overwriting = "nothing") {
    if (slot.isRunning()) return;
    const job = { kind: "cells", title: "A formula is being written." } as const;
    const end = await slot.run(order, job, () =>
      workbook.writeFormula(order.target, order.formula, overwriting),
    );
    if (end.status === "done" && end.result.status === "written") onWritten(order.target);
  }
  return {
    ...slot,
    write: (order, overwriting) => void write(order, overwriting),
    overwrite() {
      const asked = askedOf(slot.getState());
      if (asked) void write(asked.order, { content: asked.content });
    },
  };
}

/** The question whether a cell may be overwritten; undefined while nothing is asked. */
export function askedOf(state: WriteState) {
  if (state.status !== "done" || state.result.status !== "in-the-way") return undefined;
  return { order: state.order, ...state.result };
}
