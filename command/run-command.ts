import { exitCodes } from "./command-failure";
import type { CommandIo } from "./command-io";
import { check } from "./commands/check-command";
import { collection } from "./commands/collection-command";
import type { Command } from "./commands/command-shape";
import { diff } from "./commands/diff-command";
import { fill } from "./commands/fill-command";
import { find } from "./commands/find-command";
import { freeze } from "./commands/freeze-command";
import { matrix } from "./commands/matrix-command";
import { mcp } from "./commands/mcp-command";
import { refresh } from "./commands/refresh-command";
import { repair } from "./commands/repair-command";
import { template } from "./commands/template-command";
import { unfreeze } from "./commands/unfreeze-command";
import { failureOf } from "./failure-exit";
import { withMaskedOutput } from "./output/masked-output";
import { printable } from "./output/printable";

/** The commands by their names, in the order of `--help`. */
const commands: Readonly<Record<string, Command>> = {
  ...{ matrix, collection, find, template, fill, refresh },
  ...{ check, repair, diff, freeze, unfreeze, mcp },
};

const everyHelp = `
  --json         Print one JSON document instead of text.
  -q, --quiet    Print nothing but failures.
  -h, --help     Show this text.

Exit codes: 0 nothing changed, 10 something changed (of check: something was found), 2 usage, 3 service, 4 file,
130 ended by Ctrl+C.`;

/** Runs `regdata` with these words and returns its exit code. Never throws: each failure is told in a sentence. */
export async function runCommand(
  [name = "--help", ...words]: readonly string[],
  outside: CommandIo,
): Promise<number> {
  const io = await withMaskedOutput(outside);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    if (name === "--help" || name === "-h" || name === "help") {
      io.print(generalHelp());
      return exitCodes.unchanged;
    }
    io.tell(`There is no command ${printable(name)}. Commands: ${Object.keys(commands).join(", ")}.`);
    return exitCodes.usage;
  }
  if (words.includes("--help") || words.includes("-h")) {
    io.print(`${command.help}\n${everyHelp}`);
    return exitCodes.unchanged;
  }
  const rests: (() => Promise<void>)[] = [];
  try {
    return await command.run(words, { ...io, atEnd: (work) => void rests.push(work) });
  } catch (thrown) {
    const { code, sentence } = failureOf(thrown);
    io.tell(printable(sentence));
    if (code === exitCodes.usage) io.tell(`See: npm run regdata -- ${name} --help`);
    return code;
  } finally {
    for (const rest of rests) await rest();
  }
}

function generalHelp(): string {
  const width = Math.max(...Object.keys(commands).map(({ length }) => length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `regdata: workbooks with regulatory data, without Excel.

${lines.join("\n")}

Each has a --help of its own: npm run regdata -- refresh --help

The key comes from REGDATA_KEY, from a file that only you can read (--key-file), or is asked for. It is never an argument.`;
}
