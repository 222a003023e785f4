/**
 * Jurisdictional laddering: finds the jurisdiction whose rule answers a question for an AHJ. The nearest rule on the AHJ's chain counts, so
 * a city without a rule of its own shows its county's, and so on.
 */
import { levels, types, type CatalogueType, type Level } from "../answers/sample-catalogue";
import type { AhjRecord, Geography } from "./geography";
import { chance } from "../seeded";
import { wordsPerMask } from "../answers/type-mask";

export interface Ladder {
  /** The types that have an effective value, for each AHJ: `wordsPerMask` words, in the order of the AHJs' indexes. */
  answered: Uint32Array;
  /** The jurisdiction whose rule is effective; undefined if no jurisdiction on the chain has a rule. */
  ruleMaker(record: AhjRecord, entry: CatalogueType): AhjRecord | undefined;
}

/**
 * The share of questions on which a level has a rule of its own, by the most local level at which such rules are made. Together about four
 * in five questions have an answer.
 */
const ruleShare: Record<Level, Partial<Record<Level, number>>> = {
  state: { state: 0.8 },
  county: { county: 0.45, state: 0.65 },
  city: { city: 0.4, county: 0.35, state: 0.58 },
  utility: { utility: 0.5, state: 0.6 },
};

/** The types on which a level makes rules, and the share of its jurisdictions that do. */
function regulatedAt(level: Level): { index: number; share: number }[] {
  return types.flatMap(({ index, origin }) => {
    const share = ruleShare[origin][level];
    return share === undefined ? [] : [{ index, share }];
  });
}

const thoroughnessSeed = -1;

/** A factor on the shares, from 0.5 to 1.5: some jurisdictions regulate much and some little. */
function thoroughness({ level, index }: AhjRecord): number {
  return level === "state" ? 1 : 0.5 + chance(index, thoroughnessSeed);
}

export function createLadder({ records }: Geography): Ladder {
  const regulated = Object.fromEntries(levels.map((level) => [level, regulatedAt(level)])) as Record<
    Level,
    ReturnType<typeof regulatedAt>
  >;
  const ownRules = new Uint32Array(records.length * wordsPerMask);
  const answered = new Uint32Array(records.length * wordsPerMask);

  for (const record of records) {
    const factor = thoroughness(record);
    const start = record.index * wordsPerMask;
    for (const { index, share } of regulated[record.level]) {
      if (chance(record.index, index) < share * factor) ownRules[start + (index >>> 5)]! |= 1 << (index & 31);
    }
  }
  for (const { index, chain } of records) {
    for (let word = 0; word < wordsPerMask; word += 1) {
      let bits = 0;
      for (const parent of chain) bits |= ownRules[parent.index * wordsPerMask + word]!;
      answered[index * wordsPerMask + word] = bits;
    }
  }

  const hasRule = (record: AhjRecord, { index }: CatalogueType) =>
    ((ownRules[record.index * wordsPerMask + (index >>> 5)]! >>> (index & 31)) & 1) === 1;

  return {
    answered,
    ruleMaker: (record, entry) => record.chain.find((parent) => hasRule(parent, entry)),
  };
}
