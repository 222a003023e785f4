import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { useStore } from "zustand";
import type { SelectedCell } from "../../workbook/sheet/cells/selected-cell";
import type { PaneApp } from "../pane-app";
import { PaneFooter } from "../ui/PaneFooter";
import { askedOf, createWriteControl } from "./write-control";
import { WriteQuestion } from "./WriteQuestion";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  formula: { fontFamily: tokens.fontFamilyMonospace, overflowWrap: "anywhere" },
});

/** Asks for the cell that a formula goes into, and writes it there. It refuses the cell that the formula was made from. */
export function PlaceFormula({
  app,
  formula,
  from,
  selected,
  onDone,
}: {
  app: PaneApp;
  formula: string;
  /** Address of the cell that the formula was made from. */
  from: string;
  selected: SelectedCell | undefined;
  onDone: () => void;
}) {
  const styles = useStyles();
  const [writing] = useState(() => createWriteControl(app.workbook, app.jobs, onDone));
  const isAsking = useStore(writing, (state) => askedOf(state) !== undefined);
  const target = selected && selected.address !== from ? selected : undefined;
  return (
    <PaneFooter label="Insert as formula">
      <Text className={styles.formula}>{formula}</Text>
      <Text role="status">
        {target ? `Goes into ${target.address}.` : "Select the cell where the formula goes."}
      </Text>
      {/* This row is hidden while the question is shown, which has a Cancel button of its own. */}
      {!isAsking && (
        <div className={styles.row}>
          <Button
            appearance="primary"
            disabledFocusable={!target}
            aria-label={target && `Insert here: ${target.address}`}
            onClick={() => target && writing.write({ target, formula })}
          >
            Insert here
          </Button>
          <Button autoFocus onClick={onDone}>
            Cancel
          </Button>
        </div>
      )}
      <WriteQuestion control={writing} />
    </PaneFooter>
  );
}
