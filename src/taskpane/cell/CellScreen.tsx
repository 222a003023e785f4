import { config } from "../../config";
import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Subtitle2,
  Text,
  tokens,
} from "@fluentui/react-components";
import { Activity, type RefObject, useEffect, useRef, useState } from "react";
import type { Ahj } from "../../engine/api/schemas";
import type { KeylessSession, Session } from "../../app";
import { constant } from "../../workbook/formula-text/argument-constants";
import { canChange } from "../../workbook/imports/saved/change-import";
import { nameInFormula } from "../../engine/lookup/directory/codes";
import type { AnswerIds } from "../../workbook/imports/refresh/refresh-cell";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import type { SelectedCell } from "../../workbook/sheet/cells/selected-cell";
import { anchorOf } from "../../workbook/sheet/cells/source-cells";
import type { PaneApp } from "../pane-app";
import { CopyButton } from "../ui/CopyButton";
import { FailureMessage } from "../ui/FailureMessage";
import type { Pressed } from "../commands";
import { useCommand } from "../use-command";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { usePaneLayout } from "../ui/pane-layout";
import { PlaceFormula } from "./PlaceFormula";
import { AnswerList } from "./AnswerList";
import { CellProblem } from "./CellProblem";
import type { CellFacts } from "./facts/cell-facts";
import { HeaderCard } from "./cards/HeaderCard";
import { JurisdictionCard } from "./cards/JurisdictionCard";
import { createPrecedentsControl } from "./precedents/precedents-control";
import { type InspectedCell, useCell } from "./use-cell";
import type { FormulaTarget } from "./write-control";
import type { WantedImport } from "../fill/draft/draft-control";

const { namespace } = config;

// These views load only when needed: few workbooks have frozen formulas.
const PrecedentsSection = lazyView(() => import("./precedents/PrecedentsSection"));
const FrozenCard = lazyView(() => import("./cards/FrozenCard"));
const UnfrozenReport = lazyView(() => import("./cards/UnfrozenReport"));
const AddQuestion = lazyView(() => import("../refresh/AddQuestion"));
const FormulaBuilder = lazyView(() => import("./builder/FormulaBuilder"));

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** The formula that is being written. It stays the same while other cells are selected. */
type Writing =
  | { kind: "builder"; start: { target: FormulaTarget; formula: string } }
  | { kind: "place"; formula: string; from: string };

/** Shows the selected cell's answer, whose answer it is and its citation, and offers formulas for the cell. */
export default function CellScreen({
  app,
  session,
  pressed,
  isShown,
  onGetData,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  pressed: Pressed | undefined;
  isShown: boolean;
  /** The user wants data on this jurisdiction or question. */
  onGetData: (wanted: WantedImport) => void;
}) {
  const styles = useStyles();
  const layout = usePaneLayout();
  const inspected = useCell(app, session, isShown);
  const { facts, failure, reload } = inspected;
  const [writing, setWriting] = useState<Writing>();
  const [isAside, setIsAside] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const [isBack, setIsBack] = useState(false);
  const [precedents] = useState(() => createPrecedentsControl(app, session));
  const calculating = facts && calculates(facts) ? facts.cell : undefined;
  // A list of answers stays while other cells are selected.
  const [hasCalculated, setHasCalculated] = useState(false);
  if (calculating && !hasCalculated) setHasCalculated(true);
  // The focus returns to the button: if it were on a control that is gone, Tab would leave the pane.
  useEffect(() => {
    if (!isBack) return;
    opener.current?.focus();
    setIsBack(false);
  }, [isBack]);

  useCommand(pressed, ["writeFormula", "showSource"], (name) => {
    setIsAside(name === "showSource");
    if (name === "showSource") return;
    // A formula that is being written is kept.
    inspected.read().then((read) => setWriting((already) => already ?? formulaFor(read)), inspected.fail);
  });

  function write(next: Writing) {
    setIsAside(false);
    setWriting(next);
  }

  function close(written?: FormulaTarget) {
    setWriting(undefined);
    setIsBack(true);
    if (written) void app.workbook.selectCell(written).then(reload, reload);
    else reload();
  }

  const builder =
    writing?.kind === "builder" && session.credentials ? { session, start: writing.start } : null;
  return (
    <>
      {builder && (
        <Activity mode={isAside ? "hidden" : "visible"}>
          <FormulaBuilder app={app} {...builder} onClose={close} />
        </Activity>
      )}
      {(!builder || isAside) && (
        <div className={layout.aboveFooter}>
          <section className={styles.column} aria-label="Selected cell">
            {builder && (
              <MessageBar layout="multiline">
                <MessageBarBody>A formula is not finished.</MessageBarBody>
                <MessageBarActions>
                  <Button onClick={() => setIsAside(false)}>Continue</Button>
                  <Button onClick={() => close()}>Discard</Button>
                </MessageBarActions>
              </MessageBar>
            )}
            <Subtitle2>{facts?.cell.address ?? "Selected cell"}</Subtitle2>
            {failure && <FailureMessage failure={failure} onRetry={reload} />}
            {facts && <Facts {...{ app, facts, session, inspected, onGetData }} />}
            {facts && !writing && session.credentials && (
              <Formulas facts={facts} session={session} opener={opener} onWrite={write} />
            )}
            {hasCalculated && (
              <ScreenBoundary fallback={<></>}>
                <PrecedentsSection app={app} control={precedents} cell={calculating} />
              </ScreenBoundary>
            )}
          </section>
        </div>
      )}
      {writing?.kind === "place" && (
        <PlaceFormula
          app={app}
          formula={writing.formula}
          from={writing.from}
          selected={facts?.cell}
          onDone={() => close()}
        />
      )}
    </>
  );
}

