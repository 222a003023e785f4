import { useState } from "react";
import { asFailure, type Failure } from "../../errors";
import type { Overwriting } from "../../workbook/sheet/cells/formula-writing";
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

interface InTheWay {
  order: Order;
  /** What stands there. */
  detail: string | undefined;
}

export interface WriteFormula {
  /** What would be overwritten; what was asked about is what is done, whatever is chosen meanwhile. */
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
        () => onWritten(order.target),
        (thrown: unknown) => {
          const refused = asFailure(thrown);
          if (refused.kind === "cells-in-the-way") setInTheWay({ order, detail: refused.detail });
          else setFailure(refused);
        },
      );
    },
    dismiss: () => setInTheWay(undefined),
  };
}
