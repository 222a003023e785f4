import { clockTime } from "../../src/errors";
import type { CommandIo } from "../command-io";

export interface Progress {
  /** Shows how far the work is, in a line that the next call overwrites. */
  show(text: string, done: number, total: number): void;
  /** Erases the line. */
  end(): void;
}

const barCharacters = 24;
/** The least time between two updates: a terminal needs no more of them. */
const leastMsBetween = 80;

/** Shows a bar on a terminal, and nothing in a pipe. */
export function createProgress(
  { tell, isTerminal, columns }: Pick<CommandIo, "tell" | "isTerminal" | "columns">,
  isQuiet: boolean,
): Progress {
  if (!isTerminal || isQuiet) return { show() {}, end() {} };
  let shownAtMs = 0;
  return {
    show(text, done, total) {
      const nowMs = Date.now();
      if (nowMs - shownAtMs < leastMsBetween && done < total) return;
      shownAtMs = nowMs;
      const filled = total > 0 ? Math.round((Math.min(done, total) / total) * barCharacters) : 0;
      const line = `${"█".repeat(filled)}${"░".repeat(barCharacters - filled)} ${text}`;
      // A line that wraps is not written over. Many a terminal wraps when its last column is full.
      tell(`\r\x1b[2K${line.slice(0, (columns?.() ?? 80) - 1)}`);
    },
    end() {
      if (shownAtMs > 0) tell("\r\x1b[2K");
      shownAtMs = 0;
    },
  };
}

/** Explains why nothing moves while the command waits for the request limit. */
export function waitingText(untilMs: number): string {
  return `waiting for the request limit, until ${clockTime(untilMs)}`;
}
