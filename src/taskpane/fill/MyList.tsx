import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useMemo, useRef } from "react";
import type { Session } from "../../app";
import { createPlaces } from "../../engine/lookup/directory/places";
import { cellAddress } from "../../workbook/sheet/layout/cell-address";
import { cellsOfList } from "../../workbook/sheet/lists/list-column";
import type { ListOrder } from "../../workbook/imports/run/import-types";
import { plural, shownName } from "../ui/labels";
import type { ListInSheet } from "./draft/draft";
import type { DraftControl } from "./draft/draft-control";
import { LookUp } from "./jurisdictions/LookUp";
import { NameQuestions } from "./jurisdictions/NameQuestions";
import ListAtAGlance from "./jurisdictions/list/ListAtAGlance";
import type { Jurisdictions } from "./jurisdictions/use-jurisdictions";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** Reads a list in the sheet, asks about unclear names, and summarizes the list. */
export default function MyList({
  session,
  draft: { readList, goToRow },
  entries,
  list,
  beside,
}: {
  session: Session;
  draft: Pick<DraftControl, "readList" | "goToRow">;
  /** The jurisdictions of the list. */
  entries: Jurisdictions;
  /** Null until it has been read. */
  list: ListInSheet | null;
  /** The list as the import goes beside it. */
  beside: ListOrder | null;
}) {
  const styles = useStyles();
  const button = useRef<HTMLButtonElement>(null);
  const { questions, isResolving } = entries;
  const places = useMemo(
    () => createPlaces(questions.length > 0 ? session.lookup.directory.known() : []),
    [questions, session],
  );
  return (
    <section className={styles.column} aria-label="My list">
      <Text size={200}>
        Select the column of geoIDs or names in your sheet, or several, such as City and State. Your questions
        become columns beside it.
      </Text>
      <div className={styles.row}>
        <Button ref={button} size="small" disabledFocusable={isResolving} onClick={() => void readList()}>
          Use selected cells
        </Button>
      </div>
      <LookUp state={entries.lookUp} cancel={entries.cancel} />
      <NameQuestions
        session={session}
        jurisdictions={entries}
        places={places}
        onDone={() => button.current?.focus()}
      />
      <ListAtAGlance
        jurisdictions={entries}
        {...(list && {
          placeOfRow: (row: number) => ({
            address: cellAddress(list.column.address, row - 1, 0),
            goTo: () => goToRow(row),
          }),
        })}
      />
      {list && beside && questions.length === 0 && (
        <>
          <Text role="status">{summaryOf(list)}</Text>
          <Text>{headerWords(beside)}</Text>
        </>
      )}
    </section>
  );
}

/** Summarizes a list in a line. */
function summaryOf({ column, rows, ahjs }: ListInSheet): string {
  const { address } = cellsOfList(column);
  const found = ahjs.filter((ahj) => ahj !== null);
  const different = new Set(found.map(({ ahj }) => ahj.id)).size;
  const others = rows.entries.length - found.length - rows.blanks.length;
  const isWhole = found.length === rows.entries.length;
  const parts = [
    isWhole
      ? `All ${plural(rows.entries.length, "row")} of ${address} matched`
      : `${found.length.toLocaleString()} of ${plural(rows.entries.length, "row")} in ${address} matched`,
    different < found.length ? `${different.toLocaleString()} different jurisdictions` : "",
    rows.blanks.length > 0 ? `${rows.blanks.length.toLocaleString()} blank` : "",
    others > 0 ? `${others.toLocaleString()} not found` : "",
  ];
  const told = `${parts.filter((part) => part !== "").join(", ")}.`;
  return others > 0 ? `${told} The column How certain tells these rows from those without a value.` : told;
}

function headerWords({ list, header, wantsTable }: ListOrder): string {
  if (list.table) return "The columns are added to its table.";
  const isNew = header.from === "new" || header.from === "inserted";
  const words =
    header.from === "inserted"
      ? `It has no header, so cells are inserted above ${cellAddress(list.address, 0, 0)} and everything below moves down.`
      : !isNew
        ? `“${shownName(header.text)}” is the header.`
        : wantsTable
          ? `“${shownName(header.text)}” is written above it as the header.`
          : "The headers of the new columns go into the row above it.";
  return wantsTable
    ? `${words} Your list becomes an Excel table with the new columns.`
    : `${words} The new columns are a table of their own: sorting your list does not move them.`;
}
