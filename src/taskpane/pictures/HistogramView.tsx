import { makeStyles, mergeClasses, Text, tokens } from "@fluentui/react-components";
import { type Histogram, placeIn } from "../../pictures/histogram";
import type { QuestionPicture } from "../../pictures/question-picture";

const useStyles = makeStyles({
  plot: {
    position: "relative",
    display: "flex",
    alignItems: "flex-end",
    gap: "1px",
    height: "72px",
    borderBottom: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStrokeAccessible}`,
  },
  // A bin is as high as the plot, so that the mouse easily finds even a low one.
  bin: { flex: "1 1 0", height: "100%", display: "flex", alignItems: "flex-end" },
  bar: {
    width: "100%",
    backgroundColor: tokens.colorBrandForeground1,
    "@media (forced-colors: active)": { forcedColorAdjust: "none", backgroundColor: "CanvasText" },
  },
  // A bin without an end is paler, because it may hold more than its width suggests.
  open: { opacity: 0.6 },
  mark: {
    position: "absolute",
    top: 0,
    bottom: 0,
    width: 0,
    borderLeftWidth: "2px",
    boxShadow: `0 0 0 1px ${tokens.colorNeutralBackground1}`,
    "@media (forced-colors: active)": { boxShadow: "0 0 0 1px Canvas" },
  },
  median: {
    borderLeftStyle: "solid",
    borderLeftColor: tokens.colorNeutralForeground1,
    "@media (forced-colors: active)": { forcedColorAdjust: "none", borderLeftColor: "Highlight" },
  },
  selected: {
    borderLeftStyle: "dashed",
    borderLeftColor: tokens.colorPaletteRedForeground1,
    "@media (forced-colors: active)": { forcedColorAdjust: "none", borderLeftColor: "Highlight" },
  },
  ends: { display: "flex", justifyContent: "space-between", gap: tokens.spacingHorizontalS },
  facts: {
    display: "flex",
    flexWrap: "wrap",
    justifyContent: "space-between",
    gap: `0 ${tokens.spacingHorizontalM}`,
    margin: 0,
    "& > div": { display: "flex", flexDirection: "column" },
    "& dt": { color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase200 },
    "& dd": { margin: 0, fontSize: tokens.fontSizeBase200, overflowWrap: "anywhere" },
  },
  key: {
    display: "inline-block",
    height: "12px",
    borderLeftWidth: "2px",
    marginRight: "4px",
    verticalAlign: "-1px",
  },
  heard: { position: "absolute", width: "1px", height: "1px", overflow: "hidden", clipPath: "inset(50%)" },
});

/** A histogram of the amounts, with marks at the median and the selected row's amount. */
export function HistogramView({
  amounts: { smallest, median, largest, histogram },
  selected,
}: {
  amounts: NonNullable<QuestionPicture["amounts"]>;
  /** The amount of the selected row; null if there is none. */
  selected: number | null;
}) {
  const styles = useStyles();
  const most = Math.max(...histogram.bins.map(({ count }) => count));
  return (
    <>
      <div className={styles.plot} aria-hidden="true">
        {histogram.bins.map(({ from, to, count, label }) => (
          <div key={label} className={styles.bin} title={`${label}: ${count.toLocaleString()}`}>
            <div
              className={mergeClasses(styles.bar, (from === null || to === null) && styles.open)}
              style={{ height: `${(count / most) * 100}%`, minHeight: count > 0 ? "2px" : 0 }}
            />
          </div>
        ))}
        <Mark className={styles.median} at={offsetOf(histogram, median.value)} />
        {selected !== null && <Mark className={styles.selected} at={offsetOf(histogram, selected)} />}
      </div>
      <div className={styles.ends} aria-hidden="true">
        <Text size={200}>{histogram.ends.from}</Text>
        <Text size={200}>{histogram.ends.to}</Text>
      </div>
      {/* The element around the table hides it, because a table can't be made narrower than its words. */}
      <div className={styles.heard}>
        <table>
          <caption>How many jurisdictions have which amount</caption>
          <tbody>
            {histogram.bins.map(({ label, count }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{count.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Smallest</dt>
          <dd>{smallest.text}</dd>
        </div>
        <div>
          <dt>
            <span className={mergeClasses(styles.key, styles.median)} aria-hidden="true" />
            Median
          </dt>
          <dd>{median.text}</dd>
        </div>
        <div>
          <dt>Largest</dt>
          <dd>{largest.text}</dd>
        </div>
      </dl>
    </>
  );
}

/** The sign of the selected row, for the text that explains it. */
export function SelectedKey() {
  const styles = useStyles();
  return <span className={mergeClasses(styles.key, styles.selected)} aria-hidden="true" />;
}

function Mark({ className, at }: { className: string | undefined; at: number }) {
  const styles = useStyles();
  return (
    <div className={mergeClasses(styles.mark, className)} style={{ left: `calc(${at * 100}% - 1px)` }} />
  );
}

/** The distance from the left, from 0 to 1. */
function offsetOf(histogram: Histogram, value: number): number {
  const { bin, part } = placeIn(histogram, value);
  return (bin + part) / histogram.bins.length;
}
