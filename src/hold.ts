import { nowAndThen } from "./async/now-and-then";
import { config } from "./config";
import { Failure } from "./errors";

/** The hold of this workbook, which a colleague may change at any time. */
export interface HoldWatch {
  /**
   * The formula of the name by which the workbook is on hold; null for none. It is read anew if the last reading was `config.keptLookMs`
   * ago. A hold that can't be read in time counts as none, or as it was; an answer that comes later is still taken.
   */
  look(): Promise<string | null>;
  /** Fails with on-hold if the workbook is on hold, by the same look. */
  mustBeReleased(): Promise<void>;
}

/** The only failure of all that is refused on hold: thousands of formulas may be, and each Error costs a stack trace. */
const onHold = new Failure("on-hold");

/** Watches the hold that `read` finds in the workbook. `current` is what `set` has kept last, undefined at first. */
export function createHoldWatch(
  read: () => Promise<string | null>,
  current: () => string | null | undefined,
  set: (formula: string | null) => void,
): HoldWatch {
  const lookAgain = nowAndThen(() => read().then(set), {
    everyMs: config.keptLookMs,
    patienceMs: () => (current() === undefined ? config.startPatienceMs : config.keptLookPatienceMs),
  });

  async function look(): Promise<string | null> {
    await lookAgain();
    if (!current()) set(null);
    return current() ?? null;
  }

  return {
    look,
    async mustBeReleased() {
      if (await look()) throw onHold;
    },
  };
}
