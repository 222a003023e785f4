import { Button, makeStyles, ToggleButton, tokens } from "@fluentui/react-components";
import { shownName } from "../../ui/labels";
import { useAction } from "../../pictures/use-action";
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
        <Button
          size="small"
          disabledFocusable={isBusy}
          onClick={() =>
            act(async () => {
              const address = await work.writeMissing();
              return address === null ? "Nothing is missing." : `Written to ${address}.`;
            })
          }
        >
          Missing as a sheet
        </Button>
      </div>
      {outcome}
    </>
  );
}

/** The actions on one question. `isColored` is undefined if its column can't be colored by numbers. */
export function QuestionActions({
  work,
  type,
  isColored,
  onColored,
}: {
  work: SummaryWork;
  type: { id: number; name: string };
  isColored: boolean | undefined;
  onColored: (isOn: boolean) => void;
}) {
  const styles = useStyles();
  const { act, isBusy, outcome } = useAction();
  const name = shownName(type.name);
  return (
    <>
      <div className={styles.actions}>
        <Button
          size="small"
          disabledFocusable={isBusy}
          aria-label={`Insert as chart: ${name}`}
          onClick={() =>
            act(async () => {
              const address = await work.insertChart(type.id);
              return address === null ? "There are no values to chart." : `Inserted beside ${address}.`;
            })
          }
        >
          Insert as chart
        </Button>
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
