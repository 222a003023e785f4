import {
  Button,
  Checkbox,
  Field,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Select,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import { asFailure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { SavedImport } from "../../../workbook/imports/saved/saved-import";
import { type FilteredRows, filterRows } from "../../../workbook/sheet/tables/row-filter";
import type { PaneApp } from "../../pane-app";
import { type JobKind, useIsExcluded } from "../../jobs/jobs";
import { createSlot } from "../../jobs/slot";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownName } from "../../ui/labels";
import { leftWords } from "../jurisdictions/left-words";
import { useLimit } from "../jurisdictions/use-limit";
import { addedWords, addToList, asListFailure, mustReadDirectory } from "./add-to-list";
import type { FindControl, FindResult } from "./find-control";
import { findWords } from "../../../find/find-words";
import type { FoundChoice } from "../draft/draft";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** The actions on the found jurisdictions: use them for a table, add them to a list, or filter an import by them. */
export function FindActions({
  app,
  session,
  result,
  control,
  imports,
  footer,
  replaced,
  onUse,
}: {
  app: PaneApp;
  session: Session;
  result: FindResult;
  control: FindControl;
  /** The imports of the workbook that still have their table. */
  imports: readonly KeptImport[];
  /** The element at the bottom of the pane that gets the main button. */
  footer: HTMLElement | null;
  /** The number of chosen jurisdictions that those found take the place of. */
  replaced: number;
  onUse: (found: Omit<FoundChoice, "types">) => void;
}) {
  const styles = useStyles();
  const [isIncluding, setIsIncluding] = useState(false);
  const [importId, setImportId] = useState("");
  const [isAsking, setIsAsking] = useState(false);
  const limit = useLimit(session);
  const addButton = useRef<HTMLButtonElement>(null);
  // The result is a sentence on what was done.
  const [slot] = useState(() => createSlot<FindResult, string>(app.jobs));
  const outcome = useStore(slot);
  const { yes, "not-known": notKnown } = result.heaps.counts;
  const hasNotKnown = isIncluding && notKnown > 0;
  const count = yes + (hasNotKnown ? notKnown : 0);
  const isWorking = outcome.status === "running";
  const isExcluded = useIsExcluded(app.jobs, "cells");
  const isFilterExcluded = useIsExcluded(app.jobs, "imports");
  const kept = imports.find(({ saved }) => saved.id === importId);
  // The outcome of an action on another result is not shown.
  const shown = "order" in outcome && outcome.order === result ? outcome : undefined;

  async function work(kind: JobKind, title: string, act: (found: readonly Ahj[]) => Promise<string>) {
    const taken = control.take(hasNotKnown);
    if (taken) await slot.run(result, { kind, title, tab: "data" }, () => act(taken.ahjs));
  }

  const add = () =>
    work("cells", "Jurisdictions are being added to your list.", async (found) =>
      addToList(found, app, session).then(addedWords, (thrown: unknown) => {
        throw asListFailure(asFailure(thrown));
      }),
    );

  /** Asks first if looking up the list's names takes the whole list of jurisdictions. */
  async function addFound() {
    setIsAsking(false);
    try {
      if (!isWorking && (await mustReadDirectory(app, session))) return setIsAsking(true);
    } catch (thrown) {
      return slot.fail(asListFailure(asFailure(thrown)), result);
    }
    await add();
  }

  return (
    <>
      {notKnown > 0 && (
        <Checkbox
          label={`Include the ${notKnown.toLocaleString()} not known`}
          checked={isIncluding}
          onChange={(_, { checked }) => setIsIncluding(checked === true)}
        />
      )}
      {hasNotKnown && (
        <Text size={200}>
          In a table they become a plain list: a refresh does not ask the conditions again.
        </Text>
      )}
      {footer &&
        createPortal(
          <>
            {replaced > 0 && count > 0 && (
              <Text size={200}>In place of the {plural(replaced, "jurisdiction")} chosen now.</Text>
            )}
            <Button
              appearance="primary"
              disabledFocusable={count === 0}
              onClick={() => {
                const taken = control.take(hasNotKnown);
                if (taken && taken.ahjs.length > 0)
                  onUse({ ...taken, words: findWords(result.find, shownName) });
              }}
            >
              {count === 1 ? "Use the one found" : `Use the ${count.toLocaleString()} found`}
            </Button>
          </>,
          footer,
        )}
      <div className={styles.row}>
        <Button
          ref={addButton}
          size="small"
          disabledFocusable={count === 0 || isExcluded || isWorking}
          onClick={() => void addFound()}
        >
          Add to the selected list
        </Button>
      </div>
      {isAsking && (
        <MessageBar layout="multiline">
          <MessageBarBody>
            Your list has names. To look them up, the list of jurisdictions is read first, 500 in a request.{" "}
            {leftWords(limit)}
          </MessageBarBody>
          <MessageBarActions>
            <Button
              autoFocus
              onClick={() => {
                addButton.current?.focus();
                setIsAsking(false);
                void add();
              }}
            >
              Read it and add
            </Button>
            <Button
              onClick={() => {
                addButton.current?.focus();
                setIsAsking(false);
              }}
            >
              Cancel
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {imports.length > 0 && (
        <Field label="Show only these in an import">
          <Select value={kept ? importId : ""} onChange={(_, { value }) => setImportId(value)}>
            <option value="">Choose one</option>
            {imports.map(({ saved: { id, name } }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {kept && (
        <div className={styles.row}>
          <Button
            size="small"
            disabledFocusable={count === 0 || isFilterExcluded || isWorking}
            onClick={() =>
              void work("imports", "An import is being filtered.", async (found) => {
                const { shown: inSight, rows } = await filterImport(kept.saved, found, app);
                if (inSight === 0) return "None of those found is in the table. Nothing was filtered.";
                return `${inSight.toLocaleString()} of ${plural(rows, "row")} in sight. No row has moved. To show all rows again, choose Data, Clear in Excel.`;
              })
            }
          >
            Filter it
          </Button>
        </div>
      )}
      {shown?.status === "done" && (
        <MessageBar intent="success" layout="multiline">
          <MessageBarBody>{shown.result}</MessageBarBody>
        </MessageBar>
      )}
      {shown?.status === "failed" && <FailureMessage failure={shown.failure} />}
    </>
  );
}

/** Sets Excel's own filter so that an import's table shows only the rows of these jurisdictions. */
function filterImport(
  { tableId, columns }: SavedImport,
  found: readonly Ahj[],
  { workbook }: Pick<PaneApp, "workbook">,
): Promise<FilteredRows> {
  const header = columns.find(({ content }) => content.of === "ahj" && content.field === "id")?.header;
  if (header === undefined) return Promise.reject(new SheetFailure("table-gone"));
  const ids = new Set(found.map(({ id }) => id));
  return filterRows(workbook, tableId, header, (value) => value !== "" && ids.has(Number(value)));
}
