import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Text,
  tokens,
} from "@fluentui/react-components";
import { useId, useRef } from "react";
import type { BesideOffer, BesidePlace } from "../../../workbook/sheet/lists/beside-list";
import type { ListOrder } from "../../../workbook/imports/run/import-types";
import { useAttention } from "../../ui/use-attention";
import { waysOf } from "./beside-ways";

const useStyles = makeStyles({
  ways: {
    display: "flex",
    flexDirection: "column",
    gap: tokens.spacingVerticalS,
    margin: `${tokens.spacingVerticalS} 0 0`,
    padding: 0,
    listStyleType: "none",
  },
  way: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXXS },
  button: { alignSelf: "flex-start" },
});

/** Asks where columns go that have no room right of a list. */
export default function BesideQuestion({
  place,
  beside,
  onChoose,
  onCancel,
}: {
  place: BesidePlace;
  /** The list beside which the columns go. */
  beside: ListOrder;
  onChoose: (offer: BesideOffer) => void;
  onCancel: () => void;
}) {
  const styles = useStyles();
  const id = useId();
  // This component brings itself into sight, because its script may load after the workbook has answered.
  const question = useRef<HTMLDivElement>(null);
  useAttention(question, place);
  return (
    <MessageBar ref={question} intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>
          {place.filled === null ? "There is no room right of your list." : `${place.filled} is not empty.`}
        </MessageBarTitle>
        Where should the new columns go?
        {place.notTable !== null && ` Your list can't become a table: ${place.notTable}`}
        <ul className={styles.ways}>
          {waysOf(place, beside).map(({ offer, label, words, isPossible }) => (
            <li key={label} className={styles.way}>
              {isPossible ? (
                <Button
                  size="small"
                  className={styles.button}
                  aria-describedby={`${id}${offer.way.kind}`}
                  onClick={() => onChoose(offer)}
                >
                  {label}
                </Button>
              ) : (
                <Text weight="semibold" size={200}>
                  {label}
                </Text>
              )}
              <Text id={`${id}${offer.way.kind}`} size={200}>
                {words}
              </Text>
            </li>
          ))}
        </ul>
      </MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
