import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
} from "@fluentui/react-components";
import { config } from "../../../config";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import type { DataPointType } from "../../../engine/api/schemas";
import { estimateImport, type ImportEstimate, importSize } from "../../../workbook/imports/run/estimate";
import type { ImportOrder, ListOrder } from "../../../workbook/imports/run/import-types";
import {
  fitsSheet,
  listColumns,
  type TableForm,
  type TableSize,
} from "../../../workbook/sheet/layout/table-plan";
import { besideArea } from "../../../workbook/sheet/lists/list-column";
import type { Lookup } from "../../../engine/lookup/lookup";
import { PaneFooter } from "../../ui/PaneFooter";
import { type Jobs, useIsExcluded } from "../../jobs/jobs";
import { lazyView } from "../../ui/loading/lazy-view";
import { ScreenBoundary } from "../../ui/loading/ScreenBoundary";
import { plural } from "../../ui/labels";
import { CsvReport } from "../csv/CsvReport";
import { useCsv } from "../csv/use-csv";
import type { Draft, DraftAction, DraftedImport } from "../draft/draft";
import type { Replaceable, ReplaceableImports } from "../place/use-replaceable";
import { leftWords } from "../jurisdictions/left-words";
import { useLimit } from "../jurisdictions/use-limit";
import { ImportOutcome } from "./ImportOutcome";
import type { ImportControl, InsertOrder } from "./import-control";

// The menu loads later, because few use it and its script is half as large as the rest.
const OtherWays = lazyView(() => import("./OtherWays"));

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Stays below the steps. It shows an import's size and requests, the button that inserts it, its progress and its outcome. */
export function ImportFooter({
  session,
  jobs,
  control,
  draft: { isBeside, place },
  drafted: { order: ordered, missing, types, beside, unmatched },
  replaceable,
  change,
}: {
  session: Session;
  jobs: Jobs;
  control: ImportControl;
  draft: Draft;
  /** The import that the draft asks for. */
  drafted: DraftedImport;
  replaceable: ReplaceableImports;
  change: (action: DraftAction) => void;
}) {
  const styles = useStyles();
  const state = useStore(control);
  const csv = useCsv(session, jobs);
  const isRunning = state.status === "running";
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

  const ways = {
    sheet: {
      label: "Insert on a new sheet",
      isPossible: order !== null && !isExcluded,
      insert: () => order && control.insertOnNewSheet(order),
    },
    cell: {
      label: "Insert at the selected cell",
      isPossible: isWhole && !isExcluded,
      insert: () => order && control.insertAtSelectedCell(order),
    },
    replace: {
      label: "Replace the import",
      isPossible: isWhole && replaces !== null && !isReplacingExcluded,
      insert() {
        if (!order || !replaces || isReplacingExcluded) return;
        change({ type: "place", place: "sheet" });
        control.replace({ ...order, replaces });
      },
    },
    beside: {
      label: "Add columns",
      isPossible: order !== null && beside !== undefined && !isExcluded,
      insert: () =>
        order &&
        beside &&
        control.insertBeside({ ...order, beside, columns: columnCounts(types, order.form) }),
    },
  };
  const primary = ways[isBeside ? "beside" : typeof place === "string" ? place : "replace"];
  const asFile = {
    label: "Save as CSV",
    isPossible: ordered !== null && csv.state.status !== "running",
    insert: () => ordered && csv.save(ordered.question, ordered.sheetName),
  };
  const others = [...(isBeside ? [] : [ways.sheet, ways.cell].filter((way) => way !== primary)), asFile];

  return (
    <PaneFooter label="Insert">
      {ordered && estimate && size && (
        <EstimateText
          session={session}
          asked={{ jurisdictions: ordered.question.ahjs.length, questions: types.length }}
          estimate={{ ...estimate, ...size }}
          isMost={ordered.form.layout === "long"}
          areMostRequests={
            ordered.question.kind === "collection" || ordered.hasSources || ordered.form.hasDates === true
          }
          parts={parts}
        />
      )}
      {!ordered && !isRunning && <Text size={200}>{missing}</Text>}
      {replaces && size && !isRunning && <ReplaceWarning replaces={replaces} size={size} />}
      <div className={styles.row}>
        <Button
          appearance="primary"
          disabledFocusable={!primary.isPossible}
          onClick={() => void primary.insert()}
        >
          {primary.label}
        </Button>
        <ScreenBoundary fallback={<></>}>
          <OtherWays ways={others} />
        </ScreenBoundary>
      </div>
      <ImportOutcome {...{ state, control, jobs }} />
      {isRunning && (
        <div className={styles.row}>
          {/* One button serves both purposes, so that the focus stays on it. */}
          <Button onClick={state.isPaused ? control.goOn : control.pause}>
            {state.isPaused ? "Resume" : "Pause"}
          </Button>
          <Button onClick={control.cancel}>Cancel</Button>
        </div>
      )}
      <CsvReport state={csv.state} cancel={csv.cancel} />
    </PaneFooter>
  );
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

/** The size of an import and its requests, and the requests that are left. */
function EstimateText({
  session,
  asked,
  estimate: { rows, columns, requests, csvRequests, fitsSheet },
  isMost = false,
  areMostRequests = false,
  parts = 1,
}: {
  session: Session;
  asked: { jurisdictions: number; questions: number };
  estimate: ImportEstimate;
  /** True if the table may have fewer rows. */
  isMost?: boolean;
  /** True if the import may take fewer requests. */
  areMostRequests?: boolean;
  /** The number of tables that the import comes in. */
  parts?: number;
}) {
  const limit = useLimit(session);
  const { left } = limit;
  return (
    <>
      <Text role="status" size={200}>
        {plural(asked.jurisdictions, "jurisdiction")} × {plural(asked.questions, "question")}:{" "}
        {isMost && "up to "}
        {plural(rows, "row")} × {plural(columns, "column")}, {areMostRequests && requests > 0 && "at most "}
        {plural(requests, "request")} {leftWords(limit)}
      </Text>
      {csvRequests !== requests && (
        <Text size={200}>
          Save as CSV: {plural(csvRequests, "request")}, because the service makes the file.
        </Text>
      )}
      {!fitsSheet && (
        <Warning>
          That is more than a sheet holds: {plural(config.sheetRows, "row")},{" "}
          {plural(config.sheetColumns, "column")}. Choose fewer, or save it as CSV.
        </Warning>
      )}
      {fitsSheet && parts > 1 && (
        <Warning>
          That is too much for one table. It comes in {parts.toLocaleString()} tables, each on a new sheet.
        </Warning>
      )}
      {fitsSheet && left !== undefined && requests > left && (
        <Warning>
          That may be more requests than are left. The import waits until your limit resets, then continues.
        </Warning>
      )}
    </>
  );
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{children}</MessageBarBody>
    </MessageBar>
  );
}
