import { Button, Checkbox, Field, Input, makeStyles, tokens } from "@fluentui/react-components";
import { type FormEvent, useState } from "react";
import { isSameName, mostNamedLists } from "../../../settings/choices/named-lists";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  row: { display: "flex" },
});

/** Asks for a name under which to store a list of the user's own. */
export function NameForm({
  label,
  names,
  onSave,
}: {
  label: string;
  /** The names that are taken, on this device and in the workbook. */
  names: Record<"device" | "workbook", readonly string[]>;
  onSave: (name: string, where: "device" | "workbook") => void;
}) {
  const styles = useStyles();
  const [name, setName] = useState("");
  const [where, setWhere] = useState<"device" | "workbook">("device");
  const isKnown = names[where].some((each) => isSameName(each, name));
  const isFull = !isKnown && names[where].length >= mostNamedLists;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "" && !isFull) onSave(name.trim(), where);
  };
  return (
    <form className={styles.column} onSubmit={submit}>
      <Field
        label={label}
        hint={
          isKnown
            ? "This replaces the one with the same name."
            : where === "device"
              ? "Kept on this device."
              : "Kept in this workbook, for everyone who opens it."
        }
        validationState={isFull ? "error" : "none"}
        validationMessage={isFull ? `You can keep up to ${mostNamedLists}. Delete one first.` : undefined}
      >
        <Input value={name} maxLength={80} onChange={(_, { value }) => setName(value)} />
      </Field>
      <Checkbox
        label="Keep it in this workbook"
        checked={where === "workbook"}
        onChange={(_, { checked }) => setWhere(checked === true ? "workbook" : "device")}
      />
      <div className={styles.row}>
        <Button size="small" type="submit" disabledFocusable={name.trim() === "" || isFull}>
          {isKnown ? "Replace" : "Save"}
        </Button>
      </div>
    </form>
  );
}
