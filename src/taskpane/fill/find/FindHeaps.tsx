import { makeStyles, Text, tokens } from "@fluentui/react-components";
import { useMemo, useState } from "react";
import { unknownReasons } from "../../../find/conditions/verdict";
import type { Heap } from "../../../find/heaps";
import { addTo } from "../../../lists";
import { Details } from "../../ui/Details";
import { fullAhjLabel, plural } from "../../ui/labels";
import { NameList } from "../jurisdictions/NameList";
import { conditionWords } from "./condition-draft";
import type { FindResult } from "./find-control";

const useStyles = makeStyles({
  heaps: { display: "flex", flexDirection: "column" },
  inside: { paddingLeft: tokens.spacingHorizontalM },
});

/** The three heaps of a result: their counts in sight, and each to be opened. */
export function FindHeaps({ result }: { result: FindResult }) {
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
      {counts["not-known"] > 0 && <NotKnown result={result} />}
    </div>
  );
}

function NotKnown({ result }: { result: FindResult }) {
  const styles = useStyles();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Details title={`Not known: ${result.heaps.counts["not-known"].toLocaleString()}`} onToggle={setIsOpen}>
      <div className={styles.inside}>{isOpen && <Reasons result={result} />}</div>
    </Details>
  );
}

/** Why jurisdictions are not known: the commonest reason first, with those that have it. */
function Reasons({ result }: { result: FindResult }) {
  const groups = useMemo(() => {
    const { heaps, find } = result;
    const byReason = new Map<string, number[]>();
    for (const place of heaps.placesIn("not-known")) {
      for (const { condition, reason } of heaps.reasonsFor(place)) {
        const asked = find.conditions[condition];
        if (asked) addTo(byReason, `“${conditionWords(asked)}”: ${unknownReasons[reason]}`, place);
      }
    }
    return [...byReason].sort(([, one], [, other]) => other.length - one.length);
  }, [result]);
  const all = groups.reduce((sum, [, places]) => sum + places.length, 0);
  return (
    <>
      {all > result.heaps.counts["not-known"] && <Text size={200}>Some have several reasons.</Text>}
      {groups.map(([reason, places]) => (
        <NameList
          key={reason}
          title={`${plural(places.length, "jurisdiction")}. ${reason}`}
          lines={() => places.flatMap((place) => labelOf(result, place))}
        />
      ))}
    </>
  );
}

function labelOf({ ahjs }: FindResult, place: number): string[] {
  const ahj = ahjs[place];
  return ahj ? [fullAhjLabel(ahj)] : [];
}
