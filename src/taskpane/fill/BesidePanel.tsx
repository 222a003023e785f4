import { Button, makeStyles, MessageBar, MessageBarBody, Text, tokens } from "@fluentui/react-components";
import { useMemo, useRef } from "react";
import type { Ahj, DataPointType } from "../../engine/api/schemas";
import type { Session } from "../../app";
import type { ImportQuestion } from "../../workbook/imports/run/question";
import { importName } from "../../workbook/imports/saved/import-name";
import { createPlaces } from "../../engine/lookup/directory/places";
import { besideArea, type BesideList, rowsAbove } from "../../workbook/sheet/tables/list-column";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import { fitsSheet, listColumns, type TableForm } from "../../workbook/sheet/layout/table-plan";
import type { PaneApp } from "../pane-app";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, shownName, waitingForLimit } from "../ui/labels";
import { EstimateText } from "./EstimateText";
import { NameQuestions } from "./jurisdictions/NameQuestions";
import { SendQuestion } from "./jurisdictions/SendQuestion";
import { UnmatchedGeoids } from "./jurisdictions/UnmatchedGeoids";
import { useEstimate } from "./use-estimate";
import type { ImportOrder, ListOrder } from "./use-import";
import { type ListInSheet, useList } from "./jurisdictions/use-list";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Puts the chosen types beside a list that stands in the sheet: reads it, asks about its names, shows what it takes. */
export function BesidePanel({
  app,
  session,
  types,
  form: { hasCitations, hasNotes },
  hasSources,
  isRunning,
  onInsert,
}: {
  app: PaneApp;
  session: Session;
  types: readonly DataPointType[];
  form: TableForm;
  hasSources: boolean;
  isRunning: boolean;
  onInsert: (order: ImportOrder & { beside: ListOrder }) => void;
}) {
  const styles = useStyles();
  const { list, entries, failure, read, dismiss } = useList(app, session);
  const button = useRef<HTMLButtonElement>(null);
  const { questions, isResolving } = entries;
  const places = useMemo(
    () => createPlaces(questions.length > 0 ? session.lookup.directory.known() : []),
    [questions, session],
  );
  const form = useMemo<TableForm>(
    () => ({ layout: "wide", hasCitations, hasNotes }),
    [hasCitations, hasNotes],
  );
  const question = useMemo(() => (list ? questionOf(list, types) : null), [list, types]);
  const isAsking = questions.length > 0;
  const estimate = useEstimate(
    isRunning || isAsking ? null : question,
    session.lookup,
    types,
    form,
    hasSources,
  );
  const beside = useMemo(() => list && orderOf(list), [list]);
  const columns = listColumns(types, form).length;
  const area = beside && besideArea(beside, columns);
  const size = area && {
    ...area,
    fitsSheet: fitsSheet({ rows: area.row + area.rows, columns: area.column + columns }),
  };

  function leave() {
    button.current?.focus();
    dismiss();
  }

  return (
    <section className={styles.column} aria-label="Beside my list">
      <div className={styles.row}>
        <Button
          ref={button}
          disabledFocusable={types.length === 0 || isResolving || isRunning}
          onClick={() => void read()}
        >
          Beside my list
        </Button>
      </div>
      {!list && !isResolving && (
        <Text size={200}>
          Select a column of geoIDs or names in the sheet; the types become columns beside it.
        </Text>
      )}
      {isResolving && (
        <>
          <Text role="status">
            {entries.waitingUntilMs === undefined
              ? "Looking them up…"
              : waitingForLimit(entries.waitingUntilMs)}
          </Text>
          <div className={styles.row}>
            <Button size="small" onClick={entries.cancel}>
              Cancel
            </Button>
          </div>
        </>
      )}
      {failure && <FailureMessage failure={failure} />}
      <SendQuestion question={entries.sendQuestion} />
      {entries.failure && <FailureMessage failure={entries.failure} />}
      <NameQuestions
        session={session}
        jurisdictions={entries}
        places={places}
        onDone={() => button.current?.focus()}
      />
      <UnmatchedGeoids jurisdictions={entries} />
      {list && beside && !isAsking && !isRunning && (
        <>
          <Text role="status">{summaryOf(list)}</Text>
          <Text>{headerWords(beside)}</Text>
          {list.column.hasLeft && (
            <MessageBar intent="warning" layout="multiline">
              <MessageBarBody>
                Something stands to its left. Sorting the new table would leave that behind: make all of it a
                table first (Ctrl+T).
              </MessageBarBody>
            </MessageBar>
          )}
          {question && estimate && size && (
            <EstimateText
              session={session}
              estimate={{ ...estimate, ...size }}
              areMostRequests={hasSources}
            />
          )}
          <div className={styles.row}>
            <Button
              size="small"
              appearance="primary"
              disabledFocusable={!question || !estimate || !size?.fitsSheet}
              onClick={() => {
                if (!question || !size) return;
                leave();
                onInsert({
                  question,
                  form,
                  hasSources,
                  size,
                  parts: 1,
                  sheetName: importName({ ahjs: question.ahjs, types }),
                  unmatched: [
                    ...entries.unmatched,
                    ...(entries.lastList?.unreadable ?? []).map(
                      (geoid) => ({ geoid, kind: "nothing-found" }) as const,
                    ),
                  ],
                  beside,
                });
              }}
            >
              Fill in
            </Button>
            <Button size="small" onClick={leave}>
              Leave it
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** Null while there is nothing to ask. Each AHJ once, in the order of the list. */
function questionOf({ ahjs }: ListInSheet, types: readonly DataPointType[]): ImportQuestion | null {
  const byId = new Map(ahjs.flatMap((ahj) => (ahj ? [[ahj.id, ahj] as const] : [])));
  return byId.size > 0 && types.length > 0 ? { kind: "matrix", ahjs: [...byId.values()], types } : null;
}

function orderOf({ column, rows, ahjs }: ListInSheet): ListOrder {
  const beside: BesideList = { list: column, header: rows.header };
  const above = rowsAbove(beside);
  const all = Array.from({ length: besideArea(beside, 1).rows - 1 }, (_, row): Ahj | null => {
    return ahjs[row - above] ?? null;
  });
  const first = column.values.length - rows.entries.length + (rows.header.from === "inserted" ? 1 : 0);
  return {
    ...beside,
    ahjs: all,
    blanks: rows.blanks.map((row) => cellAddress(column.address, first + row, 0)),
  };
}

function summaryOf({ column, rows, ahjs }: ListInSheet): string {
  const found = ahjs.filter((ahj) => ahj !== null);
  const different = new Set(found.map(({ id }) => id)).size;
  const others = rows.entries.length - found.length - rows.blanks.length;
  const parts = [
    `${found.length.toLocaleString()} of ${plural(rows.entries.length, "row")} in ${column.address} have a jurisdiction`,
    different < found.length ? `${different.toLocaleString()} different ones` : "",
    rows.blanks.length > 0 ? `${rows.blanks.length.toLocaleString()} blank` : "",
    others > 0 ? `${others.toLocaleString()} not matched` : "",
  ];
  return `${parts.filter((part) => part !== "").join(", ")}.`;
}

function headerWords({ list, header }: BesideList): string {
  switch (header.from) {
    case "table":
      return "The columns are added to its table.";
    case "list":
    case "above":
      return `“${shownName(header.text)}” is its header. It becomes a table with the new columns.`;
    case "new":
      return `“${shownName(header.text)}” is written above it as its header. It becomes a table with the new columns.`;
    case "inserted":
      return `It has no header: cells are inserted above ${cellAddress(list.address, 0, 0)}, and what is below moves down by one. It becomes a table with the new columns.`;
  }
}
