import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownFormula } from "../../ui/labels";
import { PaneFooter } from "../../ui/PaneFooter";
import { WriteQuestion } from "../WriteQuestion";
import { argumentKind } from "./argument-kinds";
import type { BuilderControl, BuilderState } from "./builder-control";
import type { FormulaPreview } from "./formula-preview";
import { useFocusBack } from "./use-focus-back";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", alignItems: "center", gap: tokens.spacingHorizontalS },
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  formula: {
    fontFamily: tokens.fontFamilyMonospace,
    overflowWrap: "anywhere",
    whiteSpace: "pre-wrap",
    // A long formula shows some lines and scrolls.
    maxHeight: "5rem",
    overflowY: "auto",
    flexShrink: 0,
  },
  result: { whiteSpace: "pre-wrap", maxHeight: "4rem", overflowY: "auto", flexShrink: 0 },
});

/** Stays below the arguments. It shows the formula, its first answer and its cell, and the button that inserts it. */
export function FormulaFooter({
  control,
  state,
  onClose,
}: {
  control: BuilderControl;
  state: BuilderState;
  onClose: () => void;
}) {
  const styles = useStyles();
  const isAsking = useStore(control.asks, ({ status }) => status === "running");
  const { formula, pointing, notYet, preview, obstacle, failure, target } = state;
  const changeTarget = useFocusBack(pointing?.at === null);
  return (
    <PaneFooter label="The formula">
      <Text className={styles.formula} aria-label="Formula to insert" role="group">
        {shownFormula(formula)}
      </Text>
      {pointing ? (
        <Selecting control={control} pointing={pointing} />
      ) : (
        <>
          <div className={styles.row}>
            <Text>Goes into {target.address}</Text>
            <Button
              ref={changeTarget}
              size="small"
              aria-label="Change the cell"
              onClick={() => control.point(null)}
            >
              Change
            </Button>
          </div>
          {notYet !== null && <Text>{notYet}</Text>}
          {notYet === null && !failure && (
            <Preview preview={preview} isAsking={isAsking} onAsk={() => void control.ask()} />
          )}
          {failure && <FailureMessage failure={failure} />}
          {obstacle !== null && (
            <MessageBar intent="warning" layout="multiline">
              <MessageBarBody>
                {obstacle} The result needs room there, or the cell shows #SPILL!: clear the cells, or change
                where it goes.
              </MessageBarBody>
            </MessageBar>
          )}
          <WriteQuestion control={control.writing} />
          <div className={styles.row}>
            <Button appearance="primary" disabledFocusable={notYet !== null} onClick={control.insert}>
              {control.isReplacing() ? "Replace the formula" : "Insert"}
            </Button>
            <Button onClick={onClose}>Close</Button>
          </div>
        </>
      )}
    </PaneFooter>
  );
}

/** Shows the selection in the sheet as it changes, and a button that takes it. */
function Selecting({
  control,
  pointing: { at, address, refusal },
}: {
  control: BuilderControl;
  pointing: NonNullable<BuilderState["pointing"]>;
}) {
  const styles = useStyles();
  const take = useRef<HTMLButtonElement>(null);
  useEffect(() => take.current?.focus(), [at]);
  return (
    <div className={styles.column} onKeyDown={({ key }) => key === "Escape" && control.stopPointing()}>
      <Text block>
        {at === null
          ? "Select the cell where the formula goes."
          : `Select the cells for ${argumentKind(at).label} in the sheet.`}
      </Text>
      <Text block weight="semibold" role="status" aria-label="Selected">
        {address ?? "…"}
      </Text>
      {refusal !== null && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{refusal}</MessageBarBody>
        </MessageBar>
      )}
      <div className={styles.row}>
        <Button
          ref={take}
          appearance="primary"
          disabledFocusable={address === undefined || refusal !== null}
          onClick={control.take}
        >
          {at === null ? "Use this cell" : "Use these cells"}
        </Button>
        <Button onClick={control.stopPointing}>Cancel</Button>
      </div>
    </div>
  );
}

function Preview({
  preview,
  isAsking,
  onAsk,
}: {
  preview: FormulaPreview | undefined;
  isAsking: boolean;
  onAsk: () => void;
}) {
  const styles = useStyles();
  if (!preview) return <Text role="status">Looking…</Text>;
  switch (preview.status) {
    case "unknown":
      return <Text role="status">Its result shows once it is inserted.</Text>;
    case "blank":
      return <Text role="status">It gives blank cells: nothing is asked.</Text>;
    case "refused":
      return <FailureMessage failure={preview.failure} />;
    default: {
      const { jurisdictions, types } = preview.count;
      return (
        <>
          {jurisdictions * types > 1 && (
            <Text>
              {plural(jurisdictions, "jurisdiction")} × {plural(types, "question")}; the first answer:
            </Text>
          )}
          {preview.status === "failed" && <FailureMessage failure={preview.failure} />}
          {preview.status === "answered" && (
            <Text role="status" className={styles.result} aria-label="Result">
              {preview.text}
            </Text>
          )}
          {preview.status === "not-asked" && (
            <div className={styles.row}>
              <Text role="status">Its answer was not asked for yet.</Text>
              <Button size="small" disabledFocusable={isAsking} onClick={onAsk}>
                Ask the service
              </Button>
            </div>
          )}
        </>
      );
    }
  }
}
