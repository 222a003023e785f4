import { makeStyles, Option, OptionGroup, tokens, useId } from "@fluentui/react-components";

/** Something that a search has found. */
export interface FoundOption {
  value: string;
  label: string;
  /** A second line, in gray. */
  detail?: string | undefined;
}

const useStyles = makeStyles({
  lines: { display: "flex", flexDirection: "column", minWidth: 0 },
  detail: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

/** The options of a Combobox for what a search has found; the first one is active. A heading says what else there is to say. */
export function SearchOptions({
  options,
  heading,
}: {
  options: readonly FoundOption[];
  heading?: string | undefined;
}) {
  const styles = useStyles();
  const id = useId("found");
  return (
    <OptionGroup label={heading}>
      {options.map(({ value, label, detail }) => (
        // Fluent would make the first option active whose text begins as the input does. Without texts, it is the first and best one.
        <Option
          key={value}
          value={value}
          text=""
          aria-label={label}
          aria-describedby={detail ? `${id}-${value}` : undefined}
        >
          <span className={styles.lines}>
            <span>{label}</span>
            {detail && (
              <span id={`${id}-${value}`} className={styles.detail}>
                {detail}
              </span>
            )}
          </span>
        </Option>
      ))}
    </OptionGroup>
  );
}
