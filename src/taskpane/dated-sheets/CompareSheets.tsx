import { Button, Field, makeStyles, Select, Text, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { KeylessSession, Session } from "../../app";
import { differenceKinds, isSameAll } from "../../workbook/dated-sheets/compare-dated";
import type { DatedSheet } from "../../workbook/dated-sheets/dated-sheets";
import { differenceLine, differenceWords } from "../../workbook/dated-sheets/differences-sheet";
import { JobView } from "../jobs/JobView";
import { WorkOutcome } from "../jobs/WorkOutcome";
import type { PaneApp } from "../pane-app";
import { Details } from "../ui/Details";
import { FailureMessage } from "../ui/FailureMessage";
import { shownName } from "../ui/labels";
import { LineList } from "../ui/lists/LineList";
import { PassingButton } from "../ui/PassingButton";
import { useAttention } from "../ui/use-attention";
import { type Compared, createCompareControl, type Side } from "./compare-control";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  // A sheet's address may have no blank where it could wrap.
  text: { overflowWrap: "anywhere" },
});

/** The value of the option for the workbook as it is. Ids of tables are longer. */
const now = "now";

/** Compares two dated sheets, or one with the workbook as it is. */
export function CompareSheets({
  app,
  session,
  isBusy,
  changes,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  /** True while imports are changed: what they show would be a mixture. */
  isBusy: boolean;
  /** Another object whenever tables may have come or gone. */
  changes: unknown;
}) {
  const styles = useStyles();
  const [control] = useState(() => createCompareControl(app, session));
  useEffect(() => control.look(), [control, changes]);
  useEffect(() => control.cancel, [control]);
  const { sheets, compare, work } = useStore(control);
  const [chosen, setChosen] = useState<{ before?: string; now?: string }>({});
  const outcome = useRef<HTMLDivElement>(null);
  useAttention(outcome, compare.status === "done" || compare.status === "failed" ? compare : undefined);
  if (!sheets)
    return compare.status === "failed" ? (
      <FailureMessage failure={compare.failure} onRetry={control.look} />
    ) : null;
  const sideOf = (id: string | undefined): Side | undefined =>
    id === now ? now : sheets.find(({ tableId }) => tableId === id);
  const [before, later] = [sideOf(chosen.before) ?? sheets[0], sideOf(chosen.now) ?? now];
  const isComparing = compare.status === "running";
  const isPossible = before !== undefined && before !== later && !isBusy && !isComparing;
  if (!before) return <Text>No dated sheets yet to compare with.</Text>;
  return (
    <div className={styles.column}>
      <SideSelect
        {...{ sheets }}
        label="Compare"
        side={before}
        onChange={(id) => setChosen({ ...chosen, before: id })}
      />
      <SideSelect
        {...{ sheets }}
        label="With"
        side={later}
        onChange={(id) => setChosen({ ...chosen, now: id })}
      />
      <div className={styles.row}>
        <Button
          size="small"
          disabledFocusable={!isPossible}
          onClick={() => control.compare({ before, now: later })}
        >
          Compare
        </Button>
        {compare.status === "done" && !isSameAll(compare.result.comparison) && (
          <Button size="small" disabledFocusable={work.status === "running"} onClick={control.writeSheet}>
            As a sheet
          </Button>
        )}
        <PassingButton size="small" isPossible={isComparing} onClick={control.cancel}>
          Cancel
        </PassingButton>
      </div>
      {isComparing && <JobView job={compare.job} label="Comparing" />}
      <WorkOutcome work={work} label="Writing the sheet" />
      <div ref={outcome} className={styles.column}>
        {compare.status === "failed" && <FailureMessage failure={compare.failure} />}
        {compare.status === "done" && (
          <>
            <Text role="status" className={styles.text}>
              {compare.result.summary}
            </Text>
            <Differences {...compare.result} />
          </>
        )}
      </div>
    </div>
  );
}

function SideSelect({
  label,
  sheets,
  side,
  onChange,
}: {
  label: string;
  sheets: readonly DatedSheet[];
  side: Side;
  onChange: (id: string) => void;
}) {
  return (
    <Field label={label}>
      <Select value={side === now ? now : side.tableId} onChange={(_, { value }) => onChange(value)}>
        <option value={now}>The workbook now</option>
        {sheets.map(({ tableId, name }) => (
          <option key={tableId} value={tableId}>
            {shownName(name)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function Differences({ comparison, rules }: Pick<Compared, "comparison" | "rules">) {
  const styles = useStyles();
  return (
    <div className={styles.text}>
      {differenceKinds
        .filter((kind) => comparison[kind].length > 0)
        .map((kind) => {
          const { title } = differenceWords[kind];
          return (
            <Details key={kind} title={`${title}: ${comparison[kind].length.toLocaleString()}`} isOpen>
              <LineList label={title} items={rules[kind]} line={(rule) => differenceLine(rule, shownName)} />
            </Details>
          );
        })}
    </div>
  );
}
