import { constantsIn, wordIn } from "../../../workbook/formula-text/argument-constants";
import { argumentWords } from "../../../workbook/formula-text/argument-words";

/** How an argument is chosen. */
export interface ArgumentKind {
  input:
    | { of: "jurisdictions" | "questions" | "states" | "categories" | "collections" }
    | { of: "text" | "date" | "flag" }
    /** Nothing but cells of the sheet. */
    | { of: "cells" }
    /** All jurisdictions, or those of a state. */
    | { of: "where" }
    /** Of a few words; the first stands for an omitted argument. */
    | { of: "words"; words: Readonly<Record<string, string>> };
  label: string;
  /** In "Choose …", where the argument is required. */
  noun?: string;
}

/** By `argumentKey`. */
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

/** An argument by what it means: functions that share a meaning share the argument. */
export function argumentKey(functionName: string, parameterName: string): string {
  if (functionName === "AHJ" && parameterName === "field") return "ahj_field";
  return (
    { geoids: "geoid", question_ids: "question_id", columns: "question_id" }[parameterName] ?? parameterName
  );
}

/** A text under its own name, where nothing else is known of an argument. */
export function argumentKind(key: string): ArgumentKind {
  return kinds[key] ?? { input: { of: "text" }, label: key, noun: key };
}

/** What an argument is called, where a function takes it for another purpose than most. */
export function argumentLabel(functionName: string, parameterName: string): string {
  if (parameterName === "columns") return "Questions to show";
  return argumentKind(argumentKey(functionName, parameterName)).label;
}

export function isKnownArgument(key: string): boolean {
  return Object.hasOwn(kinds, key);
}

/** Whether an argument as it is typed is what its input can show; others are cells, or calculated. */
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
