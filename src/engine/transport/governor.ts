import { onAbort } from "../../async/on-abort";
import { config } from "../../config";
import { Failure } from "../../errors";
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
import { createTurns, type TurnDoors } from "./turns";
import type { Urgency } from "./urgency";

/** Who wants to send a request. */
export interface Applicant {
  /** Of equal urgency the lowest goes first. */
  place: number;
  /** Heard of as long as the request waits. */
  urgency: Urgency;
  giveUpAtMs: number;
  signal: AbortSignal;
  onWait: ((untilMs: number) => void) | undefined;
}

/** Leave to send one request. */
export interface Permit {
  /** To be told as soon as the answer begins. */
  answered(status: number, headers: Headers): void;
  /** To be told once, when the request is over in whatever way. */
  ended(): void;
}

/** What is known now of the request limit; nothing where the service's headers can't be read. */
export interface KnownLimit {
  /** Requests left in the tightest window. */
  left?: number;
  resetsAtMs?: number;
  /** The same of every window known, the tightest first: an answer tells of one only. */
  windows: { left: number; resetsAtMs: number }[];
  /** Until when the limit holds requests back; undefined while it holds back none. */
  waitingUntilMs: number | undefined;
}

/** One service's request limit as one key meets it: every request asks here first. */
export interface Governor {
  /** Resolves when the request may be sent. Failures: cancelled, rate-limited; both at once when they are certain. */
  admit(applicant: Applicant): Promise<Permit>;
  limit(): KnownLimit;
  /** For the governor of the next session with the same key. */
  allowance(): Allowance;
}

interface Waiting extends Applicant {
  /** The rank by which it stands in the queue. */
  urgent: boolean;
  toldUntilMs?: number | undefined;
  grant(permit: Permit): void;
  refuse(failure: Failure): void;
}

/** `learnt`: what an earlier session with the same key knew of the limit. */
export function createGovernor(random: () => number, turnDoors: TurnDoors, learnt?: Allowance): Governor {
  let allowance = learnt ? inNewSession(learnt) : unknownAllowance;
  /** In the order in which they are sent. */
  const waiting: Waiting[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakesAtMs: number | undefined;
  let isProceedingSoon = false;

  const turns = createTurns(turnDoors, (sinceOthers) => {
    if (sinceOthers) allowance = afterOthers(allowance);
    proceed();
  });

  /** Sends whatever may be sent now, and sees to it that this is called again when more may be. */
  function proceed(): void {
    for (;;) {
      const nowMs = Date.now();
      allowance = atTime(allowance, nowMs);
      tellOfClosure(nowMs);
      const isMyTurn = turns.isMine();
      const next = waiting[0];
      const closure = next && closureFor(allowance, next.urgent, nowMs);
      wakeAt(closure?.opensAtMs);
      if (next === undefined || closure !== undefined) return turns.end();
      if (!hasRoom(allowance, next.urgent, nowMs)) return wakeAt(nextChangeMs(allowance, nowMs));
      if (!isMyTurn) return turns.ask();
      waiting.shift();
      next.grant(permit(nowMs));
    }
  }

  /** What is asked for in one go is put in order first. */
  function proceedSoon(): void {
    if (isProceedingSoon) return;
    isProceedingSoon = true;
    queueMicrotask(() => {
      isProceedingSoon = false;
      proceed();
    });
  }

  function enqueue(one: Waiting): void {
    waiting.splice(waiting.findLastIndex((other) => goesBefore(other, one)) + 1, 0, one);
    proceedSoon();
  }

  function dequeue(one: Waiting): void {
    waiting.splice(waiting.indexOf(one), 1);
  }

  function permit(nowMs: number): Permit {
    const start = startOf(allowance, nowMs);
    let wasAnswered = false;
    allowance = afterStart(allowance);
    return {
      answered(status, headers) {
        wasAnswered = true;
        const atMs = Date.now();
        const arrival = { atMs, status, rate: readRateHeaders(headers, atMs) };
        allowance = afterArrival(allowance, start, arrival, random);
        proceed();
      },
      ended() {
        allowance = afterEnd(allowance, wasAnswered);
        proceed();
      },
    };
  }

  function tellOfClosure(nowMs: number): void {
    const closures = {
      urgent: closureFor(allowance, true, nowMs),
      other: closureFor(allowance, false, nowMs),
    };
    if (closures.other === undefined) return;
    for (const one of [...waiting]) {
      const untilMs = (one.urgent ? closures.urgent : closures.other)?.untilMs;
      if (untilMs === undefined) continue;
      if (untilMs > one.giveUpAtMs || untilMs > nowMs + config.longestWaitMs) {
        dequeue(one);
        one.refuse(new Failure("rate-limited", { untilMs }));
      } else if (untilMs !== one.toldUntilMs) {
        one.toldUntilMs = untilMs;
        // Whatever a listener does or throws must not meet the queue half changed.
        queueMicrotask(() => {
          // Not what held back the rank that it had.
          if (one.toldUntilMs === untilMs) one.onWait?.(untilMs);
        });
      }
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
        if (signal.aborted) return reject(new Failure("cancelled"));
        const cancel = () => {
          release();
          dequeue(one);
          reject(new Failure("cancelled"));
          proceed();
        };
        const one: Waiting = {
          ...applicant,
          urgent: urgency.isUrgent(),
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
          dequeue(one);
          one.urgent = true;
          one.toldUntilMs = undefined;
          enqueue(one);
        });
        const release = () => {
          ignoreAbort();
          ignoreRaise();
        };
        const ignoreAbort = onAbort(signal, cancel);
        enqueue(one);
      });
    },
    limit() {
      const nowMs = Date.now();
      const now = atTime(allowance, nowMs);
      const windows = knownWindows(now);
      // The last in the queue is the last to be let through.
      const last = waiting.at(-1);
      const closure: Closure | undefined = last && closureFor(now, last.urgent, nowMs);
      return { ...windows[0], windows, waitingUntilMs: closure?.untilMs };
    },
    allowance: () => allowance,
  };
}

function goesBefore(one: Waiting, other: Waiting): boolean {
  return one.urgent === other.urgent ? one.place < other.place : one.urgent;
}
