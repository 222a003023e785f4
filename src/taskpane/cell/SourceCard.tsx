import { Button, Card, makeStyles, Text, tokens } from "@fluentui/react-components";
import type { KeylessSession, Session } from "../../app";
import { config } from "../../config";
import { Failure } from "../../errors";
import { hostOf } from "../../settings/connection-list";
import type { CallArgument } from "../../workbook/imports/sources/cell-source";
import type { PublishedAnswer } from "../../workbook/sheet/layout/answer-parts";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import { webAddress } from "../../workbook/sheet/values/web-address";
import { JobView } from "../jobs/JobView";
import { dateAndTime } from "../refresh/ago";
import { CopyButton } from "../ui/CopyButton";
import { Details } from "../ui/Details";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { beginning, fullAhjLabel, plural, shownName } from "../ui/labels";
import { FactList } from "./cards/FactList";
import type { AnswerFacts, CellFacts } from "./facts/cell-facts";
import { unitWords, withUnitWords } from "./facts/unit-words";
import { dayOf, fullCitation } from "./full-citation";
import type { InspectedCell } from "./use-cell";

const AnswerChangeText = lazyView(() => import("./AnswerChangeText"));

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  card: { overflowWrap: "anywhere" },
  value: { whiteSpace: "pre-wrap", maxHeight: "12rem", overflowY: "auto" },
  link: { color: tokens.colorBrandForegroundLink },
});

/** An answer that a cell shows or is made of: its jurisdiction, question, citation and dates. */
export function SourceCard({
  facts: { cell: selected, frozen },
  answer: { source, row, ahj, type, answer },
  session,
  inspected: { job, change, refresh, goToFormula },
}: {
  facts: CellFacts;
  answer: AnswerFacts;
  session: Session | KeylessSession;
  inspected: InspectedCell;
}) {
  const styles = useStyles();
  const cell = answer instanceof Failure ? undefined : answer?.cell;
  const isSpilled = selected.offset.row > 0 || selected.offset.column > 0;
  const jurisdiction = ahj
    ? fullAhjLabel(ahj)
    : shownName(row?.jurisdiction ?? String(source.question?.ahj ?? ""));
  const { name, unit_of_measure } = type ?? row?.question ?? {};
  const question = shownName(name ?? String(source.question?.type ?? ""));
  const unit = shownName(unitWords(unit_of_measure ?? ""));
  const isOfRow = !cell && row !== null;
  return (
    <>
      <Card className={styles.card} appearance="outline">
        {jurisdiction !== "" && <Text size={200}>{jurisdiction}</Text>}
        {question !== "" && <Text weight="semibold">{question}</Text>}
        {(cell?.value ?? row?.value) !== undefined && (
          <Text size={500} className={styles.value} aria-label="The answer" role="group">
            {cell?.value ?? row?.value}
          </Text>
        )}
        {(cell || row) && unit !== "" && <Text size={200}>Unit: {unit}</Text>}
        <FactList
          facts={[
            [
              "Reference",
              cell ? (
                <Reference text={cell.reference} />
              ) : (
                row?.reference && <Reference text={row.reference} />
              ),
            ],
            ["Section", cell ? (cell.section ?? (cell.reference !== null && "none recorded")) : row?.section],
            ["Updated", cell ? updatedWords(cell, session) : row?.updated],
            [
              "Retrieved",
              cell
                ? dateAndTime(cell.fetchedAtMs) + (session.credentials ? "" : " or later")
                : row?.retrieved && `${row.retrieved} (UTC)`,
            ],
            ["Arguments", argumentWords(source)],
            [
              "From",
              source.from.kind === "import"
                ? `Import ${source.from.kept.saved.name}, last run ${dateAndTime(source.from.kept.saved.lastRun.atMs)}`
                : `=${config.namespace}.${source.from.call.name}${isSpilled ? ` in ${cellAddress(selected.address, -selected.offset.row, -selected.offset.column)}` : ""}`,
            ],
          ]}
        />
      </Card>
      {isOfRow && (
        <Text size={200}>
          {row.citedIn === "sources"
            ? "This is what the row of the table and the Sources sheet say."
            : "This is what the row of the table says."}{" "}
          {session.credentials ? "Refresh asks the service." : "Connect to ask the service."}
        </Text>
      )}
      {change && (
        <ScreenBoundary fallback={<></>}>
          <AnswerChangeText change={change} />
        </ScreenBoundary>
      )}
      <div className={styles.row}>
        {session.credentials && !source.refusal && !frozen && (
          <Button size="small" disabledFocusable={job !== undefined} onClick={refresh}>
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
            key={`${selected.address} ${jurisdiction} ${question}`}
            label="Copy citation"
            text={fullCitation({
              jurisdiction,
              question,
              ...cell,
              value: withUnitWords(cell.value, type?.unit_of_measure ?? ""),
              service: session.credentials && hostOf(session.credentials.baseUrl),
            })}
          />
        )}
      </div>
      {job && <JobView job={job} label="Asking the service" />}
      {type?.description && (
        <Details title="About the question">
          <Text>{type.description}</Text>
        </Details>
      )}
    </>
  );
}

/** The day of an answer's last change. A matrix comes without it; asking for this one answer brings it. */
function updatedWords(
  { updatedAt }: Pick<PublishedAnswer, "updatedAt">,
  { credentials }: Pick<Session | KeylessSession, "credentials">,
) {
  if (updatedAt !== null) return dayOf(updatedAt);
  return credentials ? "Refresh asks for the date." : "not known";
}

const mostCharacters = 60;

/** The contents of the cells that the formula refers to: `A2 is 06001`. */
function argumentWords({ from }: AnswerFacts["source"]): string {
  if (from.kind === "import") return "";
  return from.args.flatMap((argument) => wordsOf(argument) ?? []).join("\n");
}

function wordsOf({ text, cells }: CallArgument): string | null {
  if (!cells) return null;
  const [first, ...others] = cells;
  if (others.length > 0) return `${text}: ${plural(cells.length, "cell")}`;
  return `${text} ${first === "" ? "is empty" : `is ${beginning(String(first), mostCharacters)}`}`;
}

/** The reference is a link only if the whole text is a web address. */
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
