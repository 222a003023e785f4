import { Button, makeStyles, Text, tokens, useArrowNavigationGroup } from "@fluentui/react-components";
import { useRef, useState } from "react";
import { plural } from "../labels";

const useStyles = makeStyles({
  head: { display: "flex", alignItems: "center", justifyContent: "space-between" },
  clear: { minWidth: 0 },
  tags: {
    display: "flex",
    flexWrap: "wrap",
    gap: tokens.spacingHorizontalXS,
    margin: 0,
    padding: 0,
    listStyleType: "none",
    maxHeight: "10rem",
    overflowY: "auto",
  },
  tag: {
    display: "flex",
    alignItems: "center",
    gap: tokens.spacingHorizontalXXS,
    maxWidth: "100%",
    paddingLeft: tokens.spacingHorizontalSNudge,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground3,
    // The border is visible only in high contrast.
    border: `${tokens.strokeWidthThin} solid ${tokens.colorTransparentStroke}`,
    borderRadius: tokens.borderRadiusMedium,
  },
});

const shownTags = 60;

function Cross() {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" stroke="currentColor" aria-hidden>
      <path d="M3 3l10 10M13 3L3 13" />
    </svg>
  );
}

/** The chosen items, each with a button that removes it. */
export function ChosenTags({
  noun,
  items,
  onRemove,
  onClear,
  canClear = items.length > 0,
}: {
  noun: string;
  items: { id: number; label: string }[];
  onRemove: (id: number) => void;
  onClear: () => void;
  canClear?: boolean;
}) {
  const styles = useStyles();
  const clear = useRef<HTMLButtonElement>(null);
  const [clearHasFocus, setClearHasFocus] = useState(false);
  const arrows = useArrowNavigationGroup({ axis: "both", tabbable: true });

  // The focus moves before its button disappears. Otherwise Tab would leave the pane.
  function remove(id: number, { parentElement }: HTMLButtonElement) {
    const next = parentElement?.nextElementSibling?.querySelector("button");
    (next ?? clear.current)?.focus();
    onRemove(id);
  }

  return (
    <>
      <div className={styles.head}>
        <Text weight="semibold" role="status">
          {plural(items.length, noun)} chosen
        </Text>
        {/* The button stays, without effect, while it has the focus: if it disappeared, Tab would leave the pane. */}
        {(canClear || clearHasFocus) && (
          <Button
            ref={clear}
            className={styles.clear}
            disabledFocusable={!canClear}
            size="small"
            appearance="subtle"
            aria-label={`Clear ${noun}s`}
            onClick={onClear}
            onFocus={() => setClearHasFocus(true)}
            onBlur={() => setClearHasFocus(false)}
          >
            Clear
          </Button>
        )}
      </div>
      {items.length > 0 && (
        // Safari does not treat a list without bullets as a list unless its role says so.
        <ul className={styles.tags} role="list" aria-label={`Chosen ${noun}s`} {...arrows}>
          {items.slice(0, shownTags).map(({ id, label }) => (
            <li key={id} className={styles.tag}>
              {label}
              <Button
                size="small"
                appearance="transparent"
                icon={<Cross />}
                aria-label={`Remove ${label}`}
                onClick={({ currentTarget }) => remove(id, currentTarget)}
              />
            </li>
          ))}
          {items.length > shownTags && (
            <li>
              <Text>and {(items.length - shownTags).toLocaleString()} more</Text>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
