import { makeStyles, Text, tokens } from "@fluentui/react-components";
import { useMemo, useState } from "react";
import { type AnswerColumn, textAt } from "../../../find/answer-column";
import type { UnknownReason } from "../../../find/conditions/verdict";
import type { Heap } from "../../../find/heaps";
import { Details } from "../../ui/Details";
import { fullAhjLabel, plural, shownName } from "../../ui/labels";
import { NameList } from "../jurisdictions/NameList";
import type { FindResult, FindState } from "./find-control";
import { unknownSentence } from "../../../find/find-words";

const useStyles = makeStyles({
  heaps: { display: "flex", flexDirection: "column" },
  inside: { paddingLeft: tokens.spacingHorizontalM },
});

/** The three heaps of a result, with their counts. Each can be opened. */
export function FindHeaps({ result, columns }: { result: FindResult; columns: FindState["columns"] }) {
  const styles = useStyles();
  const { counts } = result.heaps;
  const lines = (heap: Heap) => () => result.heaps.placesIn(heap).flatMap((place) => labelOf(result, place));
  return (
    <div className={styles.heaps}>
      <Text role="status" weight="semibold">
        {counts.yes.toLocaleString()} yes, {counts.no.toLocaleString()} no,{" "}
        {counts["not-known"].toLocaleString()} not known
      </Text>
      {counts.yes > 0 && <NameList title={`Yes: ${counts.yes.toLocaleString()}`} lines={lines("yes")} />}
      {counts.no > 0 && <NameList title={`No: ${counts.no.toLocaleString()}`} lines={lines("no")} />}
      {counts["not-known"] > 0 && <NotKnown result={result} columns={columns} />}
    </div>
  );
}

function NotKnown({ result, columns }: { result: FindResult; columns: FindState["columns"] }) {
  const styles = useStyles();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Details title={`Not known: ${result.heaps.counts["not-known"].toLocaleString()}`} onToggle={setIsOpen}>
      <div className={styles.inside}>{isOpen && <Reasons result={result} columns={columns} />}</div>
    </Details>
  );
}

/**
 * Reasons why it is not known whether jurisdictions meet the conditions, the most frequent first, each with its jurisdictions and their
 * published texts.
 */
function Reasons({ result, columns }: { result: FindResult; columns: FindState["columns"] }) {
  const groups = useMemo(() => {
    const { heaps, find } = result;
    const byReason = new Map<string, { condition: number; reason: UnknownReason; places: number[] }>();
    for (const place of heaps.placesIn("not-known")) {
      for (const { condition, reason } of heaps.reasonsFor(place)) {
        const key = `${condition} ${reason}`;
        const group = byReason.get(key) ?? { condition, reason, places: [] };
        byReason.set(key, group);
        group.places.push(place);
      }
    }
    return [...byReason.values()]
      .sort((one, other) => other.places.length - one.places.length)
      .flatMap(({ condition, reason, places }) => {
        const asked = find.conditions[condition];
        if (!asked) return [];
        return {
          words: unknownSentence(asked, reason, shownName),
          places,
          column: columns.get(asked.type.id),
        };
      });
  }, [result, columns]);
  const all = groups.reduce((sum, { places }) => sum + places.length, 0);
  return (
    <>
      {all > result.heaps.counts["not-known"] && <Text size={200}>Some have several reasons.</Text>}
      {groups.map(({ words, places, column }) => (
        <NameList
          key={words}
          title={`${plural(places.length, "jurisdiction")}. ${words}`}
          lines={() => places.flatMap((place) => publishedLine(result, place, column))}
        />
      ))}
    </>
  );
}

/** A jurisdiction with its published text, if it has one. */
function publishedLine(result: FindResult, place: number, column: AnswerColumn | undefined): string[] {
  const text = column && textAt(column, place);
  return labelOf(result, place).map((label) => (text === undefined ? label : `${label}: ${shownName(text)}`));
}

function labelOf({ ahjs }: FindResult, place: number): string[] {
  const ahj = ahjs[place];
  return ahj ? [fullAhjLabel(ahj)] : [];
}
