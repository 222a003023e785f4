import type { RowHow } from "./read-code";

/** How an entry was understood, in the words of a column "How certain". */
const howWords: Readonly<Record<RowHow, string>> = {
  "as-given": "as given",
  "zero-back": "zero put back",
  "prefix-cut": "prefix cut",
  tidied: "other characters taken off",
  joined: "columns joined",
  "whole-state": "zeros for the whole",
  name: "name",
  "name-spelled": "name, another spelling",
  "name-guessed": "name, guessed",
  "name-chosen": "name, chosen by hand",
  replaced: "replaced by choice",
  "not-matched": "not matched",
};

/** The ways of understanding an entry by which it may say something else than the name of its AHJ, so that the name is told. */
const namesAhj = new Set<RowHow>(["name-guessed", "name-chosen", "replaced"]);

/** The words for the row of an entry, such as "name, chosen by hand: Orange County, CA". */
export function certaintyWords(how: RowHow, ahj: { name: string; state_code: string } | null): string {
  const name = [ahj?.name, ahj?.state_code].filter((part) => part !== undefined && part !== "").join(", ");
  return namesAhj.has(how) && name !== "" ? `${howWords[how]}: ${name}` : howWords[how];
}

/** True for words that `certaintyWords` gives. */
export function isCertaintyWords(text: string): boolean {
  return Object.values(howWords).some((words) => text === words || text.startsWith(`${words}: `));
}
