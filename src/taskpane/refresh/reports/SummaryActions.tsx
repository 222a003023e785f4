import { Button, makeStyles, ToggleButton, tokens } from "@fluentui/react-components";
import { shownName } from "../../ui/labels";
import { useAction } from "../../pictures/use-action";
import type { ChartSubject } from "../../../workbook/imports/summary/question-chart";
import { MissingButton } from "./MissingButton";
import type { SummaryWork } from "./summary-work";

const useStyles = makeStyles({
  actions: {
    display: "flex",
    flexWrap: "wrap",
    gap: tokens.spacingHorizontalXS,
    "& button": { minWidth: 0 },
  },
});

/** Buttons that put the whole summary, and the list of missing values, on sheets. */
export function SummaryActions({ work }: { work: SummaryWork }) {
  const styles = useStyles();
  const { act, isBusy, outcome } = useAction();
  return (
    <>
      <div className={styles.actions}>
        <Button
          size="small"
          disabledFocusable={isBusy}
          onClick={() => act(async () => `Written to ${await work.writeSummary()}.`)}
        >
          Summary as a sheet
        </Button>
        <MissingButton {...{ work, act, isBusy }} />
      </div>
      {outcome}
    </>
  );
}

/** The charts of a question: the button's words, and what is said if there is nothing to draw. */
const charts = {
  answers: { words: "Insert as chart", none: "There are no values to chart." },
  jurisdictions: { words: "Bars by jurisdiction", none: "There are no amounts to chart." },
  states: { words: "Medians by state", none: "Fewer than two states have a median." },
} satisfies Record<ChartSubject, object>;

/**
 * The actions on one question. `subjects` are what its charts may show; `isColored` is undefined if its column can't be colored by numbers.
 */
export function QuestionActions({
  work,
  type,
  subjects,
  isColored,
  onColored,
}: {
  work: SummaryWork;
  type: { id: number; name: string };
  subjects: readonly ChartSubject[];
  isColored: boolean | undefined;
  onColored: (isOn: boolean) => void;
}) {
  const styles = useStyles();
  const { act, isBusy, outcome } = useAction();
  const name = shownName(type.name);
  return (
    <>
      <div className={styles.actions}>
        {subjects.map((subject) => (
          <Button
            key={subject}
            size="small"
            disabledFocusable={isBusy}
            aria-label={`${charts[subject].words}: ${name}`}
            onClick={() =>
              act(async () => {
                const address = await work.insertChart(type.id, subject);
                return address === null ? charts[subject].none : `Inserted beside ${address}.`;
              })
            }
          >
            {charts[subject].words}
          </Button>
        ))}
        {isColored !== undefined && (
          <ToggleButton
            size="small"
            checked={isColored}
            disabledFocusable={isBusy}
            aria-label={`Color scale: ${name}`}
            onClick={() =>
              act(async () => {
                await work.setColored(type.id, !isColored);
                onColored(!isColored);
                return isColored ? "Color scale removed." : "Low numbers are pale, high numbers blue.";
              })
            }
          >
            Color scale
          </ToggleButton>
        )}
      </div>
      {outcome}
    </>
  );
}