/** Everything that is known of the cell. */
function Facts({
  app,
  facts,
  session,
  inspected,
  onGetData,
}: {
  app: PaneApp;
  facts: CellFacts;
  session: Session | KeylessSession;
  inspected: InspectedCell;
  onGetData: (wanted: WantedImport) => void;
}) {
  const { cell, answers, main, frozen, jurisdiction, header, tableOf } = facts;
  const { unfreezing, opened, job, lookUp } = inspected;
  const onShow = answers[opened ?? main];
  const hasKey = session.credentials !== null;
  const isNothing = answers.length === 0 && !frozen && !jurisdiction && !header && !tableOf;
  return (
    <>
      {unfreezing.status === "done" && (
        <ScreenBoundary>
          <UnfrozenReport app={app} {...unfreezing} inspected={inspected} />
        </ScreenBoundary>
      )}
      {isNothing && unfreezing.status !== "done" && (
        <Text>Select an answer from RegData to see its source.</Text>
      )}
      {header && (
        <HeaderCard
          facts={header}
          header={cell.text}
          onGetData={hasKey ? (type) => onGetData({ types: [type] }) : undefined}
        />
      )}
      {jurisdiction && (
        <JurisdictionCard
          facts={jurisdiction}
          job={job}
          actions={hasKey ? { lookUp, getData: (ahj) => onGetData({ ahjs: [ahj] }) } : undefined}
        />
      )}
      {frozen && (
        <ScreenBoundary>
          <FrozenCard jobs={app.jobs} facts={facts} frozen={frozen} inspected={inspected} />
        </ScreenBoundary>
      )}
      {onShow && <CellProblem facts={facts} answer={onShow} session={session} />}
      {answers.length > 0 && <AnswerList facts={facts} session={session} inspected={inspected} />}
      {tableOf && session.credentials && canChange(tableOf.saved) && (
        <ScreenBoundary fallback={<></>}>
          <AddQuestion
            key={tableOf.saved.id}
            {...{ app, session }}
            kept={tableOf}
            tab="source"
            onAdded={inspected.reload}
          />
        </ScreenBoundary>
      )}
    </>
  );
}

/** Offers formulas for the cell. A cell with a formula offers its own to be changed. */
function Formulas({
  facts,
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
  const { cell, answers, main, frozen, jurisdiction, header } = facts;
  const { source, ahj = null } = answers[main] ?? {};
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
  const writing = formulaFor(facts);
  // No formula is offered for a cell that names a jurisdiction or a question, and none for a frozen cell, which is unfrozen instead.
  if (frozen || (!hasFormula && (jurisdiction?.ahj || header))) return null;
  return (
    <div className={styles.row}>
      <Button ref={opener} size="small" onClick={() => onWrite(writing)}>
        {hasFormula ? "Change the formula" : "Write a formula"}
      </Button>
    </div>
  );
}

/** True if the cell has a formula that is more than one call of the add-in's functions. */
function calculates({ cell, answers }: CellFacts): boolean {
  const isCall = answers.some(({ source: { from } }) => from.kind === "formula" && from.call.isWhole);
  return cell.formula !== "" && !isCall;
}

/** The writing of a formula for the cell: of its own if it is one of the add-in's, otherwise of a new one. */
function formulaFor({ cell, answers }: CellFacts): Writing {
  const isOurs = cell.formula !== "" && answers.some(({ source }) => source.from.kind === "formula");
  const start = isOurs
    ? { target: { ...anchorOf(cell), address: anchorAddress(cell) }, formula: cell.formula }
    : { target: cell, formula: "" };
  return { kind: "builder", start };
}

/** The formula that gives the same answer as the imported cell. */
function useFormulaOf({ lookup }: Session, ahj: Ahj | null, { ahjId, typeId }: AnswerIds): string {
  const [named, setNamed] = useState<{ ahj: Ahj; name: string }>();
  useEffect(() => {
    let isOver = false;
    if (ahj) void nameInFormula(ahj, lookup.directory).then((name) => isOver || setNamed({ ahj, name }));
    return () => {
      isOver = true;
    };
  }, [ahj, lookup]);
  const name = ahj && named?.ahj === ahj ? named.name : `ahj:${ahjId}`;
  return `=${namespace}.VALUE(${constant([name])}, ${typeId})`;
}

function anchorAddress({ address, offset }: SelectedCell): string {
  return cellAddress(address, -offset.row, -offset.column);
}
