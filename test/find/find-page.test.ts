import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { operatorLabel, operators, operatorIds, readOperator } from "../../src/find/conditions/operators";
import { unknownReasons } from "../../src/find/conditions/verdict";
import { codeFamilies } from "../../src/find/readings/code-editions";
import { readAnswer } from "../../src/find/readings/answer-reading";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/find.md"), "utf8");

/** The cells of the table below a heading, row by row without its header. */
function tableBelow(heading: string): string[][] {
  const [, below = ""] = page.split(heading);
  const lines = below.slice(below.indexOf("\n|")).trim().split("\n");
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const words = (list: string) => list.split(/, (?!\d{4} edition)/);

describe("docs/find.md", () => {
  it("lists every operator by its label, in order, and each other spelling that it names is one", () => {
    const rows = tableBelow("## Operators");
    expect(rows.map(([label]) => label)).toEqual(operatorIds.map((id) => operators[id].label));
    rows.forEach(([, fits = ""], place) => {
      const [, spelling] = /\(also: (.+)\)/.exec(fits) ?? [];
      if (spelling !== undefined) expect(readOperator(spelling)).toBe(operatorIds[place]);
    });
    for (const id of ["at-least", "at-most", "more-than", "less-than"] as const)
      expect(page).toContain(`"${operatorLabel(id, "date")}"`);
  });

  it("lists the code families and their names as they are read", () => {
    const listed = tableBelow("**Code editions.**").map(([family = "", names = ""]) => [
      family,
      words(names),
    ]);
    expect(Object.fromEntries(listed)).toEqual(codeFamilies);
  });

  it("lists every reason for which a result is not known", () => {
    const [, below = ""] = page.split("## Not known\n");
    const listed = [...below.split("\n\n", 1)[0]!.matchAll(/^- (.*)$/gm)].map(([, reason]) => reason);
    expect(listed).toEqual(Object.values(unknownReasons));
  });

  it("names words for yes, no and no wait that are read as such", () => {
    const [, yes = "", no = ""] = /Yes: ([^.]+)\. No: ([^.]+)\./.exec(page) ?? [];
    expect(words(yes).map((word) => readAnswer(word, "boolean").yes)).toEqual([true, true, true, true]);
    expect(words(no).map((word) => readAnswer(word, "boolean").yes)).toEqual([false, false, false, false]);
    const [, noWait = ""] = /questions in days: ([^.]+)\./.exec(page) ?? [];
    for (const word of words(noWait))
      expect(readAnswer(word, "days").range, word).toEqual({ min: 0, max: 0 });
  });
});
