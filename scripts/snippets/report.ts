import type { Ending, Outcome } from "./play-snippets";

const endings: readonly Ending[] = ["ran", "not played", "refused", "failed"];

/** The outcomes as Markdown: a table by family, the members that are not played by frequency, and the complaints. */
export function report(outcomes: readonly Outcome[]): string {
  const families = [...new Set(outcomes.map(({ snippet }) => snippet.family))];
  const row = (name: string, all: readonly Outcome[]) => {
    const isRight = ({ ending, differences }: Outcome) => ending === "ran" && differences?.length === 0;
    const counts = endings.map((ending) => all.filter((one) => one.ending === ending).length);
    return `| ${[name, all.length, ...counts, all.filter(isRight).length].join(" | ")} |`;
  };
  const counts = new Map<string, number>();
  for (const { notPlayed } of outcomes)
    for (const name of notPlayed) counts.set(name, (counts.get(name) ?? 0) + 1);
  const byFrequency = [...counts].sort(
    ([one, many], [other, more]) => more - many || one.localeCompare(other),
  );
  return [
    "| family | snippets | ran | a member is not played | refused by a rule | failed | right |",
    "| - | -: | -: | -: | -: | -: | -: |",
    ...families.map((family) =>
      row(
        family,
        outcomes.filter(({ snippet }) => snippet.family === family),
      ),
    ),
    row("all", outcomes),
    "",
    "| member that is not played | snippets |",
    "| - | -: |",
    ...byFrequency.map(([name, count]) => `| \`${name}\` | ${count} |`),
    "",
    ...outcomes.flatMap(({ snippet, complaints, differences }) =>
      [...complaints, ...(differences ?? [])].map((each) => `- ${snippet.path}: ${each}`),
    ),
    "",
  ].join("\n");
}
