import { createListeners } from "../../async/listeners";
import { asFailure, type Failure } from "../../errors";
import type { FormulaWritten, Overwriting } from "../../workbook/sheet/cells/formula-writing";
import type { CellPosition, Workbook } from "../../workbook/sheet/workbook";

/** The cell that a formula goes into. */
export interface FormulaTarget extends CellPosition {
  /** With the sheet's name. */
  address: string;
}

interface Order {
  target: FormulaTarget;
  formula: string;
}

export type WriteState =
  | { status: "idle" }
  | { status: "writing" }
  /** The cell has content, so the user is asked whether it may be overwritten. */
  | ({ order: Order } & Extract<FormulaWritten, { status: "in-the-way" }>)
  | { status: "failed"; failure: Failure };

export interface WriteControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): WriteState;
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
  onWritten: (target: FormulaTarget) => void,
): WriteControl {
  const listeners = createListeners();
  let state: WriteState = { status: "idle" };
  function show(next: WriteState) {
    state = next;
    listeners.tell();
  }
  function write(order: Order, overwriting: Overwriting = "nothing") {
    if (state.status === "writing") return;
    show({ status: "writing" });
    workbook.writeFormula(order.target, order.formula, overwriting).then(
      (written) => {
        show(written.status === "written" ? { status: "idle" } : { order, ...written });
        if (written.status === "written") onWritten(order.target);
      },
      (thrown: unknown) => show({ status: "failed", failure: asFailure(thrown) }),
    );
  }
  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    write,
    overwrite() {
      if (state.status === "in-the-way") write(state.order, { content: state.content });
    },
    dismiss: () => show({ status: "idle" }),
  };
}
