import { Button, Field, makeStyles, Textarea, tokens } from "@fluentui/react-components";
import { type ClipboardEvent, useRef } from "react";
import { plural } from "../../ui/labels";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex" },
});

/** More than this takes a browser seconds, or minutes, to lay out in a text field. */
const mostCharacters = 20_000;
const shownCharacters = 500;

/** The field of a pasted list. A long one is held whole, and only its beginning shown. */
export function PastedList({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const styles = useStyles();
  const area = useRef<HTMLTextAreaElement>(null);
  const isLong = text.length > mostCharacters;

  function paste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData("text/plain");
    // What stands in the field is not all of a long list: another one goes below it.
    const whole = isLong
      ? `${text}\n${pasted}`
      : text.slice(0, selectionStart) + pasted + text.slice(selectionEnd);
    if (whole.length <= mostCharacters) return;
    event.preventDefault();
    onChange(whole);
  }

  function remove() {
    // The button goes.
    area.current?.focus();
    onChange("");
  }

  return (
    <div className={styles.column}>
      <Field
        label="Names or geoIDs, one a line"
        hint="Such as 06001, ahj:123 or Alameda County, CA. Lost leading zeros come back."
        {...(isLong && {
          validationState: "none",
          validationMessage: `${plural(linesIn(text), "line")} pasted. Only the first are shown.`,
        })}
      >
        <Textarea
          ref={area}
          rows={4}
          readOnly={isLong}
          value={isLong ? beginning(text) : text}
          onPaste={paste}
          onChange={(_, { value }) => onChange(value)}
        />
      </Field>
      {isLong && (
        <div className={styles.row}>
          <Button size="small" onClick={remove}>
            Remove the list
          </Button>
        </div>
      )}
    </div>
  );
}

function linesIn(text: string): number {
  // Cells copied from Excel end with a break.
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Its first whole lines. */
function beginning(text: string): string {
  const end = text.lastIndexOf("\n", shownCharacters);
  return `${text.slice(0, end > 0 ? end : shownCharacters)}\n…`;
}
