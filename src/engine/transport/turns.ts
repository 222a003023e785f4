/** Workbooks of one browser spend the same limit: through Web Locks they start requests in turn. */
import { onAbort } from "../../async/on-abort";
import { config } from "../../config";

export interface TurnDoors {
  /** Undefined where there are none: then it is always our turn. */
  locks?: Pick<LockManager, "request"> | undefined;
  /** Names the service and key whose limit is shared; never the key itself. */
  lockName?: string | Promise<string> | undefined;
  /** Ends everything. */
  signal?: AbortSignal | undefined;
}

export interface Turns {
  /** Whether requests may be started. A turn whose time is over ends here, however late a throttled timer is. */
  isMine(): boolean;
  /** Asks for a turn, unless that is done. */
  ask(): void;
  /** Gives the turn back, if it is ours. */
  end(): void;
}

/** So long others' turns are waited for, as one may be frozen in its own; then everything goes on without turns. */
const longestTurnWaitMs = 10 * config.turnMs;

const alwaysMine: Turns = { isMine: () => true, ask() {}, end() {} };

/**
 * Where locks can't be had, for whatever reason, everything goes on without turns. `onTurn` is told that requests may
 * be started, and whether others may have started some since our last turn.
 */
export function createTurns(
  { locks, lockName, signal }: TurnDoors,
  onTurn: (sinceOthers: boolean) => void,
): Turns {
  if (locks === undefined || lockName === undefined) return alwaysMine;

  const name = Promise.resolve(lockName);
  // Its failure is met when a turn is asked for, which may be later.
  name.catch(() => {});
  let state: "none" | "asked" | "mine" | "without turns" = "none";
  let endsAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveBack = () => {};
  let hasMark = false;

  function begin(back: () => void, sinceOthers: boolean) {
    state = "mine";
    giveBack = back;
    endsAtMs = Date.now() + config.turnMs;
    timer = setTimeout(end, config.turnMs);
    onTurn(sinceOthers);
  }

  function end() {
    if (state !== "mine") return;
    state = "none";
    clearTimeout(timer);
    giveBack();
  }

  /**
   * Whoever had the last turn holds a second lock, until the next one steals it. So a workbook alone knows that no
   * other had a turn in between, and need not learn anew what is left.
   */
  const leaveMark = (turnName: string) => {
    hasMark = true;
    let release = () => {};
    const lose = () => {
      hasMark = false;
      release();
    };
    const untilClosed = () =>
      new Promise<void>((resolve) => {
        release = onAbort(signal, resolve);
      });
    locks.request(`${turnName} last turn`, { steal: true }, untilClosed).then(lose, lose);
  };

  function goOnWithout() {
    state = "without turns";
    onTurn(true);
  }

  const askLock = async () => {
    const patience = setTimeout(goOnWithout, longestTurnWaitMs);
    try {
      const turnName = await name;
      await locks.request(turnName, () => {
        clearTimeout(patience);
        const sinceOthers = !hasMark;
        if (sinceOthers) leaveMark(turnName);
        return new Promise<void>((resolve) => begin(resolve, sinceOthers));
      });
    } catch {
      clearTimeout(patience);
      end();
      goOnWithout();
    }
  };

  return {
    isMine() {
      if (state === "mine" && Date.now() >= endsAtMs) end();
      return state === "mine" || state === "without turns";
    },
    ask() {
      if (state !== "none") return;
      state = "asked";
      void askLock();
    },
    end,
  };
}
