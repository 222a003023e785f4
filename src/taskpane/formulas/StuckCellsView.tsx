import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Text,
} from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { config } from "../../config";
import { unknownFunction } from "../../workbook/formula-text/unknown-function";
import type { CellArea, FormulaCell } from "../../workbook/sheet/cells/formula-search";
import { JobView } from "../jobs/JobView";
import type { PaneApp } from "../pane-app";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, shownFormula, shownName } from "../ui/labels";
import { useAttention } from "../ui/use-attention";
import { CellList } from "./FormulaReportView";
import { createStuckControl } from "./stuck-control";

const useStyles = makeStyles({ formula: { whiteSpace: "pre-wrap" } });

/** Cells that are stuck at #NAME? or #BUSY!, if there are any, with a button that enters their formulas anew. */
export default function StuckCellsView({
  app,
  isShown,
  isBusy,
}: {
  app: PaneApp;
  isShown: boolean;
  /** True while another action on formulas runs. */
  isBusy: boolean;
}) {
  const [control] = useState(() => createStuckControl(app));
  const stuck = useStore(control.found);
  const repair = useStore(control.repairs);
  useEffect(() => (isShown ? control.look() : undefined), [control, isShown]);
  const outcome = useRef<HTMLDivElement>(null);
  useAttention(outcome, repair.status === "done" || repair.status === "failed" ? repair : undefined);
  if (repair.status === "running") return <JobView job={repair.job} label="Repairing" />;
  if (stuck) {
    const { cells, onProtected, hiding } = stuck;
    const all = [...cells, ...onProtected];
    const areMisnamed = all.every(({ formula }) => whatIsWrong(formula) !== undefined);
    return (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>{plural(all.length, "RegData cell")} stuck at #NAME? or #BUSY!</MessageBarTitle>
          {hiding.length > 0 && (
            <Text block>
              This workbook has the {hiding.length === 1 ? "name" : "names"}{" "}
              {hiding.map(shownName).join(", ")}. While a name is called like a function, Excel may know none
              of RegData’s functions: delete it or give it another name under Formulas &gt; Name Manager, then
              choose Repair all.
            </Text>
          )}
          <Text>
            {areMisnamed
              ? "Correct the function’s name in each formula."
              : "Calculating does not change them. Choose RegData again under Home > Add-ins > My Add-ins; if they stay so, Repair all enters their formulas again."}
          </Text>
          <CellList name="stuck" cells={all} onGoTo={control.goTo}>
            {({ formula }) => <StuckFormula formula={formula} />}
          </CellList>
          <OnProtected cells={onProtected} />
        </MessageBarBody>
        {!areMisnamed && (
          <MessageBarActions>
            <Button disabledFocusable={isBusy || cells.length === 0} onClick={control.repair}>
              Repair all
            </Button>
          </MessageBarActions>
        )}
      </MessageBar>
    );
  }
  if (repair.status === "failed")
    return (
      <div ref={outcome}>
        <FailureMessage failure={repair.failure} onRetry={control.repair} />
      </div>
    );
  if (repair.status !== "done") return null;
  const { repaired, left, replaced, onProtected } = repair.result;
  return (
    <div ref={outcome}>
      <Text role="status">{plural(repaired, "stuck cell")} repaired.</Text>
      <StillStuck cells={left} onGoTo={control.goTo} />
      <Replaced cells={replaced} onGoTo={control.goTo} />
      {onProtected.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <OnProtected cells={onProtected} />
          </MessageBarBody>
        </MessageBar>
      )}
    </div>
  );
}

const whatIsWrong = (formula: string) => unknownFunction(formula, config.namespace);

/** A formula, and what is wrong with it if it calls a function that there is not. */
function StuckFormula({ formula }: { formula: string }) {
  const styles = useStyles();
  return (
    <>
      <code className={styles.formula}>{shownFormula(formula)}</code> {whatIsWrong(formula)}
    </>
  );
}

function OnProtected({ cells }: { cells: readonly FormulaCell[] }) {
  if (cells.length === 0) return null;
  return (
    <Text block>
      {plural(cells.length, "stuck cell")} on protected sheets, which the add-in can&rsquo;t change: unprotect
      the sheet under Review, or close the workbook and run <code>npm run regdata -- repair</code> on its
      file.
    </Text>
  );
}

function Replaced({ cells, onGoTo }: { cells: readonly FormulaCell[]; onGoTo: (area: CellArea) => void }) {
  if (cells.length === 0) return null;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{plural(cells.length, "cell")} with another formula now</MessageBarTitle>
        <Text>Excel has filled a table&rsquo;s column with one formula. These cells had:</Text>
        <CellList name="with another formula" cells={cells} onGoTo={onGoTo}>
          {({ formula }) => <StuckFormula formula={formula} />}
        </CellList>
      </MessageBarBody>
    </MessageBar>
  );
}

function StillStuck({ cells, onGoTo }: { cells: readonly FormulaCell[]; onGoTo: (area: CellArea) => void }) {
  if (cells.length === 0) return null;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{plural(cells.length, "cell")} still stuck</MessageBarTitle>
        <Text>
          Check the names in their formulas. If they are right, close the workbook, open it again, and choose
          RegData under Home &gt; Add-ins &gt; My Add-ins.
        </Text>
        <CellList name="still stuck" cells={cells} onGoTo={onGoTo}>
          {({ formula }) => <StuckFormula formula={formula} />}
        </CellList>
      </MessageBarBody>
    </MessageBar>
  );
}
