import { Button, Link, makeStyles, Text, tokens } from "@fluentui/react-components";
import { editedSentences, hasAnswer } from "../../../workbook/imports/refresh/edited-sentences";
import { placeName } from "../../../workbook/imports/refresh/place-name";
import { type EditedCell, subjectOf } from "../../../workbook/imports/refresh/compare-answers";
import { answerParts, isAnswerPart } from "../../../workbook/sheet/layout/answer-parts";
import type { TableCell } from "../../../workbook/sheet/tables/bound-table";
import { plural, shownName } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXS },
  row: { display: "flex" },
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
});

const shownCells = 200;

/** Cells that somebody has typed into. Each has the service's answer beside it and a button that puts the answer into the cell. */
export function EditedCells({
  edited,
  isBusy,
  loadAddresses,
  onGoTo,
  onTake,
}: {
  edited: readonly EditedCell[];
  isBusy: boolean;
  /** Addresses in the order of `edited`. Pass a stable function. */
  loadAddresses: () => Promise<(string | undefined)[]>;
  onGoTo: (cell: TableCell) => void;
  onTake: (cells: readonly EditedCell[]) => void;
}) {
  const styles = useStyles();
  const { value: addresses } = useLoad(loadAddresses);
  if (edited.length === 0) return null;
  const offer = answersOffer(edited);
  return (
    <section className={styles.column} aria-label="Edited cells">
      <Text weight="semibold">{plural(edited.length, "edited cell")} kept</Text>
      {offer && (
        <div className={styles.row}>
          <Button size="small" disabledFocusable={isBusy} onClick={() => onTake(offer.cells)}>
            {offer.label}
          </Button>
        </div>
      )}
      <ul className={styles.list}>
        {edited.slice(0, shownCells).map((cell, index) => (
          <li key={`${cell.place.row} ${cell.place.header}`}>
            <EditedLine
              cell={cell}
              address={addresses?.[index]}
              isOnly={edited.length === 1}
              {...{ isBusy, onGoTo, onTake }}
            />
          </li>
        ))}
      </ul>
      {edited.length > shownCells && (
        <Text>and {plural(edited.length - shownCells, "more cell")}. Export to see all of them.</Text>
      )}
    </section>
  );
}

/**
 * The cells that are offered to be given the service's values together, and the words for that; null if there are none. Among several, a
 * cell for which the service has nothing is cleared on its own alone: a blank in place of what somebody typed is no improvement.
 */
export function answersOffer(
  edited: readonly EditedCell[],
): { cells: readonly EditedCell[]; label: string } | null {
  const cells = edited.filter(hasAnswer);
  if (edited.length === 1) return { cells: edited, label: cells.length === 1 ? "Use the service’s value" : clearIt };
  if (cells.length === 0) return null;
  const isAll = cells.length === edited.length;
  const label = isAll ? "Use the service’s values for all" : `Use the service’s ${plural(cells.length, "value")}`;
  return { cells, label };
}

const clearIt = "Clear it: the service has nothing";

function EditedLine({
  cell,
  address,
  isOnly,
  isBusy,
  onGoTo,
  onTake,
}: {
  cell: EditedCell;
  address: string | undefined;
  isOnly: boolean;
  isBusy: boolean;
  onGoTo: (cell: TableCell) => void;
  onTake: (cells: readonly EditedCell[]) => void;
}) {
  const { ahj, part, place } = cell;
  const known = isAnswerPart(part) ? part : "value";
  const isBesideValue = known !== "value";
  const what = `${shownName(placeName(ahj))}: ${shownName(subjectOf(cell))}${isBesideValue ? ` (${answerParts[known].header.toLowerCase()})` : ""}`;
  return (
    <>
      <Link as="button" onClick={() => onGoTo(place)}>
        {address === undefined ? what : `${address.replace(/^.*!/s, "")}, ${what}`}
      </Link>
      <br />
      {editedSentences(cell)}{" "}
      {!isOnly && (
        <Link
          as="button"
          disabled={isBusy}
          onClick={() => onTake([cell])}
          aria-label={hasAnswer(cell) ? `Use the service’s for ${what}` : `Clear ${what}: the service has nothing`}
        >
          {hasAnswer(cell) ? "Use the service’s" : clearIt}
        </Link>
      )}
    </>
  );
}
