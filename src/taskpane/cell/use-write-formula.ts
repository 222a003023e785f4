import { useState } from "react";
import { asFailure, type Failure } from "../../errors";
import type { FormulaWritten, Overwriting } from "../../workbook/sheet/cells/formula-writing";
import type { CellPosition } from "../../workbook/sheet/workbook";
import type { PaneApp } from "../pane-app";

/** Where a formula goes. */
export interface Target extends CellPosition {
  /** With its sheet's name. */
  address: string;
}

interface Order {
  target: Target;
  formula: string;
}

interface InTheWay extends Extract<FormulaWritten, { status: "in-the-way" }> {
  order: Order;
}

export interface WriteFormula {
  /**
   * The cell's content, which the user may give up. Overwriting writes the formula that was asked about, whatever is chosen
   * meanwhile, and asks again if somebody has changed the cell since.
   */
  inTheWay: InTheWay | undefined;
  failure: Failure | undefined;
  write(order: Order, overwriting?: Overwriting): void;
  dismiss(): void;
}

/** Writes a formula into a cell, and asks where something stands there. */
export function useWriteFormula({ workbook }: PaneApp, onWritten: (target: Target) => void): WriteFormula {
  const [inTheWay, setInTheWay] = useState<InTheWay>();
  const [failure, setFailure] = useState<Failure>();
  return {
    inTheWay,
    failure,
    write(order, overwriting = "nothing") {
      setInTheWay(undefined);
      setFailure(undefined);
      workbook.writeFormula(order.target, order.formula, overwriting).then(
        (written) => {
          if (written.status === "written") onWritten(order.target);
          else setInTheWay({ order, ...written });
        },
        (thrown: unknown) => setFailure(asFailure(thrown)),
      );
    },
    dismiss: () => setInTheWay(undefined),
  };
}
