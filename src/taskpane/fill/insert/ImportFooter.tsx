import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
  useId,
} from "@fluentui/react-components";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import type { DataPointType } from "../../../engine/api/schemas";
import { estimateImport, type ImportEstimate, importSize } from "../../../workbook/imports/run/estimate";
import type { ImportOrder, ListOrder } from "../../../workbook/imports/run/import-types";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import {
  fitsSheet,
  listColumns,
  type TableForm,
  type TableSize,
} from "../../../workbook/sheet/layout/table-plan";
import { tellsOfAhj } from "../../../workbook/imports/saved/ahj-headers";
import { cellAddress } from "../../../workbook/sheet/layout/cell-address";
import { besideArea, cellsOfList } from "../../../workbook/sheet/lists/list-column";
import type { Lookup } from "../../../engine/lookup/lookup";
import { PaneFooter } from "../../ui/PaneFooter";
import { useIsExcluded } from "../../jobs/jobs";
import type { PaneApp } from "../../pane-app";
import type { AddedQuestionsOrder } from "../../refresh/AddedQuestions";
import { lazyView } from "../../ui/loading/lazy-view";
import { ScreenBoundary } from "../../ui/loading/ScreenBoundary";
import { plural, shownName } from "../../ui/labels";
import { useCsv } from "../csv/use-csv";
import type { Draft, DraftAction, DraftedImport } from "../draft/draft";
import type { Replaceable, ReplaceableImports } from "../place/use-replaceable";
import { ImportOutcome } from "./ImportOutcome";
import type { ImportControl, InsertOrder } from "./import-control";

