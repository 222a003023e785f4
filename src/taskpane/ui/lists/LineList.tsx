import { Link, makeStyles, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";
import { beginning, plural } from "../labels";

const useStyles = makeStyles({
  list: {
    margin: 0,
    paddingLeft: tokens.spacingHorizontalL,
    maxHeight: "10rem",
    overflowY: "auto",
    overflowWrap: "anywhere",
    whiteSpace: "pre-wrap",
  },
});

/** The number of lines that are shown: a list of a hundred thousand lines would freeze the pane. */
const shownLines = 200;
/** The number of a line's characters that are shown: enough for texts longer than a cell can hold, but not for a megabyte. */
const shownCharacters = 100_000;

/** Shows the first lines, and the number of the others. */
export function LineList<Item>({
  label,
  items,
  line,
  placeOf,
}: {
  label: string;
  items: readonly Item[];
  line: (item: Item) => string;
  /** The item's cell in the sheet, if it is known: its address, and a function that goes there. */
  placeOf?: ((item: Item) => { address: string; goTo: () => void } | undefined) | undefined;
}) {
  const styles = useStyles();
  return (
    // The list takes the focus, because only then can it be scrolled by keyboard.
    <ul className={styles.list} tabIndex={0} role="list" aria-label={label}>
      {items.slice(0, shownLines).map((item, index) => (
        <li key={index}>
          <Place place={placeOf?.(item)} />
          {beginning(line(item), shownCharacters)}
        </li>
      ))}
      {items.length > shownLines && <li>and {plural(items.length - shownLines, "more line")}</li>}
    </ul>
  );
}

function Place({ place }: { place: { address: string; goTo: () => void } | undefined }): ReactNode {
  return (
    place && (
      <>
        <Link as="button" onClick={place.goTo}>
          {place.address}
        </Link>{" "}
      </>
    )
  );
}
