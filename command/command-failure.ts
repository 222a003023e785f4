/** The command's exit codes, for scripts. */
export const exitCodes = {
  /** The command succeeded, and nothing changed. */
  unchanged: 0,
  /** The command succeeded and something changed; `check` found something. */
  changed: 10,
  usage: 2,
  service: 3,
  file: 4,
  /** Ctrl+C ended the command: the code that shells use for it. */
  ended: 130,
} as const;

/** The exit code for several files: the worst one. A failure counts more than a change, a change more than none. */
export function worstOf(codes: readonly number[]): number {
  const { unchanged, changed, usage, service, file, ended } = exitCodes;
  const order: number[] = [ended, usage, file, service, changed, unchanged];
  // A code that is not listed comes from a mistake of the command's own, and is the worst.
  return (
    codes.find((code) => !order.includes(code)) ?? order.find((code) => codes.includes(code)) ?? unchanged
  );
}

export type FailureKind = "usage" | "service" | "file";

/** The reason why a command could not do its work, as a sentence for the user. It never holds a key. */
export class CommandFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
