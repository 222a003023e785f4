import { Field, Select } from "@fluentui/react-components";
import { FailureMessage } from "../../ui/FailureMessage";
import type { ReplaceableImports } from "./use-replaceable";

/** The place of a new table, unless it replaces an import. */
export type NewPlace = "sheet" | "cell";

/** The choice of the table's place: a new sheet, the selected cell, or the place of an earlier import. */
export function PlacePicker({
  place,
  onChange,
  replaceable: { imports, kept, failure, retry, choose },
}: {
  place: NewPlace;
  onChange: (place: NewPlace) => void;
  replaceable: ReplaceableImports;
}) {
  return (
    <>
      <Field label="Place">
        <Select
          value={kept?.saved.id ?? place}
          onChange={(_, { value }) => {
            const next = imports.find(({ saved }) => saved.id === value) ?? null;
            choose(next);
            if (!next) onChange(value as NewPlace);
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
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
    </>
  );
}
