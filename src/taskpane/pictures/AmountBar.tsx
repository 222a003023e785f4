import { makeStyles, tokens } from "@fluentui/react-components";

const useStyles = makeStyles({
  bar: {
    height: "6px",
    minWidth: "2px",
    backgroundColor: tokens.colorBrandForeground1,
    "@media (forced-colors: active)": { forcedColorAdjust: "none", backgroundColor: "CanvasText" },
  },
});

/** A bar that illustrates a number beside it; `share` is from 0 to 1. */
export function AmountBar({ share }: { share: number }) {
  const styles = useStyles();
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return <div className={styles.bar} style={{ width: `${percent}%` }} aria-hidden="true" />;
}
