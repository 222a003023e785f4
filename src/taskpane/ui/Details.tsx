import { makeStyles, tokens } from "@fluentui/react-components";
import { ChevronRight16Regular } from "@fluentui/react-icons";
import type { ReactNode } from "react";

const useStyles = makeStyles({
  details: { "&[open] > summary > svg": { transform: "rotate(90deg)" } },
  summary: {
    display: "flex",
    alignItems: "flex-start",
    gap: tokens.spacingHorizontalXS,
    padding: `${tokens.spacingVerticalXS} 0`,
    // The chevron of the other parts that open takes the place of the browser's triangle.
    listStyleType: "none",
    "&::-webkit-details-marker": { display: "none" },
    "& > svg": { flexShrink: 0, marginTop: tokens.spacingVerticalXXS },
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
    <details
      className={styles.details}
      open={isOpen}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
    >
      {/* In Excel on the web, office.js handles the Tab key and skips a summary that has no tabindex. */}
      <summary className={styles.summary} tabIndex={0}>
        <ChevronRight16Regular />
        <span>{title}</span>
      </summary>
      {children}
    </details>
  );
}
