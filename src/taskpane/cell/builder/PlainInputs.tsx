import { Input, Select } from "@fluentui/react-components";
import { stateCodes } from "../../../engine/lookup/directory/states";
import {
  constant,
  constantsIn,
  typedConstant,
  wordIn,
} from "../../../workbook/formula-text/argument-constants";
import { shownName } from "../../ui/labels";

/** The props of every input of an argument. */
export interface InputProps {
  id: string;
  hintId: string;
  /** The argument as it stands in the formula; undefined if it is left out. */
  text: string | undefined;
  set: (text: string | undefined) => void;
}

/** In characters. Excel accepts no longer text in a formula. */
export const longestText = 255;

export function TextInput({ id, hintId, text, set }: InputProps) {
  return (
    <Input
      id={id}
      aria-describedby={hintId}
      maxLength={longestText}
      value={String(constantsIn(text)?.[0] ?? "")}
      onChange={(_, { value }) => set(value === "" ? undefined : typedConstant(value))}
    />
  );
}

export function DateInput({ id, hintId, text, set }: InputProps) {
  return (
    <Input
      id={id}
      aria-describedby={hintId}
      type="date"
      value={String(constantsIn(text)?.[0] ?? "")}
      onChange={(_, { value }) => set(value === "" ? undefined : constant([value]))}
    />
  );
}

/** A choice of arguments. `options` have the texts that stand in the formula; a text that is none of them is shown as it is. */
export function ChoiceInput({
  id,
  text = "",
  set,
  options,
  whenOmitted,
}: Omit<InputProps, "hintId"> & {
  options: readonly { text: string; label: string }[];
  /** The label of the choice that leaves the argument out. */
  whenOmitted: string;
}) {
  const isOther = text !== "" && !options.some((option) => option.text === text);
  return (
    <Select id={id} value={text} onChange={(_, { value }) => set(value === "" ? undefined : value)}>
      <option value="">{whenOmitted}</option>
      {isOther && <option value={text}>{shownName(String(constantsIn(text)?.[0] ?? text))}</option>}
      {options.map((option) => (
        <option key={option.text} value={option.text}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

export function WordInput({
  text,
  words,
  ...props
}: InputProps & { words: Readonly<Record<string, string>> }) {
  const [[first, label] = ["", ""], ...others] = Object.entries(words);
  const word = text && (wordIn(text, Object.keys(words)) ?? undefined);
  return (
    <ChoiceInput
      {...props}
      text={word === first ? undefined : word ? constant([word]) : text}
      whenOmitted={label}
      options={others.map(([each, label]) => ({ text: constant([each]), label }))}
    />
  );
}

const states = [...stateCodes].sort().map((code) => ({ text: constant([code]), label: code }));

export function WhereInput(props: InputProps) {
  const all = { text: constant(["all"]), label: "The whole subscription" };
  return <ChoiceInput {...props} whenOmitted="Choose…" options={[all, ...states]} />;
}

export function StateInput(props: InputProps) {
  return <ChoiceInput {...props} whenOmitted="Any" options={states} />;
}