const EstimateText = lazyView(() => import("./EstimateText"));
const CsvReport = lazyView(() => import("../csv/CsvReport"));
const AddedQuestions = lazyView(() => import("../../refresh/AddedQuestions"));
const MoreMenu = lazyView(() => import("../../ui/lists/MoreMenu"));

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Stays below the steps. It shows what an import asks for and its requests, the button that inserts it, its progress and its outcome. */
export function ImportFooter({
  app,
  session,
  control,
  draft: { isBeside, place },
  drafted: { order: ordered, missing, types, into, beside, unmatched },
  isResolving,
  replaceable,
  change,
  isStepOpen,
}: {
  app: PaneApp;
  session: Session;
  control: ImportControl;
  draft: Draft;
  /** The import that the draft asks for. */
  drafted: DraftedImport;
  /** True while the list in the sheet is being looked up. */
  isResolving: boolean;
  replaceable: ReplaceableImports;
  change: (action: DraftAction) => void;
  /** True while a step above is open. */
  isStepOpen: boolean;
}) {
  const styles = useStyles();
  const { jobs } = app;
  const state = useStore(control);
  const csv = useCsv(session, jobs);
  const isRunning = state.status === "running";
  // After a complete import, the outcome says what there is; after any other, the next one costs requests again.
  const isComplete = state.status === "done" && state.report.notRead.length === 0;
  const size = useMemo(() => {
    if (!ordered) return null;
    const ofTable = importSize(ordered, types);
    return beside ? { ...ofTable, ...sizeBeside(beside, types, ordered.form) } : ofTable;
  }, [ordered, types, beside]);
  // The estimate is made anew after each run, because answers that were fetched cost nothing any more.
  const estimate = useEstimate(isRunning ? null : ordered, session.lookup, types);
  const parts = beside ? 1 : session.lookup.answers.batchesFor(size?.answers ?? 0);
  const order: InsertOrder | null =
    ordered && estimate && size?.fitsSheet && !isRunning ? { ...ordered, size, parts, unmatched } : null;
  // An import in several tables needs several sheets, so only one table can go to the selected cell.
  const isWhole = order !== null && parts === 1;
  const isExcluded = useIsExcluded(jobs, "cells");
  const isReplacingExcluded = useIsExcluded(jobs, "imports");
  const replaces = isBeside ? null : replaceable.chosen;
  // An import that stands beside the list already takes more questions.
  const own = beside && replaceable.growing.find(isOf(beside));
  const isNew = ({ id }: { id: number }) => !own?.saved.types.some((type) => type.id === id);
  const more = types.filter(isNew);
  const toFill = into.filter(({ typeId }) => isNew({ id: typeId }));
  // The columns that were just inserted are not inserted again.
  const isThere = state.status === "done" && state.order.beside?.list === beside?.list;
  const [added, setAdded] = useState<AddedQuestionsOrder>();
  // The outcome goes with the next choice.
  useEffect(() => setAdded(undefined), [types, beside]);

  function fill() {
    if (!ordered || !beside) return;
    const saved = own ? { kept: own } : { toFill: beside, name: ordered.sheetName };
    setAdded({ ...saved, types: more, into: toFill });
  }

  const ways = {
    sheet: {
      label: "Insert on a new sheet",
      isPossible: order !== null && !isExcluded,
      act: () => order && control.insertOnNewSheet(order),
    },
    cell: {
      label: "Insert at the selected cell",
      isPossible: isWhole && !isExcluded,
      act: () => order && control.insertAtSelectedCell(order),
    },
    replace: {
      label: "Replace the import",
      isPossible: isWhole && replaces !== null && !isReplacingExcluded,
      act() {
        if (!order || !replaces || isReplacingExcluded) return;
        change({ type: "place", place: "sheet" });
        control.replace({ ...order, replaces });
      },
    },
    own: {
      label: own
        ? `Add ${more.length === 1 ? "this question" : `these ${plural(more.length, "question")}`} to “${shownName(own.saved.name)}”`
        : "",
      isPossible: own !== undefined && more.length > 0 && !isReplacingExcluded,
      act: () => own && setAdded({ kept: own, types: more }),
    },
    fill: {
      label: fillWords(into.length, types.length - into.length),
      isPossible: ordered !== null && toFill.length > 0 && !isReplacingExcluded && !added,
      act: fill,
    },
    beside: {
      label: types.length > 0 ? "Add columns" : "Turn into jurisdictions",
      isPossible: order !== null && beside !== undefined && !isThere && !isExcluded,
      act: () =>
        order &&
        beside &&
        control.insertBeside({ ...order, beside, columns: columnCounts(types, order.form) }),
    },
  };
  const primary = ways[isBeside ? wayBeside() : typeof place === "string" ? place : "replace"];
  function wayBeside(): keyof typeof ways {
    if (into.length > 0) return "fill";
    return own && more.length > 0 ? "own" : "beside";
  }
  const reasonId = useId("reason");
  const reason = isRunning ? "" : whyNot();
  /** The reason why the main button can't be pressed; "" if it can. */
  function whyNot(): string {
    if (!ordered) return isBeside && isResolving ? "Your list is being looked up." : missing;
    if (primary === ways.fill && toFill.length === 0)
      return "These columns are filled. Refresh them under In this workbook.";
    if (primary === ways.beside && isThere)
      return types.length > 0
        ? "These columns stand beside your list. Choose other questions to add more."
        : "The geoIDs stand beside your list. Choose questions to add their answers.";
    return isExcluded ? "Something else is being written into the workbook. Wait until that is done." : "";
  }
  const asFile = {
    // The service makes the file, which may take other requests than the table does.
    label:
      estimate && estimate.csvRequests !== estimate.requests
        ? `Save as CSV (${plural(estimate.csvRequests, "request")})`
        : "Save as CSV",
    isPossible: ordered !== null && types.length > 0 && csv.state.status !== "running",
    act: () => ordered && csv.save(ordered.question, ordered.sheetName),
  };
  const others = [
    // Columns that are to be filled get no second ones beside them.
    ...(isBeside ? (into.length > 0 ? [] : [ways.beside]) : [ways.sheet, ways.cell]).filter(
      (way) => way !== primary,
    ),
    asFile,
  ];

  return (
    <PaneFooter label="Insert">
      {ordered && estimate && size && !isComplete && (
        <ScreenBoundary fallback={<></>}>
          <EstimateText
            session={session}
            asked={{ jurisdictions: ordered.question.ahjs.length, questions: types.length }}
            estimate={{ ...estimate, ...size }}
            isMost={ordered.form.layout === "long"}
            areMostRequests={
              ordered.question.kind === "collection" || ordered.hasSources || ordered.form.hasDates === true
            }
            isOfGeoidsAlone={beside !== undefined && types.length === 0}
            parts={parts}
          />
        </ScreenBoundary>
      )}
      {reason !== "" && (
        <Text id={reasonId} size={200}>
          {reason}
        </Text>
      )}
      {replaces && size && !isRunning && <ReplaceWarning replaces={replaces} size={size} />}
      <div className={styles.row}>
        <Button
          appearance="primary"
          disabledFocusable={!primary.isPossible}
          aria-describedby={reason === "" ? undefined : reasonId}
          onClick={() => void primary.act()}
        >
          {primary.label}
        </Button>
        <ScreenBoundary fallback={<></>}>
          <MoreMenu label="Other ways to insert" actions={others} />
        </ScreenBoundary>
      </div>
      <ImportOutcome {...{ app, session, state, control }} imports={replaceable} isBrief={isStepOpen} />
      {added && (
        <ScreenBoundary fallback={<></>}>
          <AddedQuestions {...{ app, session }} order={added} tab="data" onDone={replaceable.reload} />
        </ScreenBoundary>
      )}
      {isRunning && (
        <div className={styles.row}>
          {/* One button serves both purposes, so that the focus stays on it. */}
          <Button onClick={state.isPaused ? control.goOn : control.pause}>
            {state.isPaused ? "Resume" : "Pause"}
          </Button>
          <Button onClick={control.cancel}>Cancel</Button>
        </div>
      )}
      {csv.state.status !== "idle" && (
        <ScreenBoundary fallback={<></>}>
          <CsvReport state={csv.state} cancel={csv.cancel} />
        </ScreenBoundary>
      )}
    </PaneFooter>
  );
}

