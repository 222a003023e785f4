import { parseArgs, type ParseArgsConfig } from "node:util";
import { CommandFailure } from "./command-failure";

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

/** Reads a command's words. Fails with a CommandFailure "usage", which names what is wrong with them. */
export function readOptions<Options extends OptionsConfig>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (!code?.startsWith("ERR_PARSE_ARGS")) throw cause;
    // Node's sentence goes on about how to escape the word.
    throw new CommandFailure("usage", `${message.split(". ")[0]?.replace(/\.$/, "")}.`, { cause });
  }
}
