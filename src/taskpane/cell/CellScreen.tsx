import { Button, makeStyles, Subtitle2, Text, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";
import type { Session } from "../../app";
import { clockTime, Failure } from "../../errors";
import type { PaneApp } from "../pane-app";
import { CopyButton } from "../ui/CopyButton";
import { FailureMessage } from "../ui/FailureMessage";
import { fullAhjLabel } from "../ui/labels";
import { type CellFacts, useCell } from "./use-cell";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  facts: { display: "grid", gap: tokens.spacingVerticalXS, margin: 0, overflowWrap: "anywhere" },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, marginBottom: tokens.spacingVerticalXS, whiteSpace: "pre-wrap" },
});

/** What the selected cell shows, whose answer it is, and where that is written. */
export function CellScreen({ app, session, isShown }: { app: PaneApp; session: Session; isShown: boolean }) {
  const styles = useStyles();
  const { facts, failure, isAsking, ask, reload } = useCell(app, session, isShown);
  return (
    <section className={styles.column} aria-label="Selected cell">
      <Subtitle2>{facts?.cell.address ?? "Selected cell"}</Subtitle2>
      {failure && <FailureMessage failure={failure} onRetry={reload} />}
      {facts && !facts.source && (
        <Text>
          Select a cell with a REGDATA formula, or one of an import: here stands whose answer it is, and where
          it is written.
        </Text>
      )}
      {facts?.source && <Facts facts={facts} isAsking={isAsking} onAsk={ask} />}
    </section>
  );
}

function Facts({ facts, isAsking, onAsk }: { facts: CellFacts; isAsking: boolean; onAsk: () => void }) {
  const styles = useStyles();
  const { source, ahj, type, answer } = facts;
  const found = answer instanceof Failure ? null : answer;
  const cell = found?.cell;
  const isKept = found !== null || (answer instanceof Failure && answer.kind !== "not-asked");
  const lines: [name: string, fact: ReactNode][] = [
    ["Jurisdiction", ahj ? fullAhjLabel(ahj) : String(source?.question.ahj ?? "")],
    ["Question", type ? `${type.name} (${type.id})` : String(source?.question.type ?? "")],
    ["About the question", type?.description],
    ["As published", cell?.value],
    ["Unit", type?.unit_of_measure],
    ["Reference", cell && <Reference text={cell.reference} />],
    ["Section", cell && (cell.section ?? "none recorded")],
    ["Updated", cell?.updatedAt?.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC")],
    ["Retrieved", cell && clockTime(cell.fetchedAtMs)],
    [
      "From",
      source?.from.kind === "import"
        ? `Import ${source.from.kept.saved.name}`
        : `=REGDATA.${source?.from.name}`,
    ],
  ];
  return (
    <>
      {answer instanceof Failure && answer.kind !== "not-asked" && <FailureMessage failure={answer} />}
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
      <div className={styles.row}>
        {(!isKept || (cell && cell.updatedAt === null)) && (
          <Button size="small" disabled={isAsking} onClick={onAsk}>
            {isKept ? "Ask when it was updated" : "Ask the service"}
          </Button>
        )}
        {cell && (cell.reference ?? cell.section) && (
          <CopyButton
            label="Copy citation"
            text={[cell.reference, cell.section].filter(Boolean).join(", ")}
          />
        )}
      </div>
    </>
  );
}

/** A link only where it certainly leads to a page. */
function Reference({ text }: { text: string | null }) {
  if (text === null) return "none recorded";
  const isAddress = /^https?:\/\/[^\s<>"]+$/i.test(text);
  return isAddress ? (
    <a href={text} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  ) : (
    text
  );
}
