import { config } from "../../src/config";

/** Hostile texts by their kind. Values, names, units and descriptions may hold any of them. */
export const hostileTexts: Readonly<Record<string, string>> = {
  "a formula": '=HYPERLINK("https://evil.test","free")',
  "a formula with a plus": "+cmd|' /C calc'!A0",
  "a formula with a minus": "-2+3",
  "a formula with an at": "@SUM(A1:A9)",
  "a formula behind a tab": "\t=1+1",
  "a formula behind a line break": "\r\n=1+1",
  "a formula behind an apostrophe": "'=1+1",
  "an apostrophe alone": "'",
  "an equals sign alone": "=",
  "digits with a zero": "06001",
  "digits beyond 2^53": "9007199254740993",
  "a number with an exponent": "1e5",
  "a date": "4-12-7",
  "a truth": "TRUE",
  "an error of Excel's": "#N/A",
  markup: "<img src=x onerror=\"globalThis.polluted='markup'\"><script>alert(1)</script>",
  "the end of a CDATA": "]]></import><import>",
  "an entity": "&lt;b&gt; &amp;quot; &#0;",
  "JSON's end": '"}],"version":2,"x":[{"',
  "a right-to-left override": "\u202egnp.exe\u202c",
  "Hebrew and marks": "\u200fעיריית תל אביב\u200e (12)",
  emoji: "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301",
  "control characters": "\u0000\u0001\u0008\u000b\u001b[31m\u007f\u0085",
  "not characters": "\ufffe\uffff\u2028\u2029\ufeff",
  "half a character": "\ud83d and \ude00",
  "the prototype": "__proto__",
  "its constructor": "constructor",
  "its toString": "toString",
  "what all objects have": "hasOwnProperty",
  blanks: " \u00a0\u3000 ",
  lines: "one\rtwo\r\nthree\nfour",
  "a path": "../../v1/ahjs?x=1#y%00",
  "a name of a sheet": "a/b\\c?d*e[f]:g'",
  "a megabyte": "0123456789abcde ".repeat(65_536),
  "quotes beyond a cell": '"'.repeat(40_000),
  "a cell's length of emoji": "😀".repeat(20_000),
};

export const texts = Object.values(hostileTexts);

/** The text as a cell holds it. */
export function inCell(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n");
  if (lines.length <= config.cellCharacters) return lines;
  const mark = "… [cut]";
  return lines.slice(0, config.cellCharacters - mark.length).replace(/[\ud800-\udbff]$/, "") + mark;
}

/** True if data from outside has become a property of every object. */
export function isPolluted(): boolean {
  const plain: Record<string, unknown> = {};
  return "polluted" in globalThis || Object.keys(Object.prototype).length > 0 || plain.polluted !== undefined;
}
