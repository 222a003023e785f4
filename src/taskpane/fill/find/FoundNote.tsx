import {
  Button,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
} from "@fluentui/react-components";
import type { FoundJurisdictions } from "./use-found";

/** Says that the chosen jurisdictions are the result of a find, or that they no longer are. */
export default function FoundNote({ found: { living, isChanged, forget } }: { found: FoundJurisdictions }) {
  if (living) {
    return (
      <MessageBar layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>Those that answer: {living.words}.</MessageBarTitle>
          The table remembers the conditions. A refresh asks them again and says who entered and who left.
        </MessageBarBody>
        <MessageBarActions>
          <Button onClick={forget}>Keep as a plain list</Button>
        </MessageBarActions>
      </MessageBar>
    );
  }
  return isChanged ? (
    <MessageBar layout="multiline">
      <MessageBarBody>
        You changed the jurisdictions that were found. They are a plain list now: a refresh does not ask the
        conditions again.
      </MessageBarBody>
      <MessageBarActions>
        <Button onClick={forget}>OK</Button>
      </MessageBarActions>
    </MessageBar>
  ) : null;
}
