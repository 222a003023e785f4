import { parseArgs, type ParseArgsConfig } from "node:util";
import { CommandFailure } from "./command-failure";
import { printableLine } from "./output/printable";

type OptionsConfig = NonNullable<ParseArgsConfig["options"]>;

/** Options that every command has. */
export const commonOptions = {
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  quiet: { type: "boolean", short: "q" },
} as const satisfies OptionsConfig;

/** Options of commands that ask the service. */
export const serviceOptions = {
  service: { type: "string" },
  "key-file": { type: "string" },
  answers: { type: "string" },
} as const satisfies OptionsConfig;

/** Parses a command's words. Fails with a CommandFailure "usage" that says what is wrong with them. */
export function readOptions<Options extends OptionsConfig>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (!code?.startsWith("ERR_PARSE_ARGS")) throw cause;
    // Only Node's first sentence is kept: the next ones explain how to escape the word.
    throw new CommandFailure("usage", `${message.split(". ")[0]?.replace(/\.$/, "")}.`, { cause });
  }
}

/** Repeats each of these options before each word that follows it: `--where CA NV` becomes `--where CA --where NV`. */
export function withRepeated(words: readonly string[], names: readonly string[]): string[] {
  const all: string[] = [];
  /** The option to which the next words belong; undefined if they belong to none. */
  let open: string | undefined;
  let isFirst = false;
  for (const word of words) {
    const [, name] = /^--([\w-]+)/.exec(word) ?? [];
    if (word.startsWith("-") && word !== "-") {
      open = name !== undefined && names.includes(name) ? `--${name}` : undefined;
      isFirst = !word.includes("=");
    } else if (open !== undefined) {
      if (!isFirst) all.push(open);
      isFirst = false;
    }
    all.push(word);
  }
  return all;
}

/** Fails with a CommandFailure "usage" if there are words that belong to no option. */
export function mustBeNone([word]: readonly string[]): void {
  if (word !== undefined)
    throw new CommandFailure("usage", `"${printableLine(word, 60)}" belongs to no option.`);
}
