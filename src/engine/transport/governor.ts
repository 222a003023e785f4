import TinyQueue from "tinyqueue";
import { onAbort } from "../../async/on-abort";
import { config } from "../../config";
import { cancelled, Failure } from "../../errors";
import {
  afterArrival,
  afterEnd,
  afterOthers,
  afterStart,
  type Allowance,
  atTime,
  type Closure,
  closureFor,
  hasRoom,
  inNewSession,
  knownWindows,
  nextChangeMs,
  startOf,
  unknownAllowance,
} from "./allowance";
import { readRateHeaders } from "./rate-headers";
import { createTurns, type TurnDependencies } from "./turns";
import type { Urgency } from "./urgency";

/** A request that wants to be sent. */
export interface Applicant {
  /** The lowest place goes first among equally urgent requests. */
  place: number;
  /** Listened to as long as the request waits. */
  urgency: Urgency;
  /** A request without an answer holds up only requests to its own endpoint for long. */
  endpoint: string;
  giveUpAtMs: number;
  signal: AbortSignal;
  onWait: ((untilMs: number) => void) | undefined;
}

/** The permission to send one request. */
export interface Permit {
  /** Must be called as soon as the answer begins. */
  answered(status: number, headers: Headers): void;
  /** Must be called once, when the request is over in whatever way. `wasSent` is false if it was not sent after all. Default: true. */
  ended(wasSent?: boolean): void;
}

/** The present knowledge of the request limit; empty if the service's headers can't be read. */
export interface KnownLimit {
  /** Requests left in the tightest window. */
  left?: number;
  resetsAtMs?: number;
  /** Requests left and reset of every known window, the tightest first. An answer tells of one window only. */
  windows: { left: number; resetsAtMs: number }[];
  /** Until when the limit holds requests back; undefined if it holds back none. */
  waitingUntilMs: number | undefined;
}

/** One service's request limit as one key meets it: every request asks here first. */
export interface Governor {
  /** Resolves when the request may be sent. Fails with cancelled or rate-limited, as soon as that is certain. */
  admit(applicant: Applicant): Promise<Permit>;
  limit(): KnownLimit;
  /** The known state, for the governor of the next session with the same key. */
  allowance(): Allowance;
}

interface Request extends Applicant {
  /** Until when the request waits, as its listener was told or is about to be told. */
  informedUntilMs?: number | undefined;
  grant(permit: Permit): void;
  refuse(failure: Failure): void;
}

/** Requests of equal urgency that wait. */
interface Rank {
  urgent: boolean;
  waiting: Waiting<Request>;
  /** Requests that have come since the others were told. */
  uninformed: Set<Request>;
  /** The end of the closure that all other requests were told of. */
  informedUntilMs: number | undefined;
}

