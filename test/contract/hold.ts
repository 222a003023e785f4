import { describe, expect, it } from "vitest";
import { isMeant, pageStatements } from "./page";
import { statements, type Party } from "./statements";

/** The checks of a party, by the words that statements.ts uses for each statement. A check throws if the party breaks the statement. */
export type Checks = Record<string, () => void | Promise<void>>;

/** Defines one test for each statement that the party is held to, titled by the statement. `checks` are grouped by heading. */
export function hold(party: Party, checks: Record<string, Checks>): void {
  const held = Object.entries(statements)
    .map(([heading, own]) => ({
      heading,
      words: Object.keys(own).filter((words) => isHeld(own[words], party)),
    }))
    .filter(({ words }) => words.length > 0);

  it(`every statement that the ${party} is held to has its test, and every test its statement`, () => {
    const tested = Object.entries(checks).flatMap(([heading, own]) => placed(heading, Object.keys(own)));
    expect(tested.sort()).toEqual(held.flatMap(({ heading, words }) => placed(heading, words)).sort());
  });

  for (const { heading, words } of held) {
    describe(heading, () => {
      for (const own of words) it(sentence(heading, own), async () => checks[heading]?.[own]?.());
    });
  }
}

function isHeld(held: (typeof statements)[string][string] | undefined, party: Party): boolean {
  return Array.isArray(held) && held.includes(party);
}

function placed(heading: string, words: readonly string[]): string[] {
  return words.map((own) => `${heading}: ${own}`);
}

function sentence(heading: string, words: string): string {
  const meant = pageStatements.find((one) => one.heading === heading && isMeant(one, words));
  return meant?.text ?? words;
}
