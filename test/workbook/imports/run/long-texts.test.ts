import { expect, it } from "vitest";
import type { ImportAnswers } from "../../../../src/workbook/imports/run/import-types";
import { longTexts } from "../../../../src/workbook/imports/run/long-texts";

const cellCharacters = 32_767;
const long = "x".repeat(cellCharacters + 1);
const whole = "x".repeat(cellCharacters);

/** Two AHJs with one type each; the second has no answer. */
const answersWith = (answer: object) =>
  ({
    ahjs: [{ id: 1 }, { id: 2 }],
    types: [{ id: 9 }],
    of: (ahjId: number) => (ahjId === 1 ? answer : null),
  }) as unknown as ImportAnswers;
const parts = (answer: object, hasCitations: boolean) =>
  longTexts(answersWith(answer), { layout: "wide", hasCitations }).map(({ ahj, type, part, text }) => [
    ahj.id,
    type.id,
    part,
    text,
  ]);

it("the report of an import names each text that its cell can't hold, citations only if they are shown", () => {
  const answer = { value: long, reference: `r${long}`, section: `s${long}` };
  expect(parts(answer, true)).toEqual([
    [1, 9, "value", long],
    [1, 9, "reference", `r${long}`],
    [1, 9, "section", `s${long}`],
  ]);
  expect(parts(answer, false)).toEqual([[1, 9, "value", long]]);
});

it("the report of an import names no text that a cell holds, or that is not there", () => {
  expect(parts({ value: whole, reference: null, section: null }, true)).toEqual([]);
});

it("the length of a text counts a line's end once, however it is written", () => {
  const lines = "a\r\nb\rc";
  const rest = "x".repeat(cellCharacters - 5);
  expect(parts({ value: lines + rest, reference: null, section: null }, false)).toEqual([]);
  expect(parts({ value: `${lines}x${rest}`, reference: null, section: null }, false)).toHaveLength(1);
});
