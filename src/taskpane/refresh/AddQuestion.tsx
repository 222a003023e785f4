import { Field, makeStyles, tokens } from "@fluentui/react-components";
import { useCallback, useState } from "react";
import type { Session } from "../../app";
import type { KeptImport } from "../../workbook/imports/saved/import-book";
import { QuestionSearch } from "../fill/types/QuestionSearch";
import type { PaneApp } from "../pane-app";
import type { TabName } from "../PaneTabs";
import { FailureMessage } from "../ui/FailureMessage";
import { shownName } from "../ui/labels";
import { useLoad } from "../ui/loading/use-load";
import AddedQuestions, { type AddedQuestionsOrder } from "./AddedQuestions";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
});

/** Searches for a question, and adds its answers to the table of an import as a column. */
export default function AddQuestion({
  app,
  session,
  kept,
  tab,
  onAdded,
}: {
  app: PaneApp;
  session: Session;
  kept: KeptImport;
  /** The tab that this stands on. */
  tab: TabName;
  onAdded: () => void;
}) {
  const styles = useStyles();
  const { catalogue } = session.lookup;
  // The catalogue is loaded once the user is about to choose.
  const [isWanted, setIsWanted] = useState(false);
  const asked = kept.saved.types;
  const load = useCallback(async () => {
    if (!isWanted) return undefined;
    const there = new Set(asked.map(({ id }) => id));
    return (await catalogue.types()).filter(({ id }) => !there.has(id));
  }, [catalogue, isWanted, asked]);
  const { value: types, failure, retry } = useLoad(load);
  const [order, setOrder] = useState<AddedQuestionsOrder>();
  return (
    <section className={styles.column} aria-label="Add a question" onFocus={() => setIsWanted(true)}>
      <Field label="Add a question" hint={`Its answers become a column of “${shownName(kept.saved.name)}”.`}>
        <QuestionSearch
          catalogue={catalogue}
          type={null}
          types={types}
          onChoose={(type) => app.jobs.isExcluded("imports") || setOrder({ kept, types: [type] })}
        />
      </Field>
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {order && (
        <AddedQuestions
          key={order.types.map(({ id }) => id).join()}
          {...{ app, session, order, tab }}
          onDone={onAdded}
        />
      )}
    </section>
  );
}