/** `learnt` is the state of the limit that an earlier session with the same key knew. */
export function createGovernor(
  random: () => number,
  turnDependencies: TurnDependencies,
  learnt?: Allowance,
): Governor {
  let allowance = learnt ? inNewSession(learnt) : unknownAllowance;
  const [urgentRank, otherRank] = [createRank(true), createRank(false)];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakesAtMs: number | undefined;
  let isProceedingSoon = false;
  /** Requests under way whose answer has not begun. */
  const unanswered = new Set<{ endpoint: string; startedAtMs: number }>();

  const turns = createTurns(turnDependencies, (sinceOthers) => {
    if (sinceOthers) allowance = afterOthers(allowance);
    proceed();
  });

  /** Sends every request that may be sent now, and arranges its next call for when more may be sent. */
  function proceed(): void {
    for (;;) {
      const nowMs = Date.now();
      allowance = atTime(allowance, nowMs);
      tellOfClosure(nowMs);
      const isMyTurn = turns.isMine();
      const rank = urgentRank.waiting.size > 0 ? urgentRank : otherRank;
      const closure = rank.waiting.size > 0 ? closureFor(allowance, rank.urgent, nowMs) : undefined;
      wakeAt(closure?.opensAtMs);
      if (rank.waiting.size === 0 || closure !== undefined) return turns.end();
      const next = nextOf(rank, nowMs);
      if (!next) {
        // Looks again when the requests under way have had their time, unless the limit itself leaves no room.
        const isWidth = maySendBeside() && hasRoom({ ...allowance, underWay: 1 }, rank.urgent, nowMs);
        return wakeAt(isWidth ? nowMs + config.companyMs : nextChangeMs(allowance, nowMs));
      }
      if (!isMyTurn) return turns.ask();
      dequeue(rank, next);
      next.grant(permit(next.endpoint, nowMs));
    }
  }

  /** Proceeds a little later, so that requests asked for in one go are put in order first. */
  function proceedSoon(): void {
    if (isProceedingSoon) return;
    isProceedingSoon = true;
    queueMicrotask(() => {
      isProceedingSoon = false;
      proceed();
    });
  }

  function enqueue(rank: Rank, one: Request): void {
    rank.waiting.add(one);
    rank.uninformed.add(one);
    proceedSoon();
  }

  function dequeue(rank: Rank, one: Request): void {
    rank.waiting.delete(one);
    rank.uninformed.delete(one);
  }

  /** Until an answer has told what is left, more requests may be refused. */
  const isLimitKnown = () => allowance.windows.length > 0 || allowance.width > config.firstRequests;

  const maySendBeside = () => isLimitKnown() || unanswered.size <= config.firstRequests;

  /**
   * The next request that there is room for. Requests that have had no answer for a while take no room of other endpoints. Until the limit
   * is known, an endpoint that has a request under way lets others go first, because it may be the one that gives no answer, and one
   * request goes beside the first ones at most.
   */
  function nextOf(rank: Rank, nowMs: number): Request | undefined {
    const under = [...unanswered];
    const isBusy = ({ endpoint }: Request) => under.some((one) => one.endpoint === endpoint);
    if (hasRoom(allowance, rank.urgent, nowMs)) {
      const other = isLimitKnown() || under.length === 0 ? undefined : firstOf(rank, (one) => !isBusy(one));
      return other ?? rank.waiting.first();
    }
    const stalled = under.filter(({ startedAtMs }) => startedAtMs + config.companyMs <= nowMs);
    if (stalled.length === 0 || !maySendBeside()) return undefined;
    return firstOf(rank, (one) => {
      const others = stalled.filter(({ endpoint }) => endpoint !== one.endpoint).length;
      const rest = { ...allowance, underWay: Math.max(1, allowance.underWay - others) };
      return others > 0 && (isLimitKnown() || !isBusy(one)) && hasRoom(rest, rank.urgent, nowMs);
    });
  }

  function firstOf(rank: Rank, mayGo: (one: Request) => boolean): Request | undefined {
    let first: Request | undefined;
    for (const one of rank.waiting) if ((!first || one.place < first.place) && mayGo(one)) first = one;
    return first;
  }

  function permit(endpoint: string, nowMs: number): Permit {
    const start = startOf(allowance, nowMs);
    let wasAnswered = false;
    allowance = afterStart(allowance);
    const one = { endpoint, startedAtMs: nowMs };
    unanswered.add(one);
    return {
      answered(status, headers) {
        wasAnswered = true;
        unanswered.delete(one);
        const atMs = Date.now();
        const arrival = { atMs, status, rate: readRateHeaders(headers, atMs) };
        allowance = afterArrival(allowance, start, arrival, random);
        proceed();
      },
      ended(wasSent = true) {
        unanswered.delete(one);
        allowance = afterEnd(allowance, wasAnswered, wasSent);
        proceed();
      },
    };
  }

  function tellOfClosure(nowMs: number): void {
    for (const rank of [urgentRank, otherRank]) {
      const untilMs = closureFor(allowance, rank.urgent, nowMs)?.untilMs;
      const told = untilMs === rank.informedUntilMs ? rank.uninformed : rank.waiting;
      rank.informedUntilMs = untilMs;
      if (untilMs !== undefined) for (const one of [...told]) tell(rank, one, untilMs, nowMs);
      rank.uninformed.clear();
    }
  }

  /** Tells a request until when it waits, or refuses it if that is too late. */
  function tell(rank: Rank, one: Request, untilMs: number, nowMs: number): void {
    if (untilMs > one.giveUpAtMs || untilMs > nowMs + config.longestWaitMs) {
      dequeue(rank, one);
      one.refuse(new Failure("rate-limited", { untilMs }));
    } else if (untilMs !== one.informedUntilMs) {
      one.informedUntilMs = untilMs;
      // The listener runs later, so that it never meets a queue that is half changed, whatever it does or throws.
      queueMicrotask(() => {
        // The request may have got another place in the queue since, and has then been told another time.
        if (one.informedUntilMs === untilMs) one.onWait?.(untilMs);
      });
    }
  }

  function wakeAt(atMs: number | undefined): void {
    if (atMs === wakesAtMs) return;
    clearTimeout(timer);
    wakesAtMs = atMs;
    if (atMs === undefined) return;
    timer = setTimeout(() => {
      wakesAtMs = undefined;
      proceed();
    }, atMs - Date.now());
  }

  return {
    admit(applicant) {
      return new Promise((resolve, reject) => {
        const { signal, urgency } = applicant;
        if (signal.aborted) return reject(cancelled);
        let rank = urgency.isUrgent() ? urgentRank : otherRank;
        const cancel = () => {
          release();
          dequeue(rank, one);
          reject(cancelled);
          proceedSoon();
        };
        const one: Request = {
          ...applicant,
          grant(permit) {
            release();
            resolve(permit);
          },
          refuse(failure) {
            release();
            reject(failure);
          },
        };
        const ignoreRaise = urgency.onRaise(() => {
          dequeue(rank, one);
          rank = urgentRank;
          one.informedUntilMs = undefined;
          enqueue(rank, one);
        });
        const release = () => {
          ignoreAbort();
          ignoreRaise();
        };
        const ignoreAbort = onAbort(signal, cancel);
        enqueue(rank, one);
      });
    },
    limit() {
      const nowMs = Date.now();
      const now = atTime(allowance, nowMs);
      const windows = knownWindows(now);
      // Requests that are not urgent are let through last.
      const last = [otherRank, urgentRank].find(({ waiting }) => waiting.size > 0);
      const closure: Closure | undefined = last && closureFor(now, last.urgent, nowMs);
      return { ...windows[0], windows, waitingUntilMs: closure?.untilMs };
    },
    allowance: () => allowance,
  };
}

function createRank(urgent: boolean): Rank {
  const waiting = createWaiting<Request>((one, other) => one.place - other.place);
  return { urgent, waiting, uninformed: new Set(), informedUntilMs: undefined };
}

/** Items in an order. Adding an item, removing it and finding the first cost about the same however many there are. */
interface Waiting<Item> extends Iterable<Item> {
  readonly size: number;
  add(item: Item): void;
  /** Removes an item that is in the queue. */
  delete(item: Item): void;
  first(): Item | undefined;
}

function createWaiting<Item>(compare: (one: Item, other: Item) => number): Waiting<Item> {
  const items = new Set<Item>();
  /** Also holds removed items, until they come first or make up most of it. */
  let heap = new TinyQueue<Item>([], compare);
  return {
    get size() {
      return items.size;
    },
    add(item) {
      items.add(item);
      heap.push(item);
    },
    delete(item) {
      items.delete(item);
      if (heap.length > 2 * items.size) heap = new TinyQueue([...items], compare);
    },
    first() {
      for (let first = heap.peek(); first !== undefined; first = heap.peek()) {
        if (items.has(first)) return first;
        heap.pop();
      }
      return undefined;
    },
    [Symbol.iterator]: () => items.values(),
  };
}
