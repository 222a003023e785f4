import { Button, Card, makeStyles, ProgressBar, Text, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";
import type { Session } from "../../app";
import { config } from "../../config";
import { Failure } from "../../errors";
import { hostOf } from "../../settings/named-connections";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import { webAddress } from "../../workbook/sheet/values/web-address";
import { dateAndTime } from "../refresh/ago";
import { CopyButton } from "../ui/CopyButton";
import { Details } from "../ui/Details";
import { fullAhjLabel, shownName } from "../ui/labels";
import { AnswerChangeText } from "./AnswerChangeText";
import { CellProblem } from "./CellProblem";
import { dayOf, fullCitation } from "./full-citation";
import type { CellFacts, InspectedCell } from "./use-cell";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  card: { overflowWrap: "anywhere" },
  value: { whiteSpace: "pre-wrap", maxHeight: "12rem", overflowY: "auto" },
  facts: { display: "grid", gap: tokens.spacingVerticalXS, margin: 0 },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, whiteSpace: "pre-wrap" },
  link: { color: tokens.colorBrandForegroundLink },
});

/** Units that say how an answer is written and not what it is measured in. */
const plainUnits = new Set(["text", "boolean", "code edition"]);

/** The answer that a cell shows: whose, to what, where it is written, of when it is. */
export function SourceCard({
  facts,
  session,
  inspected: { isAsking, change, refresh, goToFormula },
}: {
  facts: CellFacts;
  session: Session;
  inspected: InspectedCell;
}) {
  const styles = useStyles();
  const { source, ahj, type, answer, cell: selected } = facts;
  const cell = answer instanceof Failure ? undefined : answer?.cell;
  const isSpilled = selected.offset.row > 0 || selected.offset.column > 0;
  const jurisdiction = ahj ? fullAhjLabel(ahj) : String(source?.question?.ahj ?? "");
  const question = type ? shownName(type.name) : String(source?.question?.type ?? "");
  const unit = type && !plainUnits.has(type.unit_of_measure) ? shownName(type.unit_of_measure) : "";
  const lines: [name: string, fact: ReactNode][] = [
    ["Reference", cell && <Reference text={cell.reference} />],
    ["Section", cell && (cell.section ?? "none recorded")],
    ["Updated", cell?.updatedAt && dayOf(cell.updatedAt)],
    ["Retrieved", cell && dateAndTime(cell.fetchedAtMs)],
    [
      "From",
      source?.from.kind === "import"
        ? `Import ${source.from.kept.saved.name}`
        : `=${config.namespace}.${source?.from.call.name}${isSpilled ? ` in ${cellAddress(selected.address, -selected.offset.row, -selected.offset.column)}` : ""}`,
    ],
  ];
  return (
    <>
      <CellProblem facts={facts} session={session} />
      <Card className={styles.card} appearance="outline">
        {jurisdiction !== "" && <Text size={200}>{jurisdiction}</Text>}
        {question !== "" && <Text weight="semibold">{question}</Text>}
        {cell && (
          <Text size={500} className={styles.value} aria-label="The answer" role="group">
            {cell.value}
          </Text>
        )}
        {cell && unit !== "" && <Text size={200}>Unit: {unit}</Text>}
        <dl className={styles.facts}>
          {lines.map(
            ([name, fact]) =>
              fact !== undefined &&
              fact !== null &&
              fact !== "" && (
                <div key={name}>
                  <dt className={styles.name}>{name}</dt>
                  <dd className={styles.fact}>{fact}</dd>
                </div>
              ),
          )}
        </dl>
      </Card>
      {change && <AnswerChangeText change={change} />}
      <div className={styles.row}>
        {!source?.refusal && (
          <Button size="small" disabledFocusable={isAsking} onClick={refresh}>
            Refresh
          </Button>
        )}
        {isSpilled && (
          <Button size="small" onClick={goToFormula}>
            Go to the formula
          </Button>
        )}
        {cell && (
          <CopyButton
            key={selected.address}
            label="Copy citation"
            text={fullCitation({
              ...{ jurisdiction, question, ...cell },
              service: hostOf(session.credentials.baseUrl),
            })}
          />
        )}
      </div>
      {isAsking && <ProgressBar aria-label="Asking" />}
      {type?.description && (
        <Details title="About the question">
          <Text>{type.description}</Text>
        </Details>
      )}
    </>
  );
}

/** A link only where it certainly leads to a page. */
function Reference({ text }: { text: string | null }) {
  const styles = useStyles();
  if (text === null) return "none recorded";
  return webAddress(text) === text ? (
    <a className={styles.link} href={text} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  ) : (
    text
  );
}
