import { Text } from "@fluentui/react-components";
import { type AnswerChange, isUnchanged } from "../../workbook/imports/refresh/refresh-cell";
import { shownName } from "../ui/labels";

/** What asking anew has brought. */
export default function AnswerChangeText({ change }: { change: AnswerChange }) {
  const { before, after, replaced = [] } = change;
  const shown = (known: typeof after) => known?.value ?? "no value";
  const text = isUnchanged(change)
    ? "Unchanged."
    : before === undefined
      ? `Now: ${shown(after)}`
      : before?.value === after?.value
        ? "Same value, new citation."
        : `${shown(before)} → ${shown(after)}`;
  return (
    <Text role="status">
      {text}
      {replaced.length > 0 &&
        ` Also replaced, and not known to be the service’s: ${replaced.map(shownName).join("; ")}.`}
    </Text>
  );
}
