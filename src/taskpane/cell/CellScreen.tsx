import { config } from "../../config";
import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  ProgressBar,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { lazy, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { Ahj } from "../../engine/api/schemas";
import type { Session } from "../../app";
import { clockTime, Failure } from "../../errors";
import { nameInFormula } from "../../workbook/formula-text/formula-name";
import { type AnswerChange, type Answered, isUnchanged } from "../../workbook/imports/refresh/refresh-cell";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import type { SelectedCell } from "../../workbook/sheet/cells/selected-cell";
import { webAddress } from "../../workbook/sheet/values/web-address";
import type { PaneApp } from "../pane-app";
import { CopyButton } from "../ui/CopyButton";
import { FailureMessage } from "../ui/FailureMessage";
import { fullAhjLabel, shownName } from "../ui/labels";
import { constant, formulaText } from "./builder/formula-state";
import { explainCellError, explainOwnError } from "./cell-errors";
import { PlaceFormula } from "./PlaceFormula";
import { anchorOf, type CellFacts, type InspectedCell, useCell } from "./use-cell";
import type { Target } from "./use-write-formula";

const { namespace } = config;

const FormulaBuilder = lazy(() => import("./builder/FormulaBuilder"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  facts: { display: "grid", gap: tokens.spacingVerticalXS, margin: 0, overflowWrap: "anywhere" },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, marginBottom: tokens.spacingVerticalXS, whiteSpace: "pre-wrap" },
});

/** What is being written, whatever is selected meanwhile. */
type Writing =
  | { kind: "builder"; start: { target: Target; formula: string } }
  | { kind: "place"; formula: string; from: string };

/** What the selected cell shows, whose answer it is, and where that is written; and formulas for it. */
export default function CellScreen({
  app,
  session,
  isShown,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
}) {
  const styles = useStyles();
  const inspected = useCell(app, session, isShown);
  const { facts, failure, reload } = inspected;
  const [writing, setWriting] = useState<Writing>();
  const opener = useRef<HTMLButtonElement>(null);
  const [isBack, setIsBack] = useState(false);
  // From a screen that has gone, Tab would leave the pane.
  useEffect(() => {
    if (!isBack) return;
    opener.current?.focus();
    setIsBack(false);
  }, [isBack]);

  function close(written?: Target) {
    setWriting(undefined);
    setIsBack(true);
    if (written) void app.workbook.selectCell(written).then(reload, reload);
    else reload();
  }

  if (writing?.kind === "builder") {
    return <FormulaBuilder app={app} session={session} start={writing.start} onClose={close} />;
  }
  return (
    <section className={styles.column} aria-label="Selected cell">
      <Subtitle2>{facts?.cell.address ?? "Selected cell"}</Subtitle2>
      {failure && <FailureMessage failure={failure} onRetry={reload} />}
      {writing && (
        <PlaceFormula
          app={app}
          formula={writing.formula}
          from={writing.from}
          selected={facts?.cell}
          onDone={() => close()}
        />
      )}
      {facts && !facts.source && (
        <Text>
          Select a cell with a REGDATA formula, or one of an import: here stands whose answer it is, and where
          it is written.
        </Text>
      )}
      {facts?.source && <Facts facts={facts} session={session} inspected={inspected} />}
      {facts && !writing && <Formulas facts={facts} session={session} opener={opener} onWrite={setWriting} />}
    </section>
  );
}

