import type { Unfrozen } from "../../../workbook/cell-formulas/freeze";
import { FormulaReportView } from "../../formulas/FormulaReportView";
import type { PaneApp } from "../../pane-app";
import type { InspectedCell } from "../use-cell";

/** Reports how bringing back the formula of a frozen cell went. */
export default function UnfrozenReport({
  app,
  unfrozen,
  address,
  inspected: { unfreeze, fail },
}: {
  app: PaneApp;
  unfrozen: Unfrozen;
  address: string;
  inspected: InspectedCell;
}) {
  return (
    <FormulaReportView
      report={{ action: "unfreeze", scope: "sheet", ...unfrozen }}
      place={address}
      onGoTo={(area) => void app.workbook.goToCells(area).catch(fail)}
      onSeen={unfreeze}
    />
  );
}
