import { Field, makeStyles, Select } from "@fluentui/react-components";
import { FailureMessage } from "../../ui/FailureMessage";
import type { ReplaceableImports } from "./use-replaceable";

// A native select is as wide as its longest name.
const useStyles = makeStyles({ narrow: { minWidth: 0, "& select": { minWidth: 0, width: "100%" } } });

/** Where a new table goes, if it takes no import's place. */
export type NewPlace = "sheet" | "cell";

/** Chooses where the table goes: a new sheet, the selected cell, or the place of an earlier import. */
export function PlacePicker({
  place,
  onChange,
  replaceable: { imports, chosen, failure, choose },
}: {
  place: NewPlace;
  onChange: (place: NewPlace) => void;
  replaceable: ReplaceableImports;
}) {
  const styles = useStyles();
  return (
    <>
      <Field label="Place">
        <Select
          className={styles.narrow}
          value={chosen?.kept.saved.id ?? place}
          onChange={(_, { value }) => {
            const kept = imports.find(({ saved }) => saved.id === value) ?? null;
            choose(kept);
            if (!kept) onChange(value as NewPlace);
          }}
        >
          <option value="sheet">A new sheet</option>
          <option value="cell">The selected cell</option>
          {imports.length > 0 && (
            <optgroup label="Replace an import">
              {imports.map(({ saved: { id, name }, place: stands }) => (
                <option key={id} value={id}>
                  {name} ({stands?.address})
                </option>
              ))}
            </optgroup>
          )}
        </Select>
      </Field>
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}
