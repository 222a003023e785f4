import { describe, expect, it } from "vitest";
import { type Absence, absences } from "../../src/engine/absence";
import { createAnswerPart, openAnswerPart } from "../../src/engine/cache/answer-part";

/** The number in the place of a value, as it is in the caches of users. A later version must read it, so these numbers stay. */
const stored: Record<Absence, number> = {
  "no-value": 0xffff_fff0,
  "unknown-type": 0xffff_fff1,
  "unknown-jurisdiction": 0xffff_fff2,
  "outside-subscription": 0xffff_fff3,
};

const reasons = Object.keys(stored) as Absence[];

function partOfAllReasons() {
  const part = createAnswerPart(reasons.length);
  reasons.forEach((absence, typeId) => part.push(typeId, { fetchedAtMs: 1, absence }));
  part.seal();
  return part;
}

describe("the reasons for having no value", () => {
  it("are stored under the same number in every version", () => {
    expect([...partOfAllReasons().stored().columns.value]).toEqual(reasons.map((absence) => stored[absence]));
  });

  it("are stored under a number of their own each, none of which is a text's or that of no text", () => {
    const codes = Object.values(absences).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code >= 0 && code <= 14 && Number.isInteger(code), `${code}`).toBe(true);
  });

  it("are read back as they were stored", () => {
    const opened = openAnswerPart(partOfAllReasons().stored());
    expect(reasons.map((_, slot) => opened?.at(slot))).toEqual(
      reasons.map((absence) => ({ fetchedAtMs: 1, absence })),
    );
  });

  it("make a stored record unreadable if it has a number that no reason has", () => {
    const record = partOfAllReasons().stored();
    record.columns.value[0] = 0xffff_fffe;
    expect(openAnswerPart(record)).toBeUndefined();
  });
});
