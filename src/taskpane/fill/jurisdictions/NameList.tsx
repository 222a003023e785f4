import { makeStyles, tokens } from "@fluentui/react-components";
import { type ReactNode, useState } from "react";
import { CopyButton } from "../../ui/CopyButton";
import { Details } from "../../ui/Details";
import { LineList } from "../../ui/lists/LineList";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/**
 * A list that opens under its title, and can be copied. Its lines are made only when it is opened, because there may be many thousands.
 * `children` are buttons beside **Copy list**.
 */
export function NameList({
  title,
  lines,
  children,
}: {
  title: string;
  lines: () => readonly string[];
  children?: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Details title={title} onToggle={setIsOpen}>
      {isOpen && (
        <OpenList title={title} lines={lines()}>
          {children}
        </OpenList>
      )}
    </Details>
  );
}

function OpenList({
  title,
  lines,
  children,
}: {
  title: string;
  lines: readonly string[];
  children?: ReactNode;
}) {
  const styles = useStyles();
  return (
    <>
      <div className={styles.row}>
        <CopyButton label="Copy list" text={lines.join("\n")} />
        {children}
      </div>
      <LineList label={title} items={lines} line={(name) => name} />
    </>
  );
}
