import { makeStyles, Subtitle2, tokens } from "@fluentui/react-components";
import { type ReactNode, useId } from "react";

const useStyles = makeStyles({
  section: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  title: { margin: 0 },
});

/** A part of the settings under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const styles = useStyles();
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <Subtitle2 as="h2" id={id} block className={styles.title}>
        {title}
      </Subtitle2>
      {children}
    </section>
  );
}
