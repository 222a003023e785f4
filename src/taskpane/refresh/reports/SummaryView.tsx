import { makeStyles, ProgressBar, Text, tokens } from "@fluentui/react-components";
import { type RefObject, useCallback, useState } from "react";
import type { Session } from "../../../app";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { QuestionSummary } from "../../../workbook/imports/refresh/summary";
import type { PaneApp } from "../../pane-app";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownName } from "../../ui/labels";
import { useLoad } from "../../ui/use-load";
import type { Imports } from "../use-saved-imports";
import { createSummaryWork } from "./summary-work";
import { QuestionActions, SummaryActions } from "./SummaryActions";

const useStyles = makeStyles({
  list: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalM, margin: 0, padding: 0 },
  item: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalXXS,
    listStyleType: "none",
    overflowWrap: "anywhere",
  },
  answers: { margin: 0, padding: 0, listStyleType: "none" },
  answer: { display: "flex", justifyContent: "space-between", gap: tokens.spacingHorizontalS },
  figure: { flexShrink: 0 },
  bar: {
    height: "6px",
    minWidth: "2px",
    backgroundColor: tokens.colorBrandBackground,
    "@media (forced-colors: active)": { forcedColorAdjust: "none", backgroundColor: "CanvasText" },
  },
});

/** What an import's table shows, question by question; nothing is asked of the service. */
export default function SummaryView({
  app,
  session,
  kept,
  imports,
}: {
  app: PaneApp;
  session: Session;
  kept: KeptImport;
  imports: RefObject<Imports>;
}) {
  const styles = useStyles();
  const [work] = useState(() =>
    createSummaryWork(app, session, kept, () => {
      const state = imports.current.refreshes.get(kept.saved.id);
      return state?.status === "done" ? state.report : undefined;
    }),
  );
  const { value: colored } = useLoad(work.colored);
  /** Color scales that were turned on or off here. */
  const [turned, setTurned] = useState<ReadonlyMap<number, boolean>>(new Map());
  // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each time it is opened
  const load = useCallback(() => imports.current.summary(kept), []);
  const { value: questions, failure, retry } = useLoad(load);
  if (failure) return <FailureMessage failure={failure} onRetry={retry} />;
  if (!questions) return <ProgressBar aria-label="Reading the table" />;
  return (
    <div className={styles.list}>
      <SummaryActions work={work} />
      <ul className={styles.list} role="list" aria-label={`Summary of ${kept.saved.name}`}>
        {questions.map((question) => (
          <li key={question.type.id} className={styles.item}>
            <Question question={question} />
            <QuestionActions
              work={work}
              type={question.type}
              isColored={
                question.numbers ? (turned.get(question.type.id) ?? colored?.get(question.type.id)) : undefined
              }
              onColored={(isOn) => setTurned((before) => new Map([...before, [question.type.id, isOn]]))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Of a table with many questions or texts, a text as long as a page is shown in part. */
const mostCharacters = 120;

function Question({ question: { type, counts, numbers, texts, commonest } }: { question: QuestionSummary }) {
  const styles = useStyles();
  const facts = [
    `${counts.value.toLocaleString()} with a value`,
    `${counts.none.toLocaleString()} none`,
    ...(counts.noAccess > 0 ? [`${counts.noAccess.toLocaleString()} no access`] : []),
  ];
  const others = texts - commonest.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <Text weight="semibold">{shownName(type.name)}</Text>
      <Text size={200}>{facts.join(", ")}</Text>
      <ul className={styles.answers} role="list">
        {numbers?.map(({ label, text, share }) => (
          <Answer key={label} text={label} figure={text} share={share} />
        ))}
        {commonest.map(({ text, count, share }) => (
          <Answer
            key={text}
            text={text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text}
            figure={count.toLocaleString()}
            share={share}
          />
        ))}
      </ul>
      {others > 0 && <Text size={200}>and {plural(others, "other cell")}</Text>}
    </>
  );
}

function Answer({ text, figure, share }: { text: string; figure: string; share: number }) {
  const styles = useStyles();
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <li>
      <div className={styles.answer}>
        <Text size={200}>{text}</Text>
        <Text size={200} className={styles.figure}>
          {figure}
        </Text>
      </div>
      <div className={styles.bar} style={{ width: `${percent}%` }} aria-hidden="true" />
    </li>
  );
}
