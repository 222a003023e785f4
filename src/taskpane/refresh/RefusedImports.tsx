import { Button, MessageBar, MessageBarActions, MessageBarBody, Text } from "@fluentui/react-components";
import type { RefusedPart } from "../../workbook/imports/saved/import-book";
import { plural } from "../ui/labels";

const mostShown = 10;

/** Parts of the workbook that claim to be imports and can't be used. They stay as they are until the user forgets them. */
export function RefusedImports({
  refused,
  onForget,
}: {
  refused: readonly RefusedPart[];
  onForget: (part: RefusedPart) => void;
}) {
  return (
    <>
      {refused.slice(0, mostShown).map((part, index) => (
        <MessageBar key={part.partId} intent="warning" layout="multiline">
          <MessageBarBody>A saved import can't be used. {part.reason} Left as it is.</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => onForget(part)} aria-label={`Forget the saved import ${index + 1}`}>
              Forget it
            </Button>
          </MessageBarActions>
        </MessageBar>
      ))}
      {refused.length > mostShown && (
        <Text>and {plural(refused.length - mostShown, "more saved import")} like that</Text>
      )}
    </>
  );
}
