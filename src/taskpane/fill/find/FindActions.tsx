import { Button, Checkbox, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { findWords } from "./condition-draft";
import type { FindControl, FindResult } from "./find-control";
import type { Found } from "./use-found";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** What comes of those that were found. */
export function FindActions({
  result,
  control,
  onUse,
}: {
  result: FindResult;
  control: FindControl;
  onUse: (found: Omit<Found, "types">) => void;
}) {
  const styles = useStyles();
  const [isIncluding, setIsIncluding] = useState(false);
  const { yes, "not-known": notKnown } = result.heaps.counts;
  const hasNotKnown = isIncluding && notKnown > 0;
  const count = yes + (hasNotKnown ? notKnown : 0);
  return (
    <>
      {notKnown > 0 && (
        <Checkbox
          label={`Include the ${notKnown.toLocaleString()} not known`}
          checked={isIncluding}
          onChange={(_, { checked }) => setIsIncluding(checked === true)}
        />
      )}
      {hasNotKnown && (
        <Text size={200}>They become a plain list: a refresh does not ask the conditions again.</Text>
      )}
      <div className={styles.row}>
        <Button
          size="small"
          appearance="primary"
          disabledFocusable={count === 0}
          onClick={() => {
            const taken = control.take(hasNotKnown);
            if (taken && taken.ahjs.length > 0) onUse({ ...taken, words: findWords(result.find) });
          }}
        >
          Use these {count.toLocaleString()}
        </Button>
      </div>
    </>
  );
}
