/**
 * `npm run snippets -- FOLDER` plays Script Lab's snippets for Excel in the workbench, one after another: FOLDER is a copy of
 * OfficeDev/office-js-snippets. The buttons of each are pressed in their order. build/snippets.md has the outcomes by family, the members
 * that are not played, and what differs from expected.ts. `--only TEXT` plays the snippets whose path has this text. It needs the workbench's page
 * (`npm run build`).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { expected } from "./expected";
import { type Outcome, playSnippets } from "./play-snippets";
import { readSnippets } from "./read-snippet";
import { report } from "./report";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", multiple: true, default: [""] } },
});
const [folder, ...others] = positionals;
if (folder === undefined || others.length > 0) quit("Use: npm run snippets -- FOLDER [--only TEXT]");

try {
  const snippets = readSnippets(folder).filter(({ path }) =>
    options.only.some((text) => path.includes(text)),
  );
  const outcomes: Outcome[] = [];
  await playSnippets(snippets, expected, (outcome) => {
    outcomes.push(outcome);
    const { snippet, ending, notPlayed, complaints, differences } = outcome;
    console.log(
      `${snippet.path}: ${ending}`,
      ...[notPlayed, complaints, differences ?? []].flat().map((each) => `\n  ${each}`),
    );
  });
  mkdirSync("build", { recursive: true });
  const text = report(outcomes);
  writeFileSync(join("build", "snippets.md"), text);
  console.log(`\n${text}`);
  process.exitCode = outcomes.some(({ differences }) => differences && differences.length > 0) ? 1 : 0;
} catch (cause) {
  quit((cause as Error).message);
}

function quit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
