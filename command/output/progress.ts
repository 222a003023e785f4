import { clockTime } from "../../src/errors";
import type { CommandIo } from "../command-io";

export interface Progress {
  /** Says how far it is; the line is written over by the next. */
  show(text: string, done: number, total: number): void;
  /** Leaves no line behind. */
  end(): void;
}

const barCharacters = 24;
/** A terminal needs no more pictures a second. */
const leastMsBetween = 80;

/** A bar on a terminal; nothing in a pipe. */
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

/** Why nothing moves while the request limit is waited for. */
export function waitingText(untilMs: number): string {
  return `waiting for the request limit, until ${clockTime(untilMs)}`;
}
