import { Button, Field, makeStyles, Text, Textarea, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { plural } from "../ui/labels";

const useStyles = makeStyles({
  summary: {
    padding: tokens.spacingVerticalXS,
    cursor: "pointer",
    borderRadius: tokens.borderRadiusMedium,
    "&:focus-visible": {
      outline: `${tokens.strokeWidthThick} solid ${tokens.colorStrokeFocus2}`,
      outlineOffset: `calc(-1 * ${tokens.strokeWidthThick})`,
    },
  },
  list: {
    margin: 0,
    paddingLeft: tokens.spacingHorizontalL,
    maxHeight: "16rem",
    overflowY: "auto",
    overflowWrap: "anywhere",
    whiteSpace: "pre-wrap",
  },
});

/** A list that opens under its title, and can be copied. */
export function NameList({ title, lines }: { title: string; lines: readonly string[] }) {
  const styles = useStyles();
  return (
    <details>
      {/* In Excel on the web office.js moves the Tab key, past a summary that has no tabindex. */}
      <summary className={styles.summary} tabIndex={0}>
        {title}
      </summary>
      <CopyButton text={lines.join("\n")} />
      <ul className={styles.list}>
        {lines.slice(0, shownLines).map((line, index) => (
          <li key={index}>{line}</li>
        ))}
        {lines.length > shownLines && (
          <li>and {plural(lines.length - shownLines, "more line")}; copy the list</li>
        )}
      </ul>
    </details>
  );
}

const shownLines = 500;

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<"yes" | "refused">();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (copied === "refused") area.current?.select();
  }, [copied]);
  // Without a safe address there is no clipboard at all.
  const copy = async () => navigator.clipboard.writeText(text);
  return (
    <>
      <Button
        size="small"
        onClick={() =>
          void copy().then(
            () => setCopied("yes"),
            () => setCopied("refused"),
          )
        }
      >
        Copy list
      </Button>
      {copied === "yes" && <Text role="status"> Copied</Text>}
      {copied === "refused" && (
        // A frame may not be allowed to write to the clipboard; the user always is.
        <Field label="Copy it from here">
          <Textarea ref={area} readOnly value={text} />
        </Field>
      )}
    </>
  );
}
