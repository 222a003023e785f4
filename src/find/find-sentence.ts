import { kindOfWord } from "../engine/lookup/directory/kind-words";
import { stateCodeOf } from "../engine/lookup/search/state-names";
import {
  comparesOrder,
  conditionWordsOf,
  type Operator,
  operatorReadings,
  operators,
} from "./conditions/operators";
import type { Match } from "./heaps";

/** A condition in a user's words. Its question must still be looked up. */
export interface ConditionPhrase {
  question: string;
  operator: Operator;
  /** The values, as many as the operator takes. */
  operands: string[];
}

/** A find in a user's words. */
export interface FindSentence {
  /** The codes of the states; none for the whole subscription. */
  states: string[];
  /** The kinds, as in `Ahj.type`; none for all. */
  kinds: string[];
  match: Match;
  conditions: ConditionPhrase[];
  /** The parts that were not understood. */
  rest: string[];
}

/** The words between the places and the conditions. */
const withWords = new Set(["with", "where", "whose", "that", "which", "having"]);
/** The words between places that say nothing. "in" and "or" are states only in capitals. */
const fillers = new Set(["in", "of", "and", "or", "all", "the", "find", "show", "me", "jurisdictions"]);
/** The most words of a state's name. */
const mostStateWords = 4;

/**
 * Reads a sentence such as "counties in CA and OR with review time under 10 days and minimum fee at most 300". Nothing is guessed: a part that
 * does not have this form is in `rest`.
 */
export function readFindSentence(text: string): FindSentence {
  const words = conditionWordsOf(text.replace(/[;,](?!\d)/g, " , ")).filter((word) => word !== "");
  const { count, ...places } = readPlaces(words);
  return { ...places, ...readConditions(words.slice(count)) };
}

/** The places at the beginning of the words, and the number of words that they take. */
function readPlaces(words: readonly string[]): Pick<FindSentence, "states" | "kinds"> & { count: number } {
  const states = new Set<string>();
  const kinds = new Set<string>();
  let count = 0;
  while (count < words.length) {
    const word = words[count] ?? "";
    const kind = kindOfWord(word);
    const state = stateAt(words, count);
    if (withWords.has(word.toLowerCase()))
      return { states: [...states], kinds: [...kinds], count: count + 1 };
    if (state) {
      states.add(state.code);
      count += state.words;
    } else if (kind !== undefined || word === "," || fillers.has(word.toLowerCase())) {
      if (kind !== undefined) kinds.add(kind);
      count += 1;
    } else break;
  }
  return { states: [...states], kinds: [...kinds], count };
}

/** The state that is named here, and the number of its words. */
function stateAt(words: readonly string[], at: number): { code: string; words: number } | undefined {
  for (let count = Math.min(mostStateWords, words.length - at); count > 0; count -= 1) {
    const text = words.slice(at, at + count).join(" ");
    const code = stateCodeOf(text);
    const mayBeFiller = text.length === 2 && text !== text.toUpperCase();
    if (code !== undefined && !mayBeFiller) return { code, words: count };
  }
  return undefined;
}

function readConditions(words: readonly string[]): Pick<FindSentence, "match" | "conditions" | "rest"> {
  const conditions: ConditionPhrase[] = [];
  const rest: string[] = [];
  const links = new Set<string>();
  let open = [...words];
  while (open.length > 0) {
    const { phrase, count } = firstCondition(open);
    if (phrase) conditions.push(phrase);
    else rest.push(open.slice(0, count).join(" ").replaceAll(" , ", ", "));
    open = open.slice(count);
    const link = linkAt(open);
    if (link.word !== "" && open.length > link.count) links.add(link.word);
    open = open.slice(link.count);
  }
  // "and" and "or" together would need brackets.
  if (links.has("and") && links.has("or")) rest.push("and … or");
  return { match: links.has("or") && !links.has("and") ? "any" : "all", conditions, rest };
}

/** The words that link conditions here, such as ", and". */
function linkAt(words: readonly string[]): { word: "" | "and" | "or"; count: number } {
  let count = 0;
  let word: "" | "and" | "or" = "";
  for (; count < words.length; count += 1) {
    const each = words[count]?.toLowerCase();
    if (each === "and" || each === "or") word = each;
    else if (each !== ",") break;
  }
  return { word, count };
}

const isLink = (word: string | undefined) => /^(?:,|and|or)$/i.test(word ?? "");

/** The condition at the beginning of the words, and the number of its words. Without one, the words as far as the last. */
function firstCondition(words: readonly string[]): { phrase: ConditionPhrase | undefined; count: number } {
  for (let at = 1; at < words.length; at += 1) {
    for (const { operator, operand } of operatorReadings(words.slice(at))) {
      const behind = operand === "" ? [] : operand.split(" ");
      const values = valuesOf(operator, behind);
      if (!values) continue;
      const question = words.slice(0, at).join(" ").replaceAll(" ,", ",");
      const count = words.length - behind.length + values.count;
      return { phrase: { question, operator, operands: values.operands }, count };
    }
  }
  return { phrase: undefined, count: words.length };
}

/** The values of an operator at the beginning of the words; undefined if what stands there is none. */
function valuesOf(
  operator: Operator,
  words: readonly string[],
): { operands: string[]; count: number } | undefined {
  const { operand } = operators[operator];
  const end = words.findIndex(isLink);
  const first = words.slice(0, end < 0 ? words.length : end);
  if (operand === "none") return first.length === 0 ? { operands: [], count: 0 } : undefined;
  if (first.length === 0) return undefined;
  if (operand === "two-answers") {
    const to = words.findIndex((word, at) => at > 0 && /^(?:and|to|-|–)$/i.test(word));
    if (to < 0) return undefined;
    const upper = words.slice(to + 1);
    const upperEnd = upper.findIndex(isLink);
    const second = upper.slice(0, upperEnd < 0 ? upper.length : upperEnd);
    const operands = [words.slice(0, to).join(" "), second.join(" ")];
    return operands.every(beginsWithDigit) ? { operands, count: to + 1 + second.length } : undefined;
  }
  // "minimum fee" is not a comparison with a fee.
  if (comparesOrder(operator) && !beginsWithDigit(first[0] ?? "")) return undefined;
  return { operands: [first.join(" ")], count: first.length };
}

const beginsWithDigit = (text: string) => /^[$€£]?[\d.]/.test(text);
