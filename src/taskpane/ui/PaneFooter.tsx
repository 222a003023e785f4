import { makeStyles, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";

const useStyles = makeStyles({
  footer: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalS,
    padding: tokens.spacingHorizontalM,
    borderTop: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke1}`,
    // A report may be long: what stands above stays in reach.
    maxHeight: "65vh",
    overflowY: "auto",
    overflowWrap: "anywhere",
    flexShrink: 0,
  },
});

/** Stays at the pane's bottom, below what scrolls: the button that all above leads to, and what comes of it. */
export function PaneFooter({ label, children }: { label: string; children: ReactNode }) {
  const styles = useStyles();
  return (
    <footer className={styles.footer} aria-label={label}>
      {children}
    </footer>
  );
}
