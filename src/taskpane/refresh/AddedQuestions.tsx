import { Button, MessageBar, MessageBarBody } from "@fluentui/react-components";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../app";
import type { KeptImport } from "../../workbook/imports/saved/import-book";
import type { ListOrder } from "../../workbook/imports/run/import-types";
import { importToFill } from "../../workbook/imports/saved/import-to-fill";
import { listToFill } from "../../workbook/imports/saved/list-to-fill";
import type { SavedImport } from "../../workbook/imports/saved/saved-import";
import type { ColumnType, OwnColumn } from "../../workbook/sheet/layout/table-plan";
import { JobView } from "../jobs/JobView";
import type { PaneApp } from "../pane-app";
import type { TabName } from "../PaneTabs";
import { FailureMessage } from "../ui/FailureMessage";
import { shownName } from "../ui/labels";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import { reportActions } from "./report-actions";
import { createSavedImportsControl } from "./saved-imports-control";

const RefreshReportView = lazyView(() => import("./reports/RefreshReportView"));

/** Questions that an import gets in addition. Each order is a new object. */
export type AddedQuestionsOrder = {
  types: readonly ColumnType[];
  /** The user's own columns that get the answers to some of them. The others get new columns. */
  into?: readonly OwnColumn[];
} & (
  | { kept: KeptImport }
  /** A list in the user's own table, and the name that the import of its columns gets. */
  | { toFill: ListOrder; name: string }
);

/** Adds questions to an import once it is shown, tells how far that is, and what came of it. */
export default function AddedQuestions({
  app,
  session,
  order,
  tab,
  onDone,
}: {
  app: PaneApp;
  session: Session;
  order: AddedQuestionsOrder;
  /** The tab that this stands on. */
  tab: TabName;
  /** Called once the columns are there. */
  onDone?: (() => void) | undefined;
}) {
  const [control] = useState(() => createSavedImportsControl(app, session, { tab }));
  const { list, refreshes, failure, isRefreshing, marks } = useStore(control);
  const { types, into = [] } = order;
  const saved = useMemo(() => savedOf(order, session), [order, session]);
  const state = saved && refreshes.get(saved.id);
  const kept = list?.imports.find((each) => each.saved.id === saved?.id);
  const report = state?.status === "done" ? state.report : undefined;
  const actions = useMemo(
    () => report && kept && reportActions(control, kept, report),
    [control, kept, report],
  );
  useEffect(() => {
    if (!saved) return undefined;
    const change = { types: [...saved.types, ...types], newAhjs: [], into };
    const run = "kept" in order ? control.change(order.kept, change) : control.fill(saved, change);
    void run.then((isDone) => isDone && onDone?.());
    return control.cancel;
    // The order is carried out once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [control, order]);
  if (!saved) return null;
  if (failure) return <FailureMessage failure={failure} />;
  if (state?.status === "failed") return <FailureMessage failure={state.failure} />;
  const names = types.map(({ name }) => shownName(name)).join(", ");
  if (report)
    return (
      <>
        <MessageBar intent="success" layout="multiline">
          <MessageBarBody>
            {into.length > 0 ? "Filled in" : "Added to"} “{shownName(saved.name)}”: {names}.
          </MessageBarBody>
        </MessageBar>
        {into.length > 0 && actions && (
          <ScreenBoundary>
            <RefreshReportView
              {...{ report, actions }}
              isCollection={false}
              isBesideList
              isFirst
              isMarked={marks.has(saved.id)}
              isBusy={isRefreshing}
            />
          </ScreenBoundary>
        )}
      </>
    );
  return (
    <div>
      {state?.status === "running" && (
        <JobView job={state.job} label={into.length > 0 ? "Filling your columns" : `Adding ${names}`} />
      )}
      <Button size="small" onClick={control.cancel}>
        Cancel
      </Button>
    </div>
  );
}

/** The import that gets the questions: one that is there, or one that begins with them. Null for a list that stands in no table. */
function savedOf(order: AddedQuestionsOrder, { credentials }: Session): SavedImport | null {
  if ("kept" in order) return order.kept.saved;
  const list = listToFill(order.toFill, order.name);
  return list && importToFill(list, credentials.baseUrl);
}
