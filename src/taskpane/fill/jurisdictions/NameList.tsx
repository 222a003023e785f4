import { useState } from "react";
import { CopyButton } from "../../ui/CopyButton";
import { Details } from "../../ui/Details";
import { LineList } from "../../ui/lists/LineList";

/** A list that opens under its title, and can be copied. Its lines are made only when it is opened, because there may be many thousands. */
export function NameList({ title, lines }: { title: string; lines: () => readonly string[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Details title={title} onToggle={setIsOpen}>
      {isOpen && <OpenList title={title} lines={lines()} />}
    </Details>
  );
}

function OpenList({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <>
      <CopyButton label="Copy list" text={lines.join("\n")} />
      <LineList label={title} items={lines} line={(name) => name} />
    </>
  );
}
