import { Text } from "@fluentui/react-components";
import { textsOf } from "../../workbook/imports/refresh/compare-answers";
import { type AnswerChange, isUnchanged } from "../../workbook/imports/refresh/refresh-cell";
import { shownName } from "../ui/labels";

/** Says what a refresh of the answer changed. */
export default function AnswerChangeText({ change }: { change: AnswerChange }) {
  const { before, replaced = [] } = change;
  const texts = textsOf(change);
  const [was, is] = [texts.before, texts.after].map((text) => text ?? "no value");
  const text = isUnchanged(change)
    ? "Unchanged."
    : before === undefined
      ? `Now: ${is}`
      : was === is
        ? "Same value, new citation."
        : `${was} → ${is}`;
  return (
    <Text role="status">
      {text}
      {replaced.length > 0 &&
        ` Also replaced, and not known to be the service’s: ${replaced.map(shownName).join("; ")}.`}
    </Text>
  );
}
