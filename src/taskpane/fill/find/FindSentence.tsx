import { Button, Field, Input, makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Catalogue } from "../../../engine/lookup/catalogue/catalogue";
import { FailureMessage } from "../../ui/FailureMessage";
import { useTypeSearch } from "../types/use-type-search";
import { describedFind } from "./described-find";
import type { FindAction } from "./find-draft";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalXS },
  text: { flex: "1 1 10rem", minWidth: 0 },
});

/** A longer sentence has more conditions than a find can take. */
const mostCharacters = 1_000;
const example = "counties in CA and OR with review time under 10 days and permit fee at most 300";

/** A field for a find in a sentence. It fills in the fields below, where the user sees what was understood. */
export function FindSentence({
  catalogue,
  types,
  onDescribe,
}: {
  catalogue: Pick<Catalogue, "categories">;
  /** Undefined until the catalogue is loaded. */
  types: readonly DataPointType[] | undefined;
  onDescribe: (action: FindAction) => void;
}) {
  const styles = useStyles();
  const [text, setText] = useState("");
  const [rest, setRest] = useState<readonly string[]>();
  const { finder, failure, retry } = useTypeSearch(catalogue, types, "");

  function read() {
    if (!finder || text.trim() === "") return;
    const { action, rest: notUnderstood } = describedFind(text, finder);
    setRest(action ? notUnderstood : [text.trim()]);
    if (action) onDescribe(action);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        read();
      }}
    >
      <Field
        label="In your own words"
        hint={`Such as: ${example}`}
        validationState={rest && rest.length > 0 ? "warning" : "none"}
        validationMessage={rest && outcomeWords(rest)}
      >
        <div className={styles.row}>
          <Input
            className={styles.text}
            aria-label="In your own words"
            value={text}
            maxLength={mostCharacters}
            onChange={(_, { value }) => {
              setText(value);
              setRest(undefined);
            }}
          />
          <Button type="submit" disabledFocusable={!finder || text.trim() === ""}>
            Set
          </Button>
        </div>
      </Field>
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
    </form>
  );
}

function outcomeWords(rest: readonly string[]): string {
  if (rest.length === 0) return "Set below, where you can change it.";
  return `Not understood: ${rest.map((part) => `“${part}”`).join(", ")}. Set it below.`;
}
