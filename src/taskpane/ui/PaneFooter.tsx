import type { ReactNode } from "react";
import { usePaneLayout } from "./pane-layout";

/** Stays at the bottom of the pane, below the part that scrolls. It holds the screen's main button and the outcome. */
export function PaneFooter({ label, children }: { label: string; children: ReactNode }) {
  const layout = usePaneLayout();
  return (
    <footer className={layout.footer} aria-label={label}>
      {children}
    </footer>
  );
}
