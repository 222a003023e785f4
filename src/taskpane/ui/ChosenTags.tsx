import {
  Button,
  InteractionTag,
  InteractionTagPrimary,
  InteractionTagSecondary,
  makeStyles,
  TagGroup,
  Text,
  tokens,
} from "@fluentui/react-components";
import { plural } from "./labels";

const useStyles = makeStyles({
  head: { display: "flex", alignItems: "center", justifyContent: "space-between" },
  tags: {
    display: "flex",
    flexWrap: "wrap",
    gap: tokens.spacingHorizontalXS,
    maxHeight: "10rem",
    overflowY: "auto",
  },
});

const shownTags = 60;

/** What has been chosen, each with a way to remove it. */
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
  return (
    <>
      <div className={styles.head}>
        <Text weight="semibold" role="status">
          {plural(items.length, noun)} chosen
        </Text>
        {canClear && (
          <Button size="small" appearance="subtle" aria-label={`Clear ${noun}s`} onClick={onClear}>
            Clear
          </Button>
        )}
      </div>
      {items.length > 0 && (
        <TagGroup
          className={styles.tags}
          size="small"
          aria-label={`Chosen ${noun}s`}
          onDismiss={(_, { value }) => onRemove(Number(value))}
        >
          {items.slice(0, shownTags).map(({ id, label }) => (
            <InteractionTag key={id} value={String(id)}>
              <InteractionTagPrimary hasSecondaryAction>{label}</InteractionTagPrimary>
              <InteractionTagSecondary aria-label={`Remove ${label}`} />
            </InteractionTag>
          ))}
          {items.length > shownTags && <Text>and {(items.length - shownTags).toLocaleString()} more</Text>}
        </TagGroup>
      )}
    </>
  );
}
