import {
  Button,
  Field,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Text,
  Textarea,
  tokens,
} from "@fluentui/react-components";
import { useState } from "react";
import { failureKinds } from "../../errors";
import type { ImportReport } from "../../imports/report";
import { fullAhjLabel, oldAnswersSentence, plural } from "../ui/labels";
import type { UnmatchedGeoid } from "./use-jurisdictions";

const useStyles = makeStyles({
  summary: {
    padding: tokens.spacingVerticalXS,
    cursor: "pointer",
    borderRadius: tokens.borderRadiusMedium,
    "&:focus-visible": {
      outline: `${tokens.strokeWidthThick} solid ${tokens.colorStrokeFocus2}`,
      outlineOffset: `calc(-1 * ${tokens.strokeWidthThick})`,
    },
  },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, maxHeight: "16rem", overflowY: "auto" },
});

/** What came of an import: what was written, and by name all that was not. */
export function ImportReportView({
  address,
  report,
  unmatched,
}: {
  /** Null where no table was written. */
  address: string | null;
  report: ImportReport;
  unmatched: readonly UnmatchedGeoid[];
}) {
  const styles = useStyles();
  const lists = [
    {
      title: `Not in the table: ${plural(report.leftOut.length, "jurisdiction")}`,
      lines: report.leftOut.map(({ ahj, kind }) => `${fullAhjLabel(ahj)}: ${failureKinds[kind].sentence}`),
    },
    {
      title: `Not matched: ${plural(unmatched.length, "geoID")}`,
      lines: unmatched.map(({ geoid, kind }) => `${geoid}: ${failureKinds[kind].sentence}`),
    },
    {
      title: `Unknown: ${plural(report.unknownTypes.length, "type")}`,
      lines: report.unknownTypes.map((type) => `${type.name} (${type.id})`),
    },
    {
      title: `Without a value: ${plural(
        report.withoutValue.reduce((sum, { ahjs }) => sum + ahjs.length, 0),
        "cell",
      )}`,
      lines: report.withoutValue.map(
        ({ type, ahjs }) => `${type.name}: ${ahjs.map(fullAhjLabel).join("; ")}`,
      ),
    },
  ].filter(({ lines }) => lines.length > 0);

  return (
    <>
      {address === null ? (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The service gave nothing that a table could show. Nothing was written.
          </MessageBarBody>
        </MessageBar>
      ) : (
        <MessageBar intent="success" layout="multiline">
          <MessageBarBody>
            {plural(report.rows, "jurisdiction")} with {plural(report.values, "value")} in {address}.
          </MessageBarBody>
        </MessageBar>
      )}
      {report.oldAnswers && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{oldAnswersSentence(report.oldAnswers)} Insert it again later.</MessageBarBody>
        </MessageBar>
      )}
      {report.missingValues > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            The service's list changed while it was read: {plural(report.missingValues, "value")} did not
            come. Insert it again.
          </MessageBarBody>
        </MessageBar>
      )}
      {lists.map(({ title, lines }) => (
        <details key={title}>
          {/* In Excel on the web office.js moves the Tab key, past a summary that has no tabindex. */}
          <summary className={styles.summary} tabIndex={0}>
            {title}
          </summary>
          <NameList lines={lines} />
        </details>
      ))}
    </>
  );
}

const shownLines = 500;

function NameList({ lines }: { lines: string[] }) {
  const styles = useStyles();
  const [copied, setCopied] = useState<"yes" | "refused">();
  const text = lines.join("\n");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied("yes"),
      () => setCopied("refused"),
    );
  return (
    <>
      <Button size="small" onClick={() => void copy()}>
        Copy list
      </Button>
      {copied === "yes" && <Text role="status"> Copied</Text>}
      {copied === "refused" && (
        // A frame may not be allowed to write to the clipboard; the user always is.
        <Field label="Copy it from here">
          <Textarea readOnly value={text} />
        </Field>
      )}
      <ul className={styles.list}>
        {lines.slice(0, shownLines).map((line, index) => (
          <li key={index}>{line}</li>
        ))}
        {lines.length > shownLines && (
          <li>and {plural(lines.length - shownLines, "more line")}; copy the list</li>
        )}
      </ul>
    </>
  );
}
