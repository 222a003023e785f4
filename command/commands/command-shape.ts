import type { CommandIo } from "../command-io";

/** One of `regdata`'s commands. */
export interface Command {
  /** A line for the list of commands. */
  summary: string;
  /** The whole of `--help`, without the options that all have. */
  help: string;
  /** Gives the exit code. Fails with a CommandFailure, or a Failure of the engine. */
  run(words: readonly string[], io: CommandIo): Promise<number>;
}
