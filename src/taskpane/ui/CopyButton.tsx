import { Button, Field, makeStyles, Text, Textarea, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";

const useStyles = makeStyles({
  line: { display: "inline-flex", alignItems: "center", gap: tokens.spacingHorizontalS },
});

/** Copies a text. If the browser does not allow that, it shows the text for the user to copy. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const styles = useStyles();
  const [copied, setCopied] = useState<"yes" | "refused">();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (copied !== "refused") return;
    area.current?.focus();
    area.current?.select();
  }, [copied]);
  // Without https there is no `navigator.clipboard`; the async function turns that error into a rejection.
  const copy = async () => navigator.clipboard.writeText(text);
  return (
    <>
      <span className={styles.line}>
        <Button
          size="small"
          onClick={() =>
            void copy().then(
              () => setCopied("yes"),
              () => setCopied("refused"),
            )
          }
        >
          {label}
        </Button>
        {copied === "yes" && <Text role="status">Copied</Text>}
      </span>
      {copied === "refused" && (
        // A frame may not be allowed to write to the clipboard, but the user always is.
        <Field label="Copy it from here">
          <Textarea ref={area} readOnly value={text} />
        </Field>
      )}
    </>
  );
}
