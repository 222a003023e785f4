import type { Readable, Writable } from "node:stream";
import type { FileSteps } from "./workbook/safe-write";

/** The outside world of a command. It is passed in so that tests can simulate it. */
export interface CommandIo {
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  /** Writes the requested output, such as tables and reports, to the standard output. */
  print(text: string): void;
  /** Writes a file's content to the standard output; its bytes stay unchanged unless a terminal shows them. */
  printBytes(bytes: Uint8Array): void;
  /** Writes progress, warnings and failures to the standard error. */
  tell(text: string): void;
  /** True if `tell` writes to a terminal, so that a line may be overwritten. */
  isTerminal: boolean;
  /** How many characters a line of it holds, which a user may change meanwhile. */
  columns?(): number;
  /** Asks for a secret, which is not shown while it is typed; null if nobody can type. */
  askUnseen(question: string): Promise<string | null>;
  /** The folder in which answers are stored, unless an option names another one. */
  answersFolder: string;
  /** Aborted by Ctrl+C. */
  signal: AbortSignal;
  /** The steps by which a workbook is written. Default: the file system's own. */
  fileSteps?: FileSteps;
  /** Keeps a key out of everything that is printed from now on. `runCommand` sets this. */
  hide?(key: string): void;
  /** Takes out of a text every key that this run knows. `runCommand` sets this. */
  mask?(text: string): string;
  /** The standard input and output, for a command that speaks a protocol on them and prints nothing else. */
  streams?: { input: Readable; output: Writable };
  /** Registers work to await before the command ends, whether it succeeds or fails. `runCommand` sets this. */
  atEnd?(work: () => Promise<void>): void;
}
