import {
  Button,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
} from "@fluentui/react-components";
import type { DraftedImport } from "../draft/draft";

/** Says that the chosen jurisdictions are the result of a find, or that they no longer are. */
export default function FoundNote({
  drafted: { find, isFindChanged },
  onForget,
}: {
  drafted: DraftedImport;
  onForget: () => void;
}) {
  if (find) {
    return (
      <MessageBar layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>Those that answer: {find.words}.</MessageBarTitle>
          The table remembers the conditions. Each refresh checks them again and lists which places were added
          or dropped.
        </MessageBarBody>
        <MessageBarActions>
          <Button onClick={onForget}>Keep as a plain list</Button>
        </MessageBarActions>
      </MessageBar>
    );
  }
  return isFindChanged ? (
    <MessageBar layout="multiline">
      <MessageBarBody>
        You changed the jurisdictions that were found. They are a plain list now: a refresh does not ask the
        conditions again.
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={onForget}>OK</Button>
      </MessageBarActions>
    </MessageBar>
  ) : null;
}
