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

/** A list of a hundred thousand lines would freeze the pane. */
const shownLines = 200;
/** Of a line: a text that a cell could not hold is shown whole, one of a megabyte is not. */
const shownCharacters = 100_000;

/** The first lines, and how many more there are. */
export function LineList<Item>({
  label,
  items,
  line,
  placeOf,
}: {
  label: string;
  items: readonly Item[];
  line: (item: Item) => string;
  /** Where it stands in the sheet, if that is known: its address, and how to go there. */
  placeOf?: ((item: Item) => { address: string; goTo: () => void } | undefined) | undefined;
}) {
  const styles = useStyles();
  return (
    // A list that scrolls is reached by keyboard where it has the focus.
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
