import type { FileSteps } from "./workbook/safe-write";

/** The outside world of a command, handed in: tests play it. */
export interface CommandIo {
  env: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  /** What was asked for: tables and reports. */
  print(text: string): void;
  /** The same of a file's content, which stays as it is where no terminal shows it. */
  printBytes(bytes: Uint8Array): void;
  /** Beside it: progress, warnings, failures. */
  tell(text: string): void;
  /** Somebody looks at what is told: a line may be written over. */
  isTerminal: boolean;
  /** What somebody types without seeing it; null where nobody can type. */
  askUnseen(question: string): Promise<string | null>;
  /** The folder in which answers are kept, if no other is named. */
  answersFolder: string;
  /** Ended by Ctrl+C. */
  signal: AbortSignal;
  /** The steps by which a workbook is written. Default: the file system's own. */
  fileSteps?: FileSteps;
  /** Takes what is to be awaited before the command ends, whichever way it does. `runCommand` gives it. */
  atEnd?(work: () => Promise<void>): void;
}
