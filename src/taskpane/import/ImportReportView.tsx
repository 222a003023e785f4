import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  tokens,
} from "@fluentui/react-components";
import { failureKinds } from "../../errors";
import type { ImportReport } from "../../imports/report";
import { ahjLabel, plural } from "../ui/labels";
import type { UnmatchedGeoid } from "./use-jurisdictions";

const useStyles = makeStyles({
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, maxHeight: "16rem", overflowY: "auto" },
});

/** What came of an import: what was written, and by name all that was not. */
export function ImportReportView({
  address,
  report,
  unmatched,
}: {
  address: string;
  report: ImportReport;
  unmatched: readonly UnmatchedGeoid[];
}) {
  const lists = [
    {
      title: `Not in the table: ${plural(report.leftOut.length, "jurisdiction")}`,
      lines: report.leftOut.map(({ ahj, kind }) => `${ahjLabel(ahj)}: ${failureKinds[kind].sentence}`),
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
      lines: report.withoutValue.map(({ type, ahjs }) => `${type.name}: ${ahjs.map(ahjLabel).join("; ")}`),
    },
  ].filter(({ lines }) => lines.length > 0);

  return (
    <>
      <MessageBar intent="success" layout="multiline">
        <MessageBarBody>
          {plural(report.rows, "jurisdiction")} with {plural(report.values, "value")} in {address}.
        </MessageBarBody>
      </MessageBar>
      <Accordion multiple collapsible>
        {lists.map(({ title, lines }) => (
          <AccordionItem key={title} value={title}>
            <AccordionHeader>{title}</AccordionHeader>
            <AccordionPanel>
              <NameList lines={lines} />
            </AccordionPanel>
          </AccordionItem>
        ))}
      </Accordion>
    </>
  );
}

const shownLines = 500;

function NameList({ lines }: { lines: string[] }) {
  const styles = useStyles();
  return (
    <>
      <Button size="small" onClick={() => void navigator.clipboard.writeText(lines.join("\n"))}>
        Copy list
      </Button>
      <ul className={styles.list}>
        {lines.slice(0, shownLines).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > shownLines && (
          <li>and {plural(lines.length - shownLines, "more line")}; copy the list</li>
        )}
      </ul>
    </>
  );
}
