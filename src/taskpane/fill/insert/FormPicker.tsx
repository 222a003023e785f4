import { Field, makeStyles, Select, tokens } from "@fluentui/react-components";
import type { TableForm } from "../../../workbook/sheet/layout/table-plan";

const citationChoices = {
  none: "None",
  beside: "Columns beside",
  sheet: "On a Sources sheet",
  notes: "As notes",
} as const;
const layoutChoices = { wide: "A row per jurisdiction", long: "A row per value" } as const;

/** How an import is to look. */
export interface ImportForm {
  layout: TableForm["layout"];
  citations: keyof typeof citationChoices;
}

export const plainImportForm: ImportForm = { layout: "wide", citations: "none" };

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  // A native select is as wide as its longest name.
  field: { flex: "1 1 12rem", minWidth: 0, "& select": { minWidth: 0, width: "100%" } },
});

/** The choices of layout and citations. */
export function FormPicker({
  form,
  onChange,
  hasNotes,
  hasLayouts = true,
}: {
  form: ImportForm;
  onChange: (form: ImportForm) => void;
  /** Notes on cells can be had. */
  hasNotes: boolean;
  /** Beside a list there is one layout. */
  hasLayouts?: boolean;
}) {
  const styles = useStyles();
  const { notes, ...others } = citationChoices;
  return (
    <div className={styles.row}>
      {hasLayouts && (
        <Field label="Layout" className={styles.field}>
          <Select
            value={form.layout}
            onChange={(_, { value }) => onChange({ ...form, layout: value as ImportForm["layout"] })}
          >
            {optionsOf(layoutChoices)}
          </Select>
        </Field>
      )}
      <Field label="Citations" className={styles.field}>
        <Select
          value={form.citations}
          onChange={(_, { value }) => onChange({ ...form, citations: value as ImportForm["citations"] })}
        >
          {optionsOf({ ...others, ...(hasNotes && { notes }) })}
        </Select>
      </Field>
    </div>
  );
}

/** The choices in a line. */
export function formWords({ layout, citations }: ImportForm, hasLayouts: boolean): string {
  const words = [
    hasLayouts ? layoutChoices[layout].toLowerCase() : "",
    citations === "none" ? "" : `citations ${citationChoices[citations].toLowerCase()}`,
  ];
  return words.filter((each) => each !== "").join(", ");
}

function optionsOf(choices: Record<string, string>) {
  return Object.entries(choices).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** A form as it was kept; a choice that is none any more is the plain one, and columns stand for notes. */
export function asImportForm(
  kept: { layout: string; citations: string } | null,
  hasNotes: boolean,
): ImportForm {
  const citations = choiceOf(citationChoices, kept?.citations) ?? plainImportForm.citations;
  return {
    layout: choiceOf(layoutChoices, kept?.layout) ?? plainImportForm.layout,
    citations: citations === "notes" && !hasNotes ? "beside" : citations,
  };
}

function choiceOf<Choice extends string>(choices: Record<Choice, string>, kept?: string) {
  return (Object.keys(choices) as Choice[]).find((choice) => choice === kept);
}
