import { Field, Input } from "@fluentui/react-components";
import type { Draft, DraftAction, DraftedImport } from "./draft/draft";
import type { ImportForm } from "./draft/import-form";
import { FormPicker } from "./insert/FormPicker";
import { PlacePicker } from "./place/PlacePicker";
import type { ReplaceableImports } from "./place/use-replaceable";

/** The step in which the user chooses the table's place, form and name. */
export default function PlaceStep({
  draft: { isBeside, place, name },
  form,
  drafted: { defaultName, list },
  replaceable,
  hasNotes,
  change,
}: {
  draft: Draft;
  /** The form that is chosen, or the user's default one. */
  form: ImportForm;
  /** The import that the draft asks for. */
  drafted: DraftedImport;
  replaceable: ReplaceableImports;
  hasNotes: boolean;
  change: (action: DraftAction) => void;
}) {
  return (
    <>
      {!isBeside && (
        <PlacePicker
          place={place}
          onChange={(next) => change({ type: "place", place: next })}
          replaceable={replaceable}
        />
      )}
      <FormPicker
        form={form}
        onChange={(next) => change({ type: "form", form: next })}
        hasNotes={hasNotes}
        hasLayouts={!isBeside}
        hasList={isBeside}
        isInTable={list !== null && list.column.table !== null}
      />
      <Field label="Name of the table" hint={name === "" ? `Without one: ${defaultName}` : undefined}>
        <Input
          value={name}
          maxLength={80}
          onChange={(_, { value }) => change({ type: "name", name: value })}
        />
      </Field>
    </>
  );
}
