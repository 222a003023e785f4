import { Link, makeStyles, tokens } from "@fluentui/react-components";
import type { TableCell } from "../../../workbook/sheet/tables/bound-table";
import { shownName } from "../../ui/labels";

const useStyles = makeStyles({
  list: {
    margin: 0,
    paddingLeft: tokens.spacingHorizontalL,
    maxHeight: "10rem",
    overflowY: "auto",
    overflowWrap: "anywhere",
  },
});

const shownAhjs = 200;

/** A jurisdiction, its cell if it has one, and a remark. */
export interface AhjLine {
  name: string;
  place: TableCell | undefined;
  why: string | undefined;
}

/** Jurisdictions. Those whose rows are known can be clicked. */
export function AhjList({
  label,
  lines,
  onGoTo,
}: {
  label: string;
  lines: readonly AhjLine[];
  onGoTo: (cell: TableCell) => void;
}) {
  const styles = useStyles();
  return (
    // The list takes the focus, because only then can it be scrolled by keyboard.
    <ul className={styles.list} tabIndex={0} role="list" aria-label={label}>
      {lines.slice(0, shownAhjs).map(({ name, place, why }, index) => (
        <li key={index}>
          {place ? (
            <Link as="button" onClick={() => onGoTo(place)}>
              {shownName(name)}
            </Link>
          ) : (
            shownName(name)
          )}
          {why && `: ${why}`}
        </li>
      ))}
      {lines.length > shownAhjs && <li>and {(lines.length - shownAhjs).toLocaleString()} more</li>}
    </ul>
  );
}
