import {
  Link,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
} from "@fluentui/react-components";
import type { ReactNode } from "react";
import { Failure } from "../../errors";
import type { CellArea } from "../../workbook/sheet/cells/formula-search";
import { type FoundText, notSearched } from "../../workbook/sheet/cells/text-search";
import { addressOf, FormulaReportView } from "../formulas/FormulaReportView";
import { FailureMessage } from "../ui/FailureMessage";
import { LineList } from "../ui/lists/LineList";
import { plural } from "../ui/labels";
import type { KeyCheck, ShareReport, WrittenSources } from "./use-share";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
});

type GoTo = (area: CellArea) => void;

/** What was done to hand the workbook on, and what was found in it. */
export function ShareReportView({
  report: { frozen, sources, keys },
  onGoTo,
}: {
  report: ShareReport;
  onGoTo: GoTo;
}) {
  const styles = useStyles();
  return (
    <div className={styles.column}>
      <OrFailure step={keys} what="Looking for keys was not completed">
        {(check) => <Keys check={check} onGoTo={onGoTo} />}
      </OrFailure>
      <OrFailure step={frozen} what="Freezing was not completed">
        {(done) => (
          <FormulaReportView
            report={{ action: "freeze", scope: "workbook", ...done }}
            place="the workbook"
            onGoTo={onGoTo}
            onSeen={() => undefined}
          />
        )}
      </OrFailure>
      <OrFailure step={sources} what="The Sources sheet was not completed">
        {(written) => <Sources written={written} />}
      </OrFailure>
    </div>
  );
}

function OrFailure<Result extends object>({
  step,
  what,
  children,
}: {
  step: Result | Failure | null;
  /** What has not come of it, without a full stop. */
  what: string;
  children: (result: Result) => ReactNode;
}) {
  if (step === null) return null;
  if (!(step instanceof Failure)) return children(step);
  return (
    <>
      <Text>{what}:</Text>
      <FailureMessage failure={step} />
    </>
  );
}

function Keys({ check, onGoTo }: { check: KeyCheck; onGoTo: GoTo }) {
  const styles = useStyles();
  const { found, cells, names, tooShort, unsearched } = check;
  return (
    <>
      {found.length > 0 && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>Your key is in the workbook: don't share it yet</MessageBarTitle>
            <ul className={styles.list} role="list" aria-label="Where your key is">
              {found.map((place, index) => (
                <li key={index}>
                  <FoundPlace place={place} onGoTo={onGoTo} /> holds the key of {names[place.text]}: delete
                  it.
                </li>
              ))}
            </ul>
            Then choose Prepare once more.
          </MessageBarBody>
        </MessageBar>
      )}
      {found.length === 0 && names.length > 0 && (
        <Text role="status">
          No key found in {plural(cells, "cell")}, their formulas, defined names and XML parts. Looked for:{" "}
          {names.join(", ")}.
        </Text>
      )}
      {tooShort.length > 0 && (
        <Text>Not looked for, being too short to be told from other text: {tooShort.join(", ")}.</Text>
      )}
      {unsearched.length > 0 && (
        <>
          <Text>Not searched, because Excel refused or it is too large:</Text>
          <LineList label="Not searched" items={unsearched} line={(what) => what} />
        </>
      )}
      <Text size={200}>RegData never searches {notSearched}.</Text>
    </>
  );
}

function FoundPlace({ place: { what, cell }, onGoTo }: { place: FoundText; onGoTo: GoTo }) {
  return (
    <>
      {what}
      {cell && what !== "" && " "}
      {cell && (
        <Link as="button" onClick={() => onGoTo(cell)}>
          {addressOf(cell)}
        </Link>
      )}
    </>
  );
}

function Sources({ written: { address, values, lacking, unread } }: { written: WrittenSources }) {
  return (
    <>
      <Text role="status">
        {address === null
          ? "No Sources sheet: this device knows the source of no import's value. Refresh the imports first."
          : `The sources of ${plural(values, "value")} are at ${address}. Those of formulas are on the tab Source.`}
      </Text>
      {lacking.length > 0 && (
        <>
          <Text>Without a source, because this device has not fetched just that value:</Text>
          <LineList
            label="Without a source"
            items={lacking}
            line={({ name, cells }) => `${name}: ${plural(cells, "value")}`}
          />
        </>
      )}
      {unread.length > 0 && (
        <>
          <Text>Left out:</Text>
          <LineList
            label="Left out of the sources"
            items={unread}
            line={({ name, reason }) => `${name}: ${reason}`}
          />
        </>
      )}
    </>
  );
}
