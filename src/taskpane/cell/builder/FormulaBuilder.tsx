import {
  Button,
  Dropdown,
  Field,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Option,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import { config } from "../../../config";
import type { PaneApp } from "../../pane-app";
import { shownFormula } from "../../ui/labels";
import { usePaneLayout } from "../../ui/pane-layout";
import type { FormulaTarget } from "../write-control";
import { ArgumentField } from "./ArgumentField";
import { type BuilderControl, type BuilderStart, createBuilderControl } from "./builder-control";
import { whyNoDraft } from "./formula-draft";
import { FormulaFooter } from "./FormulaFooter";
import { knownFunctions } from "./known-functions";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  formula: { fontFamily: tokens.fontFamilyMonospace, whiteSpace: "pre-wrap" },
  option: { display: "flex", flexDirection: "column" },
  description: { color: tokens.colorNeutralForeground3 },
});

/** Lets the user write a formula and shows its first answer. On a cell with a formula it starts with that formula's arguments. */
export default function FormulaBuilder({
  app,
  session,
  start,
  onClose,
}: {
  app: PaneApp;
  session: Session;
  start: BuilderStart;
  /** `written` is the cell that the formula was written into; left out if it was not written. */
  onClose: (written?: FormulaTarget) => void;
}) {
  const styles = useStyles();
  const layout = usePaneLayout();
  const [control] = useState(() =>
    createBuilderControl(
      { workbook: app.workbook, jobs: app.jobs, lookup: session.lookup, functions: knownFunctions },
      start,
      onClose,
    ),
  );
  if (control) {
    const title = start.formula === "" ? "Write a formula" : "Change the formula";
    return <OpenFormula session={session} control={control} title={title} onClose={() => onClose()} />;
  }
  return (
    <section className={layout.aboveFooter} aria-label="Formula">
      <div className={styles.column}>
        <Subtitle2>Change the formula</Subtitle2>
        <Text className={styles.formula}>{shownFormula(start.formula)}</Text>
        <MessageBar layout="multiline">
          <MessageBarBody>
            {whyNoDraft(start.formula, config.namespace)} Change it in Excel’s formula bar.
          </MessageBarBody>
        </MessageBar>
        <div>
          <Button size="small" autoFocus onClick={() => onClose()}>
            Close
          </Button>
        </div>
      </div>
    </section>
  );
}

function OpenFormula({
  session,
  control,
  title,
  onClose,
}: {
  session: Session;
  control: BuilderControl;
  title: string;
  onClose: () => void;
}) {
  const styles = useStyles();
  const layout = usePaneLayout();
  const state = useStore(control);
  const { known } = state;
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    first.current?.focus();
    control.start();
    return control.end;
  }, [control]);
  return (
    <>
      <section className={layout.aboveFooter} aria-label="Formula">
        <div className={styles.column}>
          <Subtitle2>{title}</Subtitle2>
          <Field label="Function" hint={known.description}>
            <Dropdown
              ref={first}
              value={known.name}
              selectedOptions={[known.name]}
              onOptionSelect={(_, { optionValue }) => optionValue && control.chooseFunction(optionValue)}
            >
              {knownFunctions.map(({ name, description }) => (
                <Option key={name} value={name} text={name}>
                  <span className={styles.option}>
                    {name}
                    <Text size={200} className={styles.description}>
                      {firstSentence(description)}
                    </Text>
                  </span>
                </Option>
              ))}
            </Dropdown>
          </Field>
          {known.parameters.map((parameter) => (
            <ArgumentField
              key={parameter.name}
              session={session}
              control={control}
              state={state}
              parameter={parameter}
            />
          ))}
        </div>
      </section>
      <FormulaFooter control={control} state={state} onClose={onClose} />
    </>
  );
}

function firstSentence(text: string): string {
  return text.split(". ")[0]?.replace(/\.?$/, ".") ?? "";
}
