import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import type { LeftCopy } from "../../workbook/sheet/tables/left-copies";
import { Confirmed } from "../ui/Confirmed";
import { beginning, plural } from "../ui/labels";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXS },
  line: {
    display: "flex",
    alignItems: "center",
    justifyContent: "space-between",
    gap: tokens.spacingHorizontalS,
    overflowWrap: "anywhere",
  },
  list: { margin: 0, padding: 0 },
});

const mostNameCharacters = 40;

/** Hidden sheets that RegData has left in the workbook, with buttons to look at them and to delete them. */
export function LeftCopies({
  copies,
  isBusy,
  onShow,
  onDelete,
}: {
  copies: readonly LeftCopy[];
  isBusy: boolean;
  onShow: (copy: LeftCopy) => void;
  onDelete: () => Promise<void>;
}) {
  const styles = useStyles();
  if (copies.length === 0 || isBusy) return null;
  const sheets = plural(copies.length, "hidden sheet");
  return (
    <section className={styles.column} aria-label="Hidden sheets">
      <Text>
        This workbook has {sheets} that RegData seems to have left behind. They hold copies of cells as they
        were before they were overwritten, and they go along with the file.
      </Text>
      <ul className={styles.list} role="list">
        {copies.map((copy) => (
          <li key={copy.sheetId} className={styles.line}>
            <Text>
              <bdi>{beginning(copy.sheetName, mostNameCharacters)}</bdi>
              {copy.filled === null ? ": empty" : `: ${copy.filled.replace(/^.*!/s, "")}`}
            </Text>
            <Button size="small" onClick={() => onShow(copy)} aria-label={`Show the sheet ${copy.sheetName}`}>
              Show
            </Button>
          </li>
        ))}
      </ul>
      <Confirmed label={`Delete ${sheets}…`} confirm="Delete for good" onConfirm={onDelete}>
        {`This deletes ${sheets} and everything in them. It can't be undone. If you are not sure, show a sheet first.`}
      </Confirmed>
    </section>
  );
}
