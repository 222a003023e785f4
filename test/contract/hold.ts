import { describe, expect, it } from "vitest";
import { statements, type Party } from "./statements";

/** By the name of the statement: asserts that the party does what the statement says. */
export type Checks = Record<string, () => void | Promise<void>>;

/** One test for each statement that the party is held to, titled by the statement's own words. */
export function hold(party: Party, checks: Checks): void {
  const held = Object.entries(statements).map(([section, own]) => ({
    section,
    own: Object.entries(own).filter(([, { heldTo }]) => heldTo.includes(party)),
  }));

  it(`every statement that the ${party} is held to has its test, and every test its statement`, () => {
    const names = held.flatMap(({ own }) => own.map(([name]) => name));
    expect(Object.keys(checks).sort()).toEqual(names.sort());
  });

  it("a statement that nobody is held to says why", () => {
    const all = Object.values(statements).flatMap((own) => Object.values(own));
    expect(all.filter(({ heldTo, why }) => (heldTo.length === 0) !== (why !== undefined))).toEqual([]);
  });

  for (const { section, own } of held.filter(({ own }) => own.length > 0)) {
    describe(section, () => {
      for (const [name, { quote }] of own) it(quote, async () => checks[name]?.());
    });
  }
}
