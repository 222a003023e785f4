/**
 * The wording of the sample rules: the text of a jurisdiction's own rule, its citation, and the date of its last change. The texts are as
 * uneven as real data: bare numbers, ranges, conditions, pointers, several lines, no citation.
 */
import * as z from "zod/mini";
import type { MatrixCell } from "../../src/engine/api/schemas";
import { levels, types, type CatalogueType, type Level, type UnitKind } from "./sample-catalogue";
import type { AhjRecord } from "../geography/geography";
import { byWeight, chance, pick } from "../seeded";
import { timestamp } from "../timestamp";
import { numeric, readTable } from "../tsv";

/** The plausible numbers for a type: from low to high, in steps. */
interface Quantity {
  low: number;
  high: number;
  step: number;
}

const textOrNull = z.pipe(
  z.string(),
  z.transform((text) => (text === "null" ? null : text)),
);

const quantities = new Map(
  readTable("quantities", z.object({ type_id: numeric, low: numeric, high: numeric, step: numeric })).map(
    ({ type_id, ...quantity }): [number, Quantity] => [type_id, quantity],
  ),
);

/** Wordings of a unit; `only_names` limits one to types whose name matches. */
const wordings = readTable(
  "wordings",
  z.object({ unit: z.string(), only_names: z.string(), weight: numeric, wording: z.string() }),
);

/** Answers to questions whose unit is text; each answers one type. */
const texts = readTable("texts", z.object({ type_id: numeric, text: z.string() }));

const citations = readTable(
  "citations",
  z.object({ level: z.enum(levels), weight: numeric, reference: textOrNull, section: textOrNull }),
);

/** The kinds of unit whose wordings hold a number. Each of their types needs a quantity. */
const holdsNumber: Record<UnitKind, boolean> = {
  money: true,
  number: true,
  duration: true,
  boolean: false,
  text: false,
  date: false,
  url: false,
};

/**
 * The number of each random draw, so that two draws for one rule don't depend on each other. The digits of a text take the numbers from
 * `digits` on.
 */
const draw = {
  wording: 1,
  citation: 2,
  low: 3,
  high: 4,
  cents: 5,
  day: 6,
  month: 7,
  year: 8,
  updated: 9,
  changed: 10,
  changedAt: 11,
  digits: 16,
};
const citationDigits = 64;
/** Added to a draw's number, this gives the draw for the rule's earlier text. */
const earlier = 1_024;

/** The rule that is being worded. `maker` is the jurisdiction that made it; `at` gives the rule's own random numbers, from 0 up to 1. */
interface Rule {
  maker: AhjRecord;
  quantity: Quantity | undefined;
  isMoney: boolean;
  at(stream: number): number;
}

const months = "January February March April May June July August September October November December".split(
  " ",
);
const cents = ["00", "00", "00", "50", "25", "70", "95"];

const withSeparators = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

function spell(amount: number, isMoney: boolean): string {
  const shortest = String(Number(amount.toFixed(3)));
  // Money has two digits of cents ($18.50). More digits stay, because some rates are in tenths of a cent.
  const digits = isMoney && /\.\d$/.test(shortest) ? `${shortest}0` : shortest;
  const [whole = "", fraction] = digits.split(".");
  return fraction === undefined ? withSeparators(whole) : `${withSeparators(whole)}.${fraction}`;
}

function stepsOf({ low, high, step }: Quantity): number {
  return Math.round((high - low) / step);
}

function lowAmount({ quantity, at }: Rule): number {
  if (quantity === undefined) throw new Error("a number is asked of a type without a quantity");
  return quantity.low + Math.floor((stepsOf(quantity) + 1) * at(draw.low)) * quantity.step;
}

function highAmount(rule: Rule): number {
  const low = lowAmount(rule);
  const { quantity, at } = rule;
  return low + (1 + Math.floor((1 + stepsOf(quantity!) / 3) * at(draw.high))) * quantity!.step;
}

function withCents(amount: number, { at }: Rule): string {
  return `${withSeparators(String(Math.floor(amount)))}.${pick(cents, at(draw.cents))}`;
}

const monthOf = ({ at }: Rule) => Math.floor(12 * at(draw.month));
const dayOf = ({ at }: Rule) => String(1 + Math.floor(28 * at(draw.day)));
const yearOf = ({ at }: Rule) => String(2024 + Math.floor(4 * at(draw.year)));
const slugOf = ({ ahj }: AhjRecord) => ahj.name.toLowerCase().replaceAll(/[^a-z]+/g, "-");

/** The words that may stand in braces in a wording or a citation. */
const words: Record<string, (rule: Rule) => string> = {
  name: ({ maker }) => maker.ahj.name,
  slug: ({ maker }) => slugOf(maker),
  n: (rule) => spell(lowAmount(rule), rule.isMoney),
  m: (rule) => spell(highAmount(rule), rule.isMoney),
  "n.00": (rule) => withCents(lowAmount(rule), rule),
  "m.00": (rule) => withCents(highAmount(rule), rule),
  "whole n": (rule) => String(Math.floor(lowAmount(rule))),
  year: yearOf,
  yy: (rule) => yearOf(rule).slice(2),
  month: (rule) => months[monthOf(rule)]!,
  mm: (rule) => String(monthOf(rule) + 1).padStart(2, "0"),
  m1: (rule) => String(monthOf(rule) + 1),
  dd: (rule) => dayOf(rule).padStart(2, "0"),
  d: dayOf,
};

