import { Combobox, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { Session } from "../../../app";
import { constant, constantsIn } from "../../../workbook/formula-text/argument-constants";
import { shownName } from "../../ui/labels";
import { ChosenTags } from "../../ui/lists/ChosenTags";
import { type FoundOption, SearchOptions } from "../../ui/lists/SearchOptions";
import type { ArgumentLabels } from "./argument-labels";
import type { InputProps } from "./PlainInputs";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalXS },
});

export interface SearchedProps extends InputProps {
  session: Session;
  /** True if several can be chosen one after another; otherwise a new choice replaces the last. */
  isList: boolean;
  labels: ArgumentLabels;
}

/** The field for an argument: what it searches, and how its constant stands in the formula. */
export interface SearchField {
  noun: string;
  placeholder: string;
  direction: "down" | "across";
}

/** A search for options, and what came of it. */
export interface OptionSearch {
  options: readonly FoundOption[];
  /** Says what else there is to say about the options. */
  heading?: string | undefined;
  /** Says what is going on, such as loading. */
  hint: string | undefined;
  onSearch: (text: string) => void;
  /** The constant that stands for the option in the formula; undefined if it can't be told. */
  valueOf: (option: FoundOption) => Promise<string | number | undefined>;
}

/** More options than this nobody looks through. */
export const shownResults = 50;

/** Searches for the constants of an argument, and shows the chosen ones. */
export function SearchInput({
  id,
  text,
  set,
  isList,
  labels,
  field: { noun, placeholder, direction },
  search: { options, heading, hint, onSearch, valueOf },
}: Omit<SearchedProps, "session" | "hintId"> & { field: SearchField; search: OptionSearch }) {
  const styles = useStyles();
  const [typed, setTyped] = useState("");
  const values = constantsIn(text) ?? [];
  const setValues = (next: readonly (string | number)[]) =>
    set(next.length === 0 ? undefined : constant(next, direction));
  async function choose(option: FoundOption | undefined) {
    const value = option && (await valueOf(option));
    if (value !== undefined)
      setValues(isList ? [...values.filter((other) => other !== value), value] : [value]);
  }
  return (
    <div className={styles.column}>
      <Combobox
        id={id}
        freeform
        placeholder={placeholder}
        value={typed}
        selectedOptions={[]}
        onFocus={() => onSearch(typed)}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          onSearch(value);
        }}
        onOptionSelect={(_, { optionValue }) => {
          setTyped("");
          onSearch("");
          void choose(options.find(({ value }) => value === optionValue));
        }}
      >
        <SearchOptions
          options={options}
          heading={
            heading ?? (options.length > 0 ? undefined : typed === "" ? "Type a word of it" : "Nothing found")
          }
        />
      </Combobox>
      {hint !== undefined && <Text size={200}>{hint}</Text>}
      {values.length > 0 && (
        <ChosenTags
          noun={noun}
          items={values.map((value, place) => ({
            id: place,
            label: labels.get(value) ?? shownName(String(value)),
          }))}
          onRemove={(place) => setValues(values.filter((_, other) => other !== place))}
          onClear={() => setValues([])}
        />
      )}
    </div>
  );
}
