import { Field, Input } from "@fluentui/react-components";
import type { Session } from "../../app";
import type { ImportQuestion } from "../../workbook/imports/run/import-types";
import type { TableForm } from "../../workbook/sheet/layout/table-plan";
import { FormPicker } from "./insert/FormPicker";
import type { ImportForm } from "./insert/import-form";
import { type NewPlace, PlacePicker } from "./place/PlacePicker";
import { Preview } from "./insert/Preview";
import type { ReplaceableImports } from "./place/use-replaceable";

/** The step in which the user chooses the table's place, form and name, and sees its first rows. */
export default function HowStep({
  session,
  isBeside,
  isInTable,
  place,
  onPlace,
  replaceable,
  choices,
  onChoices,
  hasNotes,
  name,
  defaultName,
  onName,
  question,
  form,
}: {
  session: Session;
  /** True if the import goes beside a list, which settles its place and layout. */
  isBeside: boolean;
  /** True if the list is in a table already. */
  isInTable: boolean;
  place: NewPlace;
  onPlace: (place: NewPlace) => void;
  replaceable: ReplaceableImports;
  choices: ImportForm;
  onChoices: (choices: ImportForm) => void;
  hasNotes: boolean;
  name: string;
  /** The import's name unless the user enters one. */
  defaultName: string;
  onName: (name: string) => void;
  question: ImportQuestion | null;
  form: TableForm;
}) {
  return (
    <>
      {!isBeside && <PlacePicker place={place} onChange={onPlace} replaceable={replaceable} />}
      <FormPicker
        form={choices}
        onChange={onChoices}
        hasNotes={hasNotes}
        hasLayouts={!isBeside}
        hasList={isBeside}
        isInTable={isInTable}
      />
      <Field label="Name of the table" hint={name === "" ? `Without one: ${defaultName}` : undefined}>
        <Input value={name} maxLength={80} onChange={(_, { value }) => onName(value)} />
      </Field>
      <Preview session={session} question={question} form={form} />
    </>
  );
}
