import { Field, Select } from "@fluentui/react-components";
import { FailureMessage } from "../../ui/FailureMessage";
import type { NewPlace } from "../draft/draft";
import type { ReplaceableImports } from "./use-replaceable";

/** The choice of the table's place: a new sheet, the selected cell, or the place of an earlier import. */
export function PlacePicker({
  place,
  onChange,
  replaceable: { imports, failure, retry },
}: {
  place: NewPlace;
  onChange: (place: NewPlace) => void;
  replaceable: ReplaceableImports;
}) {
  return (
    <>
      <Field label="Place">
        <Select
          value={typeof place === "string" ? place : place.saved.id}
          onChange={(_, { value }) =>
            onChange(imports.find(({ saved }) => saved.id === value) ?? (value as "sheet" | "cell"))
          }
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