/** A unit in singular or plural (`one|many`), as the rule's number needs it. */
function unitWord(one: string, many: string): (rule: Rule) => string {
  return (rule) => (spell(lowAmount(rule), rule.isMoney) === "1" ? one : many);
}

/** Prepares a text for writing. Its `{…}` become words of the rule or `{one|many}`, its `#` digits from 1 to 9. */
function compile(text: string, digitStream: number): (rule: Rule) => string {
  const parts = text.split(/(\{[^}]+\}|#)/).map((part, position): string | ((rule: Rule) => string) => {
    if (position % 2 === 0) return part;
    if (part === "#") return ({ at }) => String(1 + Math.floor(9 * at(digitStream + position)));
    const [one = "", many] = part.slice(1, -1).split("|");
    if (many !== undefined) return unitWord(one, many);
    const word = words[one];
    if (word === undefined) throw new Error(`a wording asks for an unknown word: ${text}`);
    return word;
  });
  if (parts.length === 1) return () => text;
  return (rule) => parts.map((part) => (typeof part === "string" ? part : part(rule))).join("");
}

/** The share of answers to a text question that speak of its own subject; the others would fit any question. */
const ownTextShare = 0.8;

function wordingChooser({ type, unitKind }: CatalogueType) {
  if (holdsNumber[unitKind] && !quantities.has(type.id)) throw new Error(`no quantity for type ${type.id}`);
  const ofUnit = wordings.filter(
    ({ unit, only_names }) => unit === type.unit_of_measure && new RegExp(only_names).test(type.name),
  );
  const own = texts.filter(({ type_id }) => type_id === type.id);
  const unitWeight = ofUnit.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const ownWeight = (unitWeight * ownTextShare) / (1 - ownTextShare) / own.length;
  return byWeight(
    [...ofUnit, ...own.map(({ text }) => ({ wording: text, weight: ownWeight }))].map(
      ({ wording, weight }) => ({
        weight,
        write: compile(wording, draw.digits),
      }),
    ),
  );
}

const wordingChoosers = types.map(wordingChooser);

function citationChooser(level: Level) {
  return byWeight(
    citations
      .filter((citation) => citation.level === level)
      .map(({ weight, reference, section }) => ({
        weight,
        reference: reference === null ? () => null : compile(reference, citationDigits),
        section: section === null ? () => null : compile(section, 2 * citationDigits),
      })),
  );
}

const citationChoosers: Record<Level, ReturnType<typeof citationChooser>> = {
  state: citationChooser("state"),
  county: citationChooser("county"),
  city: citationChooser("city"),
  utility: citationChooser("utility"),
};

/** The text and the citation of one jurisdiction's rule on one question. */
export function ruleText(maker: AhjRecord, entry: CatalogueType): MatrixCell {
  return wordedBy((stream) => chance(maker.index, entry.index, stream), maker, entry);
}

function wordedBy(at: Rule["at"], maker: AhjRecord, entry: CatalogueType): MatrixCell {
  const rule: Rule = {
    maker,
    quantity: quantities.get(entry.type.id),
    isMoney: entry.unitKind === "money",
    at,
  };
  const { write } = wordingChoosers[entry.index]!(at(draw.wording));
  const { reference, section } = citationChoosers[maker.level](at(draw.citation));
  return { value: write(rule), reference: reference(rule), section: section(rule) };
}

const mostTries = 8;

/** The rule before its last change: other numbers in the same words, or other words if it has no numbers. */
export function earlierRuleText(maker: AhjRecord, entry: CatalogueType): MatrixCell {
  const current = ruleText(maker, entry);
  const numbers = [draw.low, draw.high, draw.year];
  for (const streams of [numbers, [draw.wording, ...numbers]]) {
    for (let attempt = 1; attempt <= mostTries; attempt += 1) {
      const drawnAnew = (stream: number) =>
        chance(maker.index, entry.index, streams.includes(stream) ? stream + attempt * earlier : stream);
      const other = wordedBy(drawnAnew, maker, entry);
      if (meaning(other, entry) !== meaning(current, entry) && editionOf(other) <= editionOf(current))
        return other;
    }
  }
  return current;
}

/** The answer's meaning: "Yes" and "TRUE" mean the same. */
function meaning({ value }: MatrixCell, { unitKind }: CatalogueType): string | null {
  return unitKind === "boolean" ? String(/^(yes|y|true|required)$/i.test(value ?? "")) : value;
}

/** The year in a text, such as a code's edition; 0 if there is none. No rule goes back to an older edition. */
function editionOf({ value }: MatrixCell): number {
  return Number(/\b20\d\d\b/.exec(value ?? "")?.[0] ?? 0);
}

const firstUpdate = Date.UTC(2023, 0, 2);
const lastUpdate = Date.UTC(2026, 2, 10);

/** The time of the rule's last change: ISO 8601, UTC. */
export function ruleUpdatedAt(maker: AhjRecord, entry: CatalogueType): string {
  const share = chance(maker.index, entry.index, draw.updated);
  return timestamp(firstUpdate + share * (lastUpdate - firstUpdate));
}

/** One rule in twelve changes in the month of changes (month-of-changes.ts). */
const rulesPerChange = 12;

/** The time at which the rule changes in the month of changes, from 0 (its start) up to 1; undefined if it does not change. */
export function placeInMonth(maker: AhjRecord, entry: CatalogueType): number | undefined {
  const isChanged = chance(maker.index, entry.index, draw.changed) * rulesPerChange < 1;
  return isChanged ? chance(maker.index, entry.index, draw.changedAt) : undefined;
}
