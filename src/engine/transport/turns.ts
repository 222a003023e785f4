/** Workbooks of one browser spend the same limit. They start requests in turn, by means of Web Locks. */
import { onAbort } from "../../async/on-abort";
import { config } from "../../config";

export interface TurnDependencies {
  /** The browser's locks. Without them it is always our turn. */
  locks?: Pick<LockManager, "request"> | undefined;
  /** A name for the service and key whose limit is shared. It never contains the key itself. */
  lockName?: string | Promise<string> | undefined;
  /** Gives up the mark of the last turn when it aborts. */
  signal?: AbortSignal | undefined;
}

export interface Turns {
  /** True if requests may be started. A turn whose time is over ends here, however late a throttled timer is. */
  isMine(): boolean;
  /** Asks for a turn, unless one has been asked for already. */
  ask(): void;
  /** Gives the turn back, if it is ours. */
  end(): void;
}

/** The longest wait for others' turns, because another page may be frozen in its turn. Then requests go on without turns. */
const longestTurnWaitMs = 10 * config.turnMs;

const alwaysMine: Turns = { isMine: () => true, ask() {}, end() {} };

/**
 * Lets workbooks take turns. If locks are not available, for whatever reason, requests go on without turns. `onTurn` is called when
 * requests may be started, with true if others may have started some since our last turn.
 */
export function createTurns(
  { locks, lockName, signal }: TurnDependencies,
  onTurn: (sinceOthers: boolean) => void,
): Turns {
  if (locks === undefined || lockName === undefined) return alwaysMine;

  const name = Promise.resolve(lockName);
  // The failure is handled when a turn is asked for, which may be later.
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
   * Marks our turn as the last one. Workbooks that are open side by side take turns in sending. The one that had the last turn keeps a second
   * lock, which the next one takes from it. A workbook that still has this lock knows that no other has sent anything since, so it need not ask
   * the service what is left.
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