/** Names the columns to fill and those to add. */
function fillWords(filled: number, added: number): string {
  const words = `Fill ${plural(filled, "column")}`;
  return added > 0 ? `${words} and add ${added.toLocaleString()}` : words;
}

/** Tells the import that stands beside a list already: in the list's table, or in one that begins where the new columns would. */
function isOf(beside: ListOrder): (kept: KeptImport) => boolean {
  const { list, header } = beside;
  if (list.table) return ({ saved }) => saved.tableId === list.table?.id && tellsOfAhj(saved, header.text);
  const { address, columns } = cellsOfList(list);
  const first = cellAddress(address, besideArea(beside, 1).row - list.row, columns);
  return ({ saved, place }) =>
    saved.listHeader === header.text && place !== null && cellAddress(place.address, 0, 0) === first;
}

/** The size of the columns beside a list, which have the list's rows. */
function sizeBeside(beside: ListOrder, types: readonly DataPointType[], form: TableForm) {
  const isTogether = beside.list.table !== null || beside.wantsTable;
  const { together, apart } = columnCounts(types, form);
  const columns = isTogether ? together : apart;
  const area = besideArea(beside, columns);
  return {
    rows: area.rows,
    columns: area.columns,
    fitsSheet: fitsSheet({ rows: area.row + area.rows, columns: area.column + columns }),
  };
}

function columnCounts(types: readonly DataPointType[], form: TableForm) {
  return { together: listColumns(types, form).length, apart: listColumns(types, form, true).length };
}

/** Says what is lost when another import replaces this one. */
function ReplaceWarning({ replaces, size }: { replaces: Replaceable; size: TableSize }) {
  const { kept, address, rows, columns, ownColumns, ownRows } = replaces;
  const isSame = rows === size.rows && columns === size.columns;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>“{kept.saved.name}” will be replaced.</MessageBarTitle>
        {isSame
          ? `The new table in ${address} has the same size as the old one.`
          : `${plural(rows, "row")} × ${plural(columns, "column")} in ${address} become ${plural(size.rows, "row")} × ${plural(size.columns, "column")}.`}
        {ownColumns.length > 0 && ` Your own columns in it are lost: ${ownColumns.join(", ")}.`}
        {ownRows > 0 && ` ${plural(ownRows, "row")} of your own would be lost, too.`}
      </MessageBarBody>
    </MessageBar>
  );
}

/** The pause before an estimate: the user may go on choosing. */
const estimateDelayMs = 150;

/**
 * Estimates an import from the stored data. Null if there is nothing to estimate, or no estimate yet. Until a new choice is estimated, this
 * is the estimate of the last one: call `importSize` if the table's size is needed at once.
 */
function useEstimate(
  order: ImportOrder | null,
  lookup: Lookup,
  catalogue: readonly DataPointType[],
): ImportEstimate | null {
  const [shown, setShown] = useState<ImportEstimate | null>(null);
  const { question, form, hasSources } = order ?? {};
  const chosen = useMemo(
    () => question && form && hasSources !== undefined && { question, form, hasSources },
    [question, form, hasSources],
  );
  const ahjs = question?.ahjs;
  // The stored answers of these jurisdictions are read once, whatever questions are chosen.
  const recalled = useMemo(
    () => (ahjs ? lookup.answers.recall(ahjs.map(({ id }) => id)) : Promise.resolve()),
    [ahjs, lookup],
  );
  useEffect(() => {
    // The last estimate stays until the next one is there, so that nothing moves on the screen meanwhile.
    if (!chosen) return;
    let current = true;
    async function work(order: Pick<ImportOrder, "question" | "form" | "hasSources">) {
      await recalled;
      if (!current) return;
      const estimate = await estimateImport(order, lookup, catalogue);
      if (current) setShown(estimate);
    }
    const timer = setTimeout(() => void work(chosen), estimateDelayMs);
    return () => {
      clearTimeout(timer);
      current = false;
    };
  }, [chosen, recalled, lookup, catalogue]);
  return chosen ? shown : null;
}
