import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import { ChevronDown16Regular, ChevronRight16Regular } from "@fluentui/react-icons";
import { type ReactNode, type Ref, useId } from "react";
import { OnceOpen } from "../ui/OnceOpen";

const useStyles = makeStyles({
  step: { borderBottom: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}` },
  heading: { margin: 0 },
  button: {
    width: "100%",
    justifyContent: "flex-start",
    gap: tokens.spacingHorizontalXS,
    padding: `${tokens.spacingVerticalSNudge} 0`,
    textAlign: "left",
  },
  // A summary that does not fit beside the title stands below it.
  words: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "baseline",
    columnGap: tokens.spacingHorizontalXS,
    flex: "1 1 0",
    minWidth: 0,
  },
  summary: {
    minWidth: 0,
    overflowWrap: "anywhere",
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightRegular,
  },
  content: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalM,
    paddingBottom: tokens.spacingVerticalM,
    "&[hidden]": { display: "none" },
  },
});

/** A step of a form. Its heading opens it and shows the choice. */
export function FormStep({
  title,
  summary,
  isOpen,
  onToggle,
  heading,
  children,
}: {
  title: string;
  summary: string;
  isOpen: boolean;
  onToggle: () => void;
  /** The heading's button. */
  heading: Ref<HTMLButtonElement>;
  children: ReactNode;
}) {
  const styles = useStyles();
  const id = useId();
  return (
    <section className={styles.step} aria-labelledby={`${id}-title`}>
      <h2 className={styles.heading}>
        <Button
          ref={heading}
          id={`${id}-title`}
          className={styles.button}
          appearance="transparent"
          icon={isOpen ? <ChevronDown16Regular /> : <ChevronRight16Regular />}
          aria-expanded={isOpen}
          aria-controls={`${id}-content`}
          onClick={onToggle}
        >
          <span className={styles.words}>
            <Text weight="semibold">{title}</Text>
            <Text size={200} className={styles.summary}>
              {summary}
            </Text>
          </span>
        </Button>
      </h2>
      <OnceOpen id={`${id}-content`} className={styles.content} isOpen={isOpen}>
        {children}
      </OnceOpen>
    </section>
  );
}
