import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useMemo, useSyncExternalStore } from "react";
import type { Session } from "../../../app";
import type { DataPointType } from "../../../engine/api/schemas";
import { importSize } from "../../../workbook/imports/run/estimate";
import type { ImportQuestion } from "../../../workbook/imports/run/import-types";
import { fitsSheet, listColumns, type TableForm } from "../../../workbook/sheet/layout/table-plan";
import { besideArea } from "../../../workbook/sheet/lists/list-column";
import { PaneFooter } from "../../ui/PaneFooter";
import { useIsExcluded } from "../../sheet-work";
import { lazyView } from "../../ui/loading/lazy-view";
import { ScreenBoundary } from "../../ui/loading/ScreenBoundary";
import { CsvReport } from "../csv/CsvReport";
import { useCsv } from "../csv/use-csv";
import type { Unmatched } from "../jurisdictions/chosen-jurisdictions";
import { EstimateText } from "./EstimateText";
import { ImportOutcome } from "./ImportOutcome";
import type { ImportControl, InsertOrder, ListOrder } from "./import-control";
import type { NewPlace } from "../place/PlacePicker";
import { ReplaceWarning } from "../place/ReplaceWarning";
import { useEstimate } from "./use-estimate";
import type { ReplaceableImports } from "../place/use-replaceable";

// The menu loads later, because few use it and its script is half as large as the rest.
const OtherWays = lazyView(() => import("./OtherWays"));

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** The current choices, in the form in which the footer inserts them. */
export interface Choice {
  /** Null while a choice is missing; `missing` names it. */
  question: ImportQuestion | null;
  missing: string;
  /** The types of the question. */
  types: readonly DataPointType[];
  form: TableForm;
  hasSources: boolean;
  name: string;
  unmatched: readonly Unmatched[];
  /** True if the import goes beside a list in the sheet. */
  isBeside: boolean;
  /** The list; undefined for a table of its own, and until the list is chosen. */
  beside: ListOrder | undefined;
}

/** Stays below the steps. It shows an import's size and requests, the button that inserts it, its progress and its outcome. */
export function ImportFooter({
  session,
  control,
  choice: { question, missing, types, form, hasSources, name, unmatched, isBeside, beside },
  place,
  replaceable,
}: {
  session: Session;
  control: ImportControl;
  choice: Choice;
  place: NewPlace;
  replaceable: ReplaceableImports;
}) {
  const styles = useStyles();
  const state = useSyncExternalStore(control.subscribe, control.getSnapshot);
  const csv = useCsv(session);
  const isRunning = state.status === "running";
  // The estimate is made anew after each run, because answers that were fetched cost nothing any more.
  const estimate = useEstimate(isRunning ? null : question, session.lookup, types, form, hasSources);
  const size = useMemo(() => {
    if (!question) return null;
    const ofTable = importSize(question, types, form, hasSources);
    return beside ? { ...ofTable, ...sizeBeside(beside, types, form) } : ofTable;
  }, [question, types, form, hasSources, beside]);
  const parts = beside ? 1 : session.lookup.answers.batchesFor(size?.answers ?? 0);
  const order: InsertOrder | null =
    question && estimate && size?.fitsSheet && !isRunning
      ? { question, form, hasSources, size, parts, sheetName: name, unmatched }
      : null;
  // An import in several tables needs several sheets, so only one table can go to the selected cell.
  const isWhole = order !== null && parts === 1;
  const isExcluded = useIsExcluded("cells");
  const isReplacingExcluded = useIsExcluded("imports");
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
        replaceable.choose(null);
        control.replace({ ...order, replaces });
      },
    },
    beside: {
      label: "Add columns",
      isPossible: order !== null && beside !== undefined && !isExcluded,
      insert: () =>
        order && beside && control.insertBeside({ ...order, beside, columns: columnCounts(types, form) }),
    },
  };
  const primary = ways[isBeside ? "beside" : replaceable.kept ? "replace" : place];
  const asFile = {
    label: "Save as CSV",
    isPossible: question !== null && csv.state.status !== "saving",
    insert: () => question && csv.save(question, name),
  };
  const others = [...(isBeside ? [] : [ways.sheet, ways.cell].filter((way) => way !== primary)), asFile];

  return (
    <PaneFooter label="Insert">
      {question && estimate && size && (
        <EstimateText
          session={session}
          asked={{ jurisdictions: question.ahjs.length, questions: types.length }}
          estimate={{ ...estimate, ...size }}
          isMost={form.layout === "long"}
          areMostRequests={question.kind === "collection" || hasSources || form.hasDates === true}
          parts={parts}
        />
      )}
      {!question && !isRunning && <Text size={200}>{missing}</Text>}
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
      <ImportOutcome state={state} control={control} />
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
