import { expect, it } from "vitest";
import { byStateAndName } from "../../../../src/engine/lookup/directory/state-and-name";

it("lists of AHJs stand by state, then by name as in a dictionary, and with one name by id", () => {
  const ahj = (id: number, name: string, state_code: string) => ({
    ...{ id, name, state_code, type: "city", geoid: null },
  });
  const listed = [
    ahj(1, "De Soto", "TX"),
    ahj(2, "de Leon", "TX"),
    ahj(3, "Zavalla", "TX"),
    ahj(5, "Águila", "TX"),
    ahj(4, "De Soto", "KS"),
    ahj(0, "De Soto", "TX"),
  ].sort(byStateAndName);
  expect(listed.map(({ id, name, state_code }) => `${state_code} ${name} ${id}`)).toEqual([
    ...["KS De Soto 4", "TX Águila 5", "TX de Leon 2", "TX De Soto 0", "TX De Soto 1", "TX Zavalla 3"],
  ]);
});
