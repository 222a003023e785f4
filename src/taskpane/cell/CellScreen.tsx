import { config } from "../../config";
import { Button, makeStyles, Subtitle2, Text, tokens } from "@fluentui/react-components";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Ahj } from "../../engine/api/schemas";
import type { Session } from "../../app";
import { constant } from "../../workbook/formula-text/argument-constants";
import { nameInFormula } from "../../workbook/formula-text/formula-name";
import type { AnswerIds } from "../../workbook/imports/refresh/refresh-cell";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import type { SelectedCell } from "../../workbook/sheet/cells/selected-cell";
import type { PaneApp } from "../pane-app";
import { CopyButton } from "../ui/CopyButton";
import { FailureMessage } from "../ui/FailureMessage";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { usePaneLayout } from "../ui/pane-layout";
import { PlaceFormula } from "./PlaceFormula";
import { AnswerList } from "./AnswerList";
import { CellProblem } from "./CellProblem";
import { anchorOf, type CellFacts } from "./facts/cell-facts";
import { HeaderCard } from "./cards/HeaderCard";
import { JurisdictionCard } from "./cards/JurisdictionCard";
import { type InspectedCell, useCell } from "./use-cell";
import type { FormulaTarget } from "./write-control";
import type { WantedImport } from "../fill/draft/draft-control";

const { namespace } = config;

// These views load only when needed: few workbooks have frozen formulas.
const FrozenCard = lazyView(() => import("./cards/FrozenCard"));
const UnfrozenReport = lazyView(() => import("./cards/UnfrozenReport"));
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
  isShown,
  onGetData,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
  /** The user wants data on this jurisdiction or question. */
  onGetData: (wanted: WantedImport) => void;
}) {
  const styles = useStyles();
  const layout = usePaneLayout();
  const inspected = useCell(app, session, isShown);
  const { facts, failure, reload } = inspected;
  const [writing, setWriting] = useState<Writing>();
  const opener = useRef<HTMLButtonElement>(null);
  const [isBack, setIsBack] = useState(false);
  // The focus returns to the button: if it were on a control that is gone, Tab would leave the pane.
  useEffect(() => {
    if (!isBack) return;
    opener.current?.focus();
    setIsBack(false);
  }, [isBack]);

  function close(written?: FormulaTarget) {
    setWriting(undefined);
    setIsBack(true);
    if (written) void app.workbook.selectCell(written).then(reload, reload);
    else reload();
  }

  if (writing?.kind === "builder") {
    return <FormulaBuilder app={app} session={session} start={writing.start} onClose={close} />;
  }
  return (
    <>
      <div className={layout.aboveFooter}>
        <section className={styles.column} aria-label="Selected cell">
          <Subtitle2>{facts?.cell.address ?? "Selected cell"}</Subtitle2>
          {failure && <FailureMessage failure={failure} onRetry={reload} />}
          {facts && <Facts {...{ app, facts, session, inspected, onGetData }} />}
          {facts && !writing && (
            <Formulas facts={facts} session={session} opener={opener} onWrite={setWriting} />
          )}
        </section>
      </div>
      {writing && (
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
  session: Session;
  inspected: InspectedCell;
  onGetData: (wanted: WantedImport) => void;
}) {
  const { cell, answers, main, frozen, jurisdiction, header } = facts;
  const { unfreezing, opened, job, lookUp } = inspected;
  const onShow = answers[opened ?? main];
  const isNothing = answers.length === 0 && !frozen && !jurisdiction && !header;
  return (
    <>
      {unfreezing.status === "done" && (
        <ScreenBoundary>
          <UnfrozenReport app={app} {...unfreezing} inspected={inspected} />
        </ScreenBoundary>
      )}
      {isNothing && unfreezing.status !== "done" && (
        <Text>Select a cell with RegData data to see its jurisdiction, question and source.</Text>
      )}
      {header && (
        <HeaderCard facts={header} header={cell.text} onGetData={(type) => onGetData({ types: [type] })} />
      )}
      {jurisdiction && (
        <JurisdictionCard
          facts={jurisdiction}
          job={job}
          onLookUp={lookUp}
          onGetData={(ahj) => onGetData({ ahjs: [ahj] })}
        />
      )}
      {frozen && (
        <ScreenBoundary>
          <FrozenCard jobs={app.jobs} facts={facts} frozen={frozen} inspected={inspected} />
        </ScreenBoundary>
      )}
      {onShow && <CellProblem facts={facts} answer={onShow} session={session} />}
      {answers.length > 0 && <AnswerList facts={facts} session={session} inspected={inspected} />}
    </>
  );
}

/** Offers formulas for the cell. A cell with a formula offers its own to be changed. */
function Formulas({
  facts: { cell, answers, main, frozen, jurisdiction, header },
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
  // No formula is offered for a cell that names a jurisdiction or a question, and none for a frozen cell, which is unfrozen instead.
  if (frozen || (!hasFormula && (jurisdiction?.ahj || header))) return null;
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
