import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  Spinner,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useRef, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import type { Template } from "../../../workbook/templates/template-shape";
import { mostJurisdictions, templates } from "../../../workbook/templates/templates";
import type { PaneApp } from "../../pane-app";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownName } from "../../ui/labels";
import { useAttention } from "../../ui/use-attention";
import { createTemplateControl, type TemplateState } from "./template-control";

const useStyles = makeStyles({
  list: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalM,
    margin: 0,
    padding: 0,
    listStyleType: "none",
  },
  item: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXXS },
  name: { margin: 0 },
  insert: { alignSelf: "flex-start", marginTop: tokens.spacingVerticalXXS },
});

/** Ready-made sheets of formulas. A button beside each puts it on a new sheet. */
export default function TemplateList({
  app,
  session,
  ahjs,
}: {
  app: PaneApp;
  session: Session;
  /** The jurisdictions chosen in the form. They fill the sheets. */
  ahjs: readonly Ahj[];
}) {
  const styles = useStyles();
  const [control] = useState(() => createTemplateControl(app, session));
  const state = useStore(control);
  const outcome = useRef<HTMLDivElement>(null);
  useAttention(outcome, state.status === "done" || state.status === "failed" ? state : undefined);
  const isInserting = state.status === "running";
  return (
    <>
      <Text>Each comes on a new sheet, as formulas that stay up to date. {fillingWords(ahjs)}</Text>
      <ul className={styles.list}>
        {templates.map((template) => {
          const hasTooMany = template.jurisdictions === "many" && ahjs.length > mostJurisdictions;
          return (
            <li key={template.id} className={styles.item}>
              <Text as="h3" weight="semibold" className={styles.name}>
                {template.name}
              </Text>
              <Text>{template.summary}</Text>
              {hasTooMany && (
                <Text>
                  It takes up to {mostJurisdictions.toLocaleString()} jurisdictions. For more, import a table
                  with the steps above.
                </Text>
              )}
              <Button
                size="small"
                className={styles.insert}
                aria-label={`Insert: ${template.name}`}
                disabledFocusable={isInserting || hasTooMany}
                icon={isInserting && state.order === template ? <Spinner size="extra-tiny" /> : undefined}
                onClick={() => control.insert(template, ahjs)}
              >
                Insert
              </Button>
              {"order" in state && state.order === template && (
                <div ref={outcome}>
                  <Outcome state={state} onRetry={() => control.insert(template, ahjs)} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Outcome({ state, onRetry }: { state: TemplateState; onRetry: () => void }) {
  if (state.status === "failed") return <FailureMessage failure={state.failure} onRetry={onRetry} />;
  if (state.status !== "done") return null;
  const {
    order: template,
    result: { sheetName, jurisdictions, leftOut },
  } = state;
  return (
    <MessageBar intent={leftOut.length > 0 ? "warning" : "success"} layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>Inserted on the sheet “{sheetName}”.</MessageBarTitle>
        {doneWords(template, jurisdictions)}
        {leftOut.length > 0 &&
          ` The service does not have ${plural(leftOut.length, "question")} of it, which ${leftOut.length === 1 ? "is" : "are"} left out: ${leftOut.join(", ")}.`}
      </MessageBarBody>
    </MessageBar>
  );
}

function fillingWords([first, ...others]: readonly Ahj[]): string {
  if (!first)
    return "The cells for places stay blank until you fill them in, or choose jurisdictions under Which places first.";
  const name = `${shownName(first.name)}, ${first.state_code}`;
  if (others.length === 0) return `They are filled with ${name}.`;
  return `They are filled with the ${plural(others.length + 1, "jurisdiction")} chosen under Which places; a sheet of one place with the first, ${name}.`;
}

function doneWords(template: Template, jurisdictions: number): string {
  if (template.jurisdictions === "states")
    return `It lists ${plural(jurisdictions, "state")} and territories that your key sees.`;
  return jurisdictions === 0
    ? "Enter names or geoIDs in its shaded cells."
    : `Filled with ${plural(jurisdictions, "jurisdiction")}.`;
}
