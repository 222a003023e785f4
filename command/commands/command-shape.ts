import type { CommandIo } from "../command-io";

/** One of the commands of `regdata`. */
export interface Command {
  /** The command's line in the list of commands. */
  summary: string;
  /** The text of `--help`, without the options that all commands have. */
  help: string;
  /** Runs the command and returns its exit code. Fails with a CommandFailure, or a Failure of the engine. */
  run(words: readonly string[], io: CommandIo): Promise<number>;
}
