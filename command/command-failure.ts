/** The codes with which the command ends, for scripts. */
export const exitCodes = {
  /** Done, and nothing is other than before. */
  unchanged: 0,
  /** Done, and something changed; of `check`, something was found. */
  changed: 10,
  usage: 2,
  service: 3,
  file: 4,
  /** Ended by Ctrl+C: as shells say it. */
  ended: 130,
} as const;

/** The code for several files: a failure before a change, and that before none. */
export function worstOf(codes: readonly number[]): number {
  const { unchanged, changed, usage, service, file, ended } = exitCodes;
  const order: number[] = [ended, usage, file, service, changed, unchanged];
  // A mistake of the command's own is in no list.
  return (
    codes.find((code) => !order.includes(code)) ?? order.find((code) => codes.includes(code)) ?? unchanged
  );
}

export type FailureKind = "usage" | "service" | "file";

/** Why a command could not do what it was told, in a sentence for whoever typed it. It never has a key in it. */
export class CommandFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