function Facts({
  facts,
  session,
  inspected: { isAsking, change, ask, refresh, goToFormula },
}: {
  facts: CellFacts;
  session: Session;
  inspected: InspectedCell;
}) {
  const styles = useStyles();
  const { source, ahj, type, answer, cell: selected } = facts;
  const found = answer instanceof Failure ? null : answer;
  const cell = found?.cell;
  const isKept = found !== null || (answer instanceof Failure && answer.kind !== "not-asked");
  const isSpilled = selected.offset.row > 0 || selected.offset.column > 0;
  const lines: [name: string, fact: ReactNode][] = [
    ["Jurisdiction", ahj ? fullAhjLabel(ahj) : String(source?.question?.ahj ?? "")],
    ["Question", type ? `${shownName(type.name)} (${type.id})` : String(source?.question?.type ?? "")],
    ["About the question", type?.description],
    ["As published", cell?.value],
    ["Unit", type && shownName(type.unit_of_measure)],
    ["Reference", cell && <Reference text={cell.reference} />],
    ["Section", cell && (cell.section ?? "none recorded")],
    ["Updated", cell?.updatedAt?.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC")],
    ["Retrieved", cell && clockTime(cell.fetchedAtMs)],
    [
      "From",
      source?.from.kind === "import"
        ? `Import ${source.from.kept.saved.name}`
        : `=${namespace}.${source?.from.call.name}${isSpilled ? ` in ${anchorAddress(selected)}` : ""}`,
    ],
  ];
  return (
    <>
      <Problem facts={facts} session={session} />
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
      {change && <Change change={change} />}
      <div className={styles.row}>
        {source?.question && (!isKept || (cell && cell.updatedAt === null)) && (
          <Button size="small" disabledFocusable={isAsking} onClick={ask}>
            {isKept ? "Ask when it was updated" : "Ask the service"}
          </Button>
        )}
        {!source?.refusal && (
          <Button size="small" disabledFocusable={isAsking} onClick={refresh}>
            Refresh this
          </Button>
        )}
        {isSpilled && (
          <Button size="small" onClick={goToFormula}>
            Go to the formula
          </Button>
        )}
        {cell && (cell.reference ?? cell.section) && (
          <CopyButton
            key={selected.address}
            label="Copy citation"
            text={[cell.reference, cell.section].filter(Boolean).join(", ")}
          />
        )}
      </div>
      {isAsking && <ProgressBar aria-label="Asking" />}
    </>
  );
}

/** Why the cell is in error, and what to do. */
function Problem({ facts: { cell, source, answer }, session }: { facts: CellFacts; session: Session }) {
  const isFormula = source?.from.kind === "formula";
  const ofExcel = isFormula ? explainCellError(String(cell.value), session.limit()) : undefined;
  if (ofExcel !== undefined) return <Explanation text={ofExcel} />;
  if (source?.refusal) return <FailureMessage failure={source.refusal} />;
  if (answer instanceof Failure && answer.kind !== "not-asked") return <FailureMessage failure={answer} />;
  const isAnswered = answer !== null && !(answer instanceof Failure);
  const own = isFormula ? explainOwnError(String(cell.value), isAnswered) : undefined;
  return own !== undefined && <Explanation text={own} />;
}

function Explanation({ text }: { text: string }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{text}</MessageBarBody>
    </MessageBar>
  );
}

/** What asking anew has brought. */
function Change({ change }: { change: AnswerChange }) {
  const { before, after, replaced = [] } = change;
  const shown = (known: typeof after) => known?.value ?? "no value";
  const text = isUnchanged(change)
    ? "Unchanged."
    : before === undefined
      ? `Now: ${shown(after)}`
      : before?.value === after?.value
        ? "The value is unchanged; its citation is another one."
        : `${shown(before)} → ${shown(after)}`;
  return (
    <Text role="status">
      {text}
      {replaced.length > 0 &&
        ` Also replaced, and not known to be the service’s: ${replaced.map(shownName).join("; ")}.`}
    </Text>
  );
}

/** Formulas made from the cell: for one with a formula, its own. */
function Formulas({
  facts: { cell, source, ahj },
  session,
  opener,
  onWrite,
}: {
  facts: CellFacts;
  session: Session;
  opener: RefObject<HTMLButtonElement | null>;
  onWrite: (writing: Writing) => void;
}) {
  const styles = useStyles();
  const question = source?.from.kind === "import" ? source.question : null;
  const asked = { ahjId: Number(question?.ahj), typeId: Number(question?.type) };
  const formula = useFormulaOf(session, ahj, asked);
  if (question) {
    return (
      <div className={styles.row}>
        <Button
          ref={opener}
          size="small"
          onClick={() => onWrite({ kind: "place", formula, from: cell.address })}
        >
          Insert as formula
        </Button>
        <CopyButton key={formula} label="Copy formula" text={formula} />
      </div>
    );
  }
  const hasFormula = source?.from.kind === "formula";
  const target = hasFormula ? { ...anchorOf(cell), address: anchorAddress(cell) } : cell;
  return (
    <div className={styles.row}>
      <Button
        ref={opener}
        size="small"
        onClick={() =>
          onWrite({ kind: "builder", start: { target, formula: hasFormula ? cell.formula : "" } })
        }
      >
        {hasFormula ? "Change the formula" : "Write a formula"}
      </Button>
    </div>
  );
}

/** The formula that gives an imported answer. */
function useFormulaOf({ lookup }: Session, ahj: Ahj | null, { ahjId, typeId }: Answered): string {
  const [named, setNamed] = useState<{ ahj: Ahj; name: string }>();
  useEffect(() => {
    let isOver = false;
    if (ahj) void nameInFormula(ahj, lookup.directory).then((name) => isOver || setNamed({ ahj, name }));
    return () => {
      isOver = true;
    };
  }, [ahj, lookup]);
  const name = ahj && named?.ahj === ahj ? named.name : `ahj:${ahjId}`;
  const args = { jurisdictions: constant([name], "down"), types: constant([typeId], "across") };
  return formulaText({ name: "VALUE", args }, namespace);
}

function anchorAddress({ address, offset }: SelectedCell): string {
  return cellAddress(address, -offset.row, -offset.column);
}

/** A link only where it certainly leads to a page. */
function Reference({ text }: { text: string | null }) {
  if (text === null) return "none recorded";
  return webAddress(text) === text ? (
    <a href={text} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  ) : (
    text
  );
}
