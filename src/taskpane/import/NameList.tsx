import { CopyButton } from "../ui/CopyButton";
import { Details } from "../ui/Details";
import { LineList } from "../ui/LineList";

/** A list that opens under its title, and can be copied. */
export function NameList({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <Details title={title}>
      <CopyButton label="Copy list" text={lines.join("\n")} />
      <LineList label={title} items={lines} line={(name) => name} />
    </Details>
  );
}
