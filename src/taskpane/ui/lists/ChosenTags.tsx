import {
  Button,
  makeStyles,
  mergeClasses,
  Text,
  tokens,
  useArrowNavigationGroup,
} from "@fluentui/react-components";
import { type DragEvent, useRef, useState } from "react";
import { plural } from "../labels";
import { PassingButton } from "../PassingButton";

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
  moved: { outline: `${tokens.strokeWidthThick} solid ${tokens.colorBrandStroke1}` },
  label: { cursor: "grab" },
  moves: { display: "flex", flexWrap: "wrap", alignItems: "center", gap: tokens.spacingHorizontalS },
});

const shownTags = 60;

function Cross() {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" stroke="currentColor" aria-hidden>
      <path d="M3 3l10 10M13 3L3 13" />
    </svg>
  );
}

interface Item {
  id: number;
  label: string;
}

/** The chosen items, each with a button that removes it. If their order matters, they are moved by dragging, by buttons, and by keys. */
export function ChosenTags({
  noun,
  items,
  onRemove,
  onMove,
  onClear,
  canClear = items.length > 0,
}: {
  noun: string;
  items: readonly Item[];
  onRemove: (id: number) => void;
  /** Moves an item to a place, from 0 on. Without it, the order is not the user's to choose. */
  onMove?: ((id: number, place: number) => void) | undefined;
  onClear: () => void;
  canClear?: boolean;
}) {
  const styles = useStyles();
  const clear = useRef<HTMLButtonElement>(null);
  const [movedId, setMovedId] = useState<number>();
  // All tags are one stop of Tab, and the arrow keys go from one to the next.
  const arrows = useArrowNavigationGroup({ axis: "both", memorizeCurrent: true });
  const movedPlace = items.findIndex(({ id }) => id === movedId);
  const moved = onMove && items[movedPlace];

  function move(id: number, place: number) {
    if (place >= 0 && place < items.length) onMove?.(id, place);
  }
  const choose = (id: number) => setMovedId(id === movedId ? undefined : id);

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
        <PassingButton
          ref={clear}
          className={styles.clear}
          isPossible={canClear}
          size="small"
          appearance="subtle"
          aria-label={`Clear ${noun}s`}
          onClick={onClear}
        >
          Clear
        </PassingButton>
      </div>
      {items.length > 0 && (
        // Safari does not treat a list without bullets as a list unless its role says so.
        <ul className={styles.tags} role="list" aria-label={`Chosen ${noun}s`} {...arrows}>
          {items.slice(0, shownTags).map(({ id, label }, place) => (
            <li
              key={id}
              className={mergeClasses(styles.tag, id === movedId && styles.moved)}
              {...(onMove && {
                draggable: true,
                onDragStart: (event: DragEvent) => {
                  event.dataTransfer.setData(draggedType, String(id));
                  event.dataTransfer.effectAllowed = "move";
                },
                onDragOver: (event: DragEvent) => {
                  if (event.dataTransfer.types.includes(draggedType)) event.preventDefault();
                },
                onDrop: (event: DragEvent) => {
                  event.preventDefault();
                  move(Number(event.dataTransfer.getData(draggedType)), place);
                },
              })}
            >
              {onMove ? (
                // In Firefox, nothing is dragged that begins on a button.
                <span
                  role="button"
                  tabIndex={0}
                  className={styles.label}
                  aria-pressed={id === movedId}
                  aria-description={`${place + 1} of ${items.length}`}
                  onClick={() => choose(id)}
                  onKeyDown={(event) => {
                    const by = event.ctrlKey ? moveOfKey[event.key] : undefined;
                    if (by !== undefined) move(id, place + by);
                    else if (event.key === "Enter" || event.key === " ") choose(id);
                    else return;
                    event.preventDefault();
                    event.stopPropagation();
                  }}
                >
                  {label}
                </span>
              ) : (
                label
              )}
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
      {moved && (
        <div className={styles.moves} role="group" aria-label={`Move ${moved.label}`}>
          <Button
            size="small"
            disabledFocusable={movedPlace === 0}
            onClick={() => move(moved.id, movedPlace - 1)}
          >
            Earlier
          </Button>
          <Button
            size="small"
            disabledFocusable={movedPlace === items.length - 1}
            onClick={() => move(moved.id, movedPlace + 1)}
          >
            Later
          </Button>
          <Text size={200} role="status">
            {moved.label}: {movedPlace + 1} of {items.length}
          </Text>
        </div>
      )}
      {onMove && !moved && items.length > 1 && (
        <Text size={200}>Drag a {noun} to reorder, or select one to move it.</Text>
      )}
    </>
  );
}

/** The type of what is dragged, so that nothing else is taken for a tag. */
const draggedType = "application/x-regdata-tag";

/** The arrow keys that move a tag while Ctrl is down. */
const moveOfKey: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
