import { constantsIn, wordIn } from "../../../workbook/formula-text/argument-constants";
import { argumentWords } from "../../../workbook/formula-text/argument-words";

/** The way in which an argument is chosen. */
export interface ArgumentKind {
  input:
    | { of: "jurisdictions" | "questions" | "states" | "categories" | "collections" }
    | { of: "text" | "date" | "flag" }
    /** Takes only cells of the sheet. */
    | { of: "cells" }
    /** Takes all jurisdictions, or those of a state. */
    | { of: "where" }
    /** Takes one of a few words; the first word stands for an omitted argument. */
    | { of: "words"; words: Readonly<Record<string, string>> };
  label: string;
  /** Completes "Choose …" for a required argument. */
  noun?: string;
}

/** The kinds by `argumentKey`. */
const kinds: Readonly<Record<string, ArgumentKind>> = {
  geoid: { input: { of: "jurisdictions" }, label: "Jurisdictions", noun: "jurisdictions" },
  question_id: { input: { of: "questions" }, label: "Questions", noun: "questions" },
  collection: { input: { of: "collections" }, label: "Collection", noun: "a collection" },
  name: { input: { of: "text" }, label: "Name", noun: "a name" },
  since: { input: { of: "date" }, label: "Changed since", noun: "a date" },
  state: { input: { of: "states" }, label: "State" },
  category: { input: { of: "categories" }, label: "Category" },
  search: { input: { of: "text" }, label: "Search words" },
  field: { input: { of: "words", words: argumentWords.field }, label: "Show" },
  ahj_field: { input: { of: "words", words: argumentWords.ahjField }, label: "Show" },
  layout: { input: { of: "words", words: argumentWords.layout }, label: "Layout" },
  if_missing: { input: { of: "text" }, label: "Where no value is recorded, show" },
  headers: { input: { of: "flag" }, label: "With a header row" },
  where: { input: { of: "where" }, label: "Where", noun: "where to look" },
  conditions: { input: { of: "cells" }, label: "Conditions", noun: "the cells with the conditions" },
  match: { input: { of: "words", words: argumentWords.match }, label: "Has to meet" },
  show: { input: { of: "words", words: argumentWords.show }, label: "List" },
};

/** The key of an argument's meaning. Functions with arguments of the same meaning share the key, and so the argument's text. */
export function argumentKey(functionName: string, parameterName: string): string {
  if (functionName === "AHJ" && parameterName === "field") return "ahj_field";
  return (
    { geoids: "geoid", question_ids: "question_id", columns: "question_id" }[parameterName] ?? parameterName
  );
}

/** The kind of an argument; an unknown one is a text under its own name. */
export function argumentKind(key: string): ArgumentKind {
  return kinds[key] ?? { input: { of: "text" }, label: key, noun: key };
}

/** The label of an argument. `columns` has its own, because it means other than usual which questions to show. */
export function argumentLabel(functionName: string, parameterName: string): string {
  if (parameterName === "columns") return "Questions to show";
  return argumentKind(argumentKey(functionName, parameterName)).label;
}

export function isKnownArgument(key: string): boolean {
  return Object.hasOwn(kinds, key);
}

/** True if the argument's input can show this text; false for cells and calculations. */
export function canShow({ of }: ArgumentKind["input"], text: string): boolean {
  const [value, ...others] = constantsIn(text) ?? [];
  switch (of) {
    case "flag":
      return wordIn(text, ["true", "false"]) !== null;
    case "date":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && others.length === 0;
    case "cells":
      return false;
    case "jurisdictions":
    case "questions":
      return value !== undefined;
    default:
      return value !== undefined && others.length === 0;
  }
}
