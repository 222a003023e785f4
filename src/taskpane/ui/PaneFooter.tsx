import { makeStyles, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";

const useStyles = makeStyles({
  footer: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalS,
    padding: tokens.spacingHorizontalM,
    borderTop: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke1}`,
    // The footer's height is limited, because a report may be long and the screen above must stay in reach.
    maxHeight: "65vh",
    overflowY: "auto",
    overflowWrap: "anywhere",
    flexShrink: 0,
  },
});

/** Stays at the bottom of the pane, below the part that scrolls. It holds the screen's main button and the outcome. */
export function PaneFooter({ label, children }: { label: string; children: ReactNode }) {
  const styles = useStyles();
  return (
    <footer className={styles.footer} aria-label={label}>
      {children}
    </footer>
  );
}
