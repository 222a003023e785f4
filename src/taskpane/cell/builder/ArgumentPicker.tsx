import { Button, Combobox, Field, Input, makeStyles, Option, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { isReference } from "../../../workbook/formula-text/formula-call";
import { ChosenTags } from "../../ui/lists/ChosenTags";
import { constantsIn } from "./formula-state";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXS },
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  narrow: { minWidth: 0, width: "100%" },
});

export interface FoundOption {
  value: string;
  /** What the field shows of it. */
  text: string;
  label: string;
}

/** One argument: found by search, or in cells that are pointed at. */
export function ArgumentPicker({
  noun,
  plural,
  placeholder,
  text,
  onChange,
  options,
  hint,
  onSearch,
  onChoose,
  labelOf,
  onRemove,
  onPoint,
}: {
  noun: string;
  plural: string;
  placeholder: string;
  /** The argument as it is typed; undefined where there is none. */
  text: string | undefined;
  onChange: (text: string | undefined) => void;
  options: readonly FoundOption[];
  /** What is under way. */
  hint: string | undefined;
  onSearch: (text: string) => void;
  onChoose: (option: FoundOption) => void;
  labelOf: (value: string | number) => string;
  onRemove: (place: number | "all") => void;
  /** Gives the address of the selected cells; null where they can't be taken. */
  onPoint: () => Promise<string | null>;
}) {
  const styles = useStyles();
  const [search, setSearch] = useState("");
  // What is being typed is no address yet.
  const [typing, setTyping] = useState<string>();
  const cells = typing ?? (text !== undefined && isReference(text) ? text : undefined);
  const values = constantsIn(text);
  const isOther = cells === undefined && values === null;
  const type = (typed: string) => {
    const isAddress = isReference(typed.trim());
    setTyping(isAddress ? undefined : typed);
    onChange(isAddress ? typed.trim() : undefined);
  };
  return (
    <div className={styles.column}>
      <Field label={`Search ${plural}`} hint={hint}>
        <Combobox
          className={styles.narrow}
          freeform
          placeholder={placeholder}
          value={search}
          selectedOptions={[]}
          onFocus={() => onSearch(search)}
          onInput={({ currentTarget: { value } }) => {
            setSearch(value);
            onSearch(value);
          }}
          onOptionSelect={(_, { optionValue }) => {
            const option = options.find(({ value }) => value === optionValue);
            setSearch("");
            onSearch("");
            if (!option) return;
            setTyping(undefined);
            onChoose(option);
          }}
        >
          {options.map((option) => (
            <Option key={option.value} value={option.value} text={option.text}>
              {option.label}
            </Option>
          ))}
          {options.length === 0 && (
            <Option disabled text="">
              {search === "" ? "Type a word of it" : "Nothing found"}
            </Option>
          )}
        </Combobox>
      </Field>
      {cells === undefined && values !== null && (
        <ChosenTags
          noun={noun}
          items={values.map((value, place) => ({ id: place, label: labelOf(value) }))}
          onRemove={onRemove}
          onClear={() => onRemove("all")}
        />
      )}
      {isOther && (
        <Field label={`Calculated ${plural}`} hint="Stays as it is, unless you choose or point at others.">
          <Input readOnly value={text ?? ""} />
        </Field>
      )}
      {cells !== undefined && (
        <Field
          label={`Cells of the ${plural}`}
          validationMessage={typing === undefined ? undefined : "Write an address, such as A2:A50."}
        >
          <Input value={cells} onChange={(_, { value }) => type(value)} />
        </Field>
      )}
      <div className={styles.row}>
        <Button
          size="small"
          aria-label={`Point at cells of ${plural}`}
          onClick={() => void onPoint().then((address) => address !== null && type(address))}
        >
          Point at cells
        </Button>
      </div>
    </div>
  );
}
