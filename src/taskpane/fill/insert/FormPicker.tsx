import { Checkbox, Field, makeStyles, Select, tokens } from "@fluentui/react-components";
import { citationChoices, type ImportForm, layoutChoices } from "../draft/import-form";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  field: { flex: "1 1 12rem" },
});

/** The choices of layout, citations and what stands for no value, and for a list whether its entries are explained and it becomes a table. */
export function FormPicker({
  form,
  onChange,
  hasNotes,
  hasLayouts = true,
  hasList = true,
  isInTable = false,
}: {
  form: ImportForm;
  onChange: (form: ImportForm) => void;
  /** True if this Excel has notes on cells. */
  hasNotes: boolean;
  /** False beside a list, where there is only one layout. */
  hasLayouts?: boolean;
  /** True if there may be a list. */
  hasList?: boolean;
  /** True if the list is in a table already. */
  isInTable?: boolean;
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
      <Checkbox
        label="Date of each answer's last update"
        checked={form.hasDates}
        onChange={(_, { checked }) => onChange({ ...form, hasDates: checked === true })}
      />
      <Checkbox
        label="Show “–” where no value is recorded"
        checked={form.hasDashes}
        onChange={(_, { checked }) => onChange({ ...form, hasDashes: checked === true })}
      />
      {hasList && (
        <Checkbox
          label="How certain each match is"
          checked={form.hasCertainty}
          onChange={(_, { checked }) => onChange({ ...form, hasCertainty: checked === true })}
        />
      )}
      {hasList && !isInTable && (
        <Checkbox
          label="Make my list a table"
          checked={form.makesTable}
          onChange={(_, { checked }) => onChange({ ...form, makesTable: checked === true })}
        />
      )}
    </div>
  );
}

function optionsOf(choices: Record<string, string>) {
  return Object.entries(choices).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
