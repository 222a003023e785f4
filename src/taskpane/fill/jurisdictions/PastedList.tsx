import { Button, Field, makeStyles, Textarea, tokens } from "@fluentui/react-components";
import { type ClipboardEvent, useEffect, useRef } from "react";
import { plural } from "../../ui/labels";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex" },
});

/** A browser takes seconds or minutes to lay out a longer text in a text field. */
const mostCharacters = 20_000;
const shownCharacters = 500;

/** The field for a pasted list. A long list is kept whole, and only its beginning is shown. */
export function PastedList({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const styles = useStyles();
  const area = useRef<HTMLTextAreaElement>(null);
  const isLong = text.length > mostCharacters;
  // The field gets the focus when it is opened.
  useEffect(() => area.current?.focus(), []);

  function paste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData("text/plain");
    // The field shows only a part of a long list, so another pasted list is added below the whole list.
    const whole = isLong
      ? `${text}\n${pasted}`
      : text.slice(0, selectionStart) + pasted + text.slice(selectionEnd);
    if (whole.length <= mostCharacters) return;
    event.preventDefault();
    onChange(whole);
  }

  function remove() {
    // The focus moves to the field, because the button disappears.
    area.current?.focus();
    onChange("");
  }

  return (
    <div className={styles.column}>
      <Field
        label="Names or geoIDs, one per line"
        hint="Such as 06001, ahj:123 or Alameda County, CA, also in columns with headings."
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
  // Cells copied from Excel end with a line break, which begins no line.
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** The first whole lines of a text. */
function beginning(text: string): string {
  const end = text.lastIndexOf("\n", shownCharacters);
  return `${text.slice(0, end > 0 ? end : shownCharacters)}\n…`;
}
