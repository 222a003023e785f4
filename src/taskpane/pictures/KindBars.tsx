import { makeStyles, Text, tokens } from "@fluentui/react-components";
import type { Kinds } from "../../pictures/question-picture";
import { beginning, plural, shownName } from "../ui/labels";
import { AmountBar } from "./AmountBar";

const useStyles = makeStyles({
  bars: { margin: 0, padding: 0, listStyleType: "none" },
  kind: { display: "flex", justifyContent: "space-between", gap: tokens.spacingHorizontalS },
  count: { flexShrink: 0 },
});

/** The number of characters of a text that are shown: a text may be as long as a page. */
const mostCharacters = 120;

export function KindBars({ kinds: { bars, others } }: { kinds: Kinds }) {
  const styles = useStyles();
  if (bars.length === 0) return null;
  return (
    <>
      <ul className={styles.bars} role="list">
        {bars.map(({ text, count, share }) => (
          <li key={text}>
            <div className={styles.kind}>
              <Text size={200}>{shownName(beginning(text, mostCharacters))}</Text>
              <Text size={200} className={styles.count}>
                {count.toLocaleString()}
              </Text>
            </div>
            <AmountBar share={share} />
          </li>
        ))}
      </ul>
      {others.values > 0 && (
        <Text size={200}>
          and {plural(others.values, "value")} of {plural(others.kinds, "other kind")}
        </Text>
      )}
    </>
  );
}
