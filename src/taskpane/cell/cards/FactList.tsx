import { makeStyles, tokens } from "@fluentui/react-components";
import type { ReactNode } from "react";

const useStyles = makeStyles({
  facts: { display: "grid", gap: tokens.spacingVerticalXS, margin: 0 },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  fact: { margin: 0, whiteSpace: "pre-wrap" },
});

export type Fact = [name: string, fact: ReactNode];

/** A list of names with their values; facts without a value are left out. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  const styles = useStyles();
  const told = facts.filter(
    ([, fact]) => fact !== undefined && fact !== null && fact !== "" && fact !== false,
  );
  if (told.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {told.map(([name, fact]) => (
        <div key={name}>
          <dt className={styles.name}>{name}</dt>
          <dd className={styles.fact}>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
