import { expect, it } from "vitest";
import { shownFormula } from "../../../src/taskpane/ui/labels";

it.each([
  ['=REGDATA.VALUE("06001", 1003)', '=REGDATA.VALUE("06001", 1003)'],
  ['="\u202e"&WEBSERVICE("x")', '="[U+202E]"&WEBSERVICE("x")'],
  ['="a\u200b\u2066b\u2069"', '="a[U+200B][U+2066]b[U+2069]"'],
  ["=A1\n\t+B1\u00a0+\u3000C1", "=A1[U+000A][U+0009]+B1[U+00A0]+[U+3000]C1"],
  ['="\u3164\ufe0f\u2800\ud83d\ude00\u{e0041}"', '="[U+3164][U+FE0F][U+2800]\ud83d\ude00[U+E0041]"'],
  ['="Zürich  §"', '="Zürich  §"'],
])("a formula %j is shown with its invisible marks: %j", (formula, shown) => {
  expect(shownFormula(formula)).toBe(shown);
});
