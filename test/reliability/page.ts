import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { format } from "oxfmt";
import { expect } from "vitest";
import type { Outcome } from "./outcomes";

const page = resolve(import.meta.dirname, "../../docs/reliability.md");

/** A group's faults, with the outcomes of each operation under each fault. */
export interface Played {
  fault: string;
  /** The outcomes of each operation, in the order of the titles. */
  outcomes: Outcome[][];
}

/** The section of the page about a group: a table, and the sentences that it cites. */
export function section(titles: readonly string[], played: readonly Played[]): string {
  const sentences: string[] = [];
  const numberOf = (sentence: string) => {
    if (!sentences.includes(sentence)) sentences.push(sentence);
    return sentences.indexOf(sentence) + 1;
  };
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = ["", ...titles];
  const rows = played.map(({ fault, outcomes }) => [
    fault,
    ...outcomes.map((each) => each.map((outcome) => cell(outcome, numberOf)).join("; ")),
  ]);
  return [
    "",
    line(head),
    line(head.map(() => "---")),
    ...rows.map(line),
    "",
    ...sentences.map((sentence, index) => `${index + 1}. ${sentence}`),
    "",
  ].join("\n");
}

function cell(outcome: Outcome, numberOf: (sentence: string) => number): string {
  const { waitsS = 0, more = 0 } = outcome;
  const cost = [waitsS >= 1 ? `${Math.round(waitsS)} s` : "", more > 0 ? `+${more}` : ""];
  const told = "told" in outcome ? (outcome.told ?? []) : [];
  const numbers = told.map((sentence) => `[${numberOf(sentence)}]`);
  const remains = "remains" in outcome ? (outcome.remains ?? []) : [];
  const left = remains.map((each) => `[${numberOf(`(${each})`)}]`);
  const what =
    outcome.is === "fails"
      ? [`no [${numberOf(outcome.sentence)}]`, ...(outcome.isKept ? ["for a day"] : []), ...left]
      : outcome.is === "partly"
        ? ["part", ...numbers]
        : [outcome.is, ...numbers, ...left];
  return [what.join(" "), ...cost].filter((part) => part !== "").join(", ");
}

/** Compares the group's section of the page with these outcomes; with REGDATA_RELIABILITY=write it writes the section instead. */
export async function expectOnPage(
  group: string,
  titles: readonly string[],
  played: readonly Played[],
): Promise<void> {
  const [begin, end] = [`<!-- ${group} -->`, `<!-- end of ${group} -->`];
  const text = readFileSync(page, "utf8");
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  expect(to, `${end} in docs/reliability.md`).toBeGreaterThan(from);
  const { code: now } = await format(
    page,
    `${text.slice(0, from)}\n${section(titles, played)}\n${text.slice(to)}`,
  );
  if (process.env.REGDATA_RELIABILITY === "write") writeFileSync(page, now);
  else expect(text, "docs/reliability.md: npm run reliability writes it").toBe(now);
}
