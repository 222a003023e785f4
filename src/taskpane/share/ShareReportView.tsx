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
import { addressOf } from "../../workbook/sheet/layout/cell-address";
import { FormulaReportView } from "../formulas/FormulaReportView";
import { FailureMessage } from "../ui/FailureMessage";
import { LineList } from "../ui/lists/LineList";
import { plural } from "../ui/labels";
import type { KeyCheck, ShareReport, WrittenSources } from "./share-control";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
});

type GoTo = (area: CellArea) => void;

/** Reports what was done to prepare the workbook for sharing, and what was found in it. */
export function ShareReportView({
  report: { frozen, sources, keys },
  onGoTo,
}: {
  report: ShareReport;
  onGoTo: GoTo;
}) {
  const styles = useStyles();
  const { problems, unchecked } = shareVerdict({ frozen, sources, keys });
  return (
    <div className={styles.column}>
      <MessageBar intent={problems.length + unchecked.length > 0 ? "warning" : "success"} layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>
            {problems.length > 0
              ? "Not ready yet."
              : unchecked.length > 0
                ? "Ready to share, except for what could not be checked"
                : "Ready to share"}
          </MessageBarTitle>
          {problems.join(" ")} {problems.length > 0 && "Then choose Prepare again."}
        </MessageBarBody>
      </MessageBar>
      <OrFailure step={keys} what="The check for keys was not completed">
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
      <OrFailure step={sources === "not yet" ? null : sources} what="The Sources sheet was not completed">
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
  /** A sentence about the step's failure, without its full stop. */
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
            <MessageBarTitle>Your key is in the workbook</MessageBarTitle>
            <ul className={styles.list} role="list" aria-label="Where your key is">
              {found.map((place, index) => (
                <li key={index}>
                  <FoundPlace place={place} onGoTo={onGoTo} /> has the key of {names[place.text]}: delete it.
                </li>
              ))}
            </ul>
          </MessageBarBody>
        </MessageBar>
      )}
      {found.length === 0 && names.length > 0 && (
        <Text role="status">
          No key found in {plural(cells, "cell")}, their formulas, the names in the Name Manager and hidden
          data. Checked for the keys of: {names.join(", ")}.
        </Text>
      )}
      {names.length + tooShort.length === 0 && (
        <Text role="status">This device keeps no key to look for.</Text>
      )}
      {tooShort.length > 0 && (
        <Text>
          Not looked for, because so short a key may be a part of other words: the key of{" "}
          {tooShort.join(", ")}.
        </Text>
      )}
      {unsearched.length > 0 && (
        <>
          <Text>Not checked, because Excel did not show it or it is too large:</Text>
          <LineList label="Not checked" items={unsearched} line={(what) => what} />
        </>
      )}
      <Text size={200}>RegData never checks {notSearched}.</Text>
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

function Sources({ written: { address, earlier, values, lacking, unread } }: { written: WrittenSources }) {
  return (
    <>
      <Text role="status">
        {address === null
          ? "No Sources sheet was written: this device has not fetched the imported values, so it can’t say where they come from. Choose Refresh all on Imports, then Prepare again."
          : `The sources of ${plural(values, "value")} are at ${address}. For formulas, see the Source tab.`}
      </Text>
      {earlier.length > 0 && (
        <>
          <Text>Earlier Sources sheets stay, because somebody may have edited them:</Text>
          <LineList label="Earlier Sources sheets" items={earlier} line={(stays) => stays} />
        </>
      )}
      {lacking.length > 0 && (
        <>
          <Text>
            Without a source, because these cells show no answer that this device holds. Somebody has typed
            into them, or another device fetched them:
          </Text>
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

/** Says if the workbook can go out: the problems to solve before, and the parts that could not be checked. */
function shareVerdict({ frozen, sources, keys }: ShareReport): {
  /** One sentence for each problem. */
  problems: string[];
  unchecked: readonly string[];
} {
  const problems: string[] = [];
  if (sources === "not yet") problems.push("The Sources sheet was not written yet.");
  if (keys instanceof Failure) problems.push("The check for your keys was not completed.");
  else if (keys.found.length > 0) problems.push("Delete your key from the places below.");
  if (frozen instanceof Failure) problems.push("The formulas were not all frozen.");
  else if (frozen && frozen.left.length > 0)
    problems.push(`See why ${plural(frozen.left.length, "formula")} could not be frozen.`);
  if (sources instanceof Failure) problems.push("The Sources sheet was not completed.");
  return { problems, unchecked: keys instanceof Failure ? [] : [...keys.unsearched, ...keys.tooShort] };
}
