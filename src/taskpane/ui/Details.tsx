import { makeStyles, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";

const useStyles = makeStyles({
  summary: {
    padding: tokens.spacingVerticalXS,
    cursor: "pointer",
    borderRadius: tokens.borderRadiusMedium,
    "&:focus-visible": {
      outline: `${tokens.strokeWidthThick} solid ${tokens.colorStrokeFocus2}`,
      outlineOffset: `calc(-1 * ${tokens.strokeWidthThick})`,
    },
  },
});

/** Content that is hidden until the user opens it. */
export function Details({
  title,
  isOpen = false,
  onToggle,
  children,
}: {
  title: ReactNode;
  /** True if it starts open; a change opens or closes it. */
  isOpen?: boolean;
  onToggle?: (isOpenNow: boolean) => void;
  children: ReactNode;
}) {
  const styles = useStyles();
  return (
    <details open={isOpen} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      {/* In Excel on the web, office.js handles the Tab key and skips a summary that has no tabindex. */}
      <summary className={styles.summary} tabIndex={0}>
        {title}
      </summary>
      {children}
    </details>
  );
}
