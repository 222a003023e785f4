import { makeStyles, ProgressBar, tokens } from "@fluentui/react-components";
import { useCallback, useEffect, useState } from "react";
import type { KeylessSession, Session } from "../../../app";
import type { ImportSummary } from "../../../workbook/imports/summary/import-pictures";
import type { QuestionPicture } from "../../../pictures/question-picture";
import { type ChartSubject, mostBars } from "../../../workbook/imports/summary/question-chart";
import { isDateFormat } from "../../../workbook/sheet/values/shown-number";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { PaneApp } from "../../pane-app";
import { QuestionPictures } from "../../pictures/QuestionPictures";
import type { MapPicture } from "../../pictures/map/map-picture";
import { FailureMessage } from "../../ui/FailureMessage";
import { useLoad } from "../../ui/loading/use-load";
import type { SavedImportsControl } from "../saved-imports-control";
import { createSummaryWork, type SummaryWork } from "./summary-work";
import { QuestionActions, SummaryActions } from "./SummaryActions";

const useStyles = makeStyles({
  list: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalL, margin: 0, padding: 0 },
  item: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalXXS,
    listStyleType: "none",
    overflowWrap: "anywhere",
  },
});

/** A summary of an import's table, question by question. The service is not asked. */
export default function SummaryView({
  app,
  session,
  kept,
  imports,
}: {
  app: PaneApp;
  session: Session | KeylessSession;
  kept: KeptImport;
  imports: SavedImportsControl;
}) {
  const styles = useStyles();
  const [work] = useState(() =>
    createSummaryWork(app, session, kept, () => {
      const state = imports.getState().refreshes.get(kept.saved.id);
      return state?.status === "done" ? state.report : undefined;
    }),
  );
  const { value: colored } = useLoad(work.colored);
  /** Color scales that were turned on or off on this screen, by the type's id. */
  const [turned, setTurned] = useState<ReadonlyMap<number, boolean>>(new Map());
  // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each time it is opened
  const load = useCallback(() => imports.summary(kept), []);
  const { value: summary, failure, retry } = useLoad(load);
  const [selectedAhjId, setSelectedAhjId] = useState<number | null>(null);
  useEffect(() => imports.followRow(kept, setSelectedAhjId), [imports, kept]);
  if (failure) return <FailureMessage failure={failure} onRetry={retry} />;
  if (!summary) return <ProgressBar aria-label="Reading the table" />;
  return (
    <div className={styles.list}>
      <SummaryActions work={work} />
      <ul className={styles.list} role="list" aria-label={`Summary of ${kept.saved.name}`}>
        {summary.pictures.map((picture) => {
          const { question, amounts } = picture;
          const isColored = turned.get(question.id) ?? colored?.get(question.id);
          return (
            <li key={question.id} className={styles.item}>
              <Question {...{ kept, imports, work, summary, picture, selectedAhjId }} />
              <QuestionActions
                work={work}
                type={question}
                subjects={subjectsOf(picture)}
                isColored={amounts ? isColored : undefined}
                onColored={(isOn) => setTurned((before) => new Map([...before, [question.id, isOn]]))}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The subjects that charts of a question may have. */
function subjectsOf({ amounts, counts }: QuestionPicture): ChartSubject[] {
  if (!amounts || isDateFormat(amounts.numberFormat)) return ["answers"];
  return ["answers", ...(counts.value <= mostBars ? (["jurisdictions"] as const) : []), "states"];
}

function Question({
  kept,
  imports,
  work,
  summary,
  picture,
  selectedAhjId,
}: {
  kept: KeptImport;
  imports: SavedImportsControl;
  work: SummaryWork;
  summary: ImportSummary;
  picture: ImportSummary["pictures"][number];
  selectedAhjId: number | null;
}) {
  const { question } = picture;
  const answers = useCallback(() => summary.answersTo(question), [summary, question]);
  const goTo = useCallback(
    (ahjId: number) => imports.goToAnswer(kept, summary, question, ahjId),
    [imports, kept, summary, question],
  );
  const insertMap = (drawn: MapPicture) => work.insertMap(question.name, drawn);
  const selected = selectedAhjId === null ? null : summary.answerOf(question, selectedAhjId);
  return <QuestionPictures {...{ picture, answers, selected, goTo, insertMap }} />;
}
