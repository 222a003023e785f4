/**
 * The known state of a service's request limit for one key, and its consequences for the next request. All functions are pure; the governor
 * has the queue, the clock and the timers.
 */
import { config } from "../../config";
import { withJitter } from "./pause";
import type { RateHeaders } from "./rate-headers";

/** One of the service's windows (minute, hour, day), as an answer reported it. */
interface RateWindow {
  /** The most requests that may be left. Until the reset the number only falls. */
  left: number;
  /** When the window resets, by the service's clock. */
  resetMs: number;
}

export interface Allowance {
  /** Requests that may be under way at once. */
  readonly width: number;
  /** Rises when the known state becomes outdated. An answer to a request of an earlier era does not raise the width. */
  readonly era: number;
  /** Windows that have not reset yet and still limit us. The service reports one at a time, the tightest by its own measure. */
  readonly windows: readonly RateWindow[];
  /** The time to add to the service's clock to get ours. */
  readonly clockLeadMs: number | undefined;
  readonly underWay: number;
  /** Requests under way whose answer has not begun. The service may have counted them or not. */
  readonly unanswered: number;
  /** Requests so far that ended without a report of what is left. The service may have counted them. */
  readonly unreported: number;
  /**
   * How many of the `unreported` requests the service had surely counted when it last reported what is left. They are not subtracted from that
   * report again.
   */
  readonly surelyCounted: number;
  /** Consecutive refusals of the whole connection. Refusals of requests that were under way together count as one. */
  readonly refusals: number;
  /** The era that the last refusal began. */
  readonly refusedEra: number;
  readonly refusedUntilMs: number;
}

export const unknownAllowance: Allowance = {
  width: config.firstRequests,
  era: 0,
  windows: [],
  clockLeadMs: undefined,
  underWay: 0,
  unanswered: 0,
  unreported: 0,
  surelyCounted: 0,
  refusals: 0,
  refusedEra: 0,
  refusedUntilMs: 0,
};

/** Facts about the start of a request, which tell later what its answer can be trusted with. */
export interface Start {
  atMs: number;
  era: number;
  unreported: number;
}

/** The beginning of an answer. */
export interface Arrival {
  atMs: number;
  status: number;
  rate: RateHeaders;
}

/**
 * A limit that is used up until `untilMs`, when it resets. Its last requests are kept in reserve for urgent ones; from `opensAtMs` on, shortly
 * before the reset, any request may take them. The two are the same if nothing is left.
 */
export interface Closure {
  untilMs: number;
  opensAtMs: number;
}

export function startOf({ era, unreported }: Allowance, atMs: number): Start {
  return { atMs, era, unreported };
}

export function afterStart(allowance: Allowance): Allowance {
  return {
    ...allowance,
    underWay: allowance.underWay + 1,
    unanswered: allowance.unanswered + 1,
  };
}

/** A request has ended, with its answer complete, broken off or never begun, or it was not sent after all. */
export function afterEnd(allowance: Allowance, wasAnswered: boolean, wasSent: boolean): Allowance {
  const { underWay, unanswered, unreported } = allowance;
  const ended = { ...allowance, underWay: underWay - 1 };
  if (wasAnswered) return ended;
  return { ...ended, unanswered: unanswered - 1, unreported: wasSent ? unreported + 1 : unreported };
}

/** The allowance at a later time, without the windows that have reset. */
export function atTime(allowance: Allowance, nowMs: number): Allowance {
  const windows = allowance.windows.filter((window) => resetsAtMs(allowance, window) > nowMs);
  if (windows.length === allowance.windows.length) return allowance;
  if (windows.length > 0) return { ...allowance, windows };
  // The tightest window has reset, and the longer ones have at least as much left: so many requests may find out how much.
  const left = Math.min(...allowance.windows.map((window) => window.left)) - uncertain(allowance);
  return { ...outdated(allowance, Math.max(1, Math.min(left, config.firstRequests))), windows };
}

/** The allowance after others may have spent from the limit, so that the number left is only an upper limit. */
export function afterOthers(allowance: Allowance): Allowance {
  return outdated(allowance, config.firstRequests);
}

/** The allowance for a new session. Requests that were under way have ended, and may have been counted. */
export function inNewSession(allowance: Allowance): Allowance {
  const { unanswered, unreported } = allowance;
  return afterOthers({ ...allowance, underWay: 0, unanswered: 0, unreported: unreported + unanswered });
}

/** An answer has begun. */
export function afterArrival(
  earlier: Allowance,
  start: Start,
  arrival: Arrival,
  random: () => number,
): Allowance {
  const allowance = atTime(
    {
      ...earlier,
      unanswered: earlier.unanswered - 1,
      clockLeadMs: clockLeadMs(earlier, start, arrival),
    },
    arrival.atMs,
  );
  const window = windowOf(allowance, arrival);
  const told =
    window === undefined
      ? allowance
      : {
          ...allowance,
          windows: withWindow(allowance.windows, window),
          surelyCounted: Math.max(allowance.surelyCounted, start.unreported),
        };
  if (arrival.status === 429) return afterRefusal(told, start, arrival, random);

  const counted = window === undefined ? { ...told, unreported: told.unreported + 1 } : told;
  if (arrival.status >= 500 || start.era !== counted.era) return counted;
  return {
    ...counted,
    refusals: 0,
    width:
      window === undefined
        ? Math.min(counted.width + 1, config.concurrentRequests)
        : config.concurrentRequests,
  };
}

function afterRefusal(
  allowance: Allowance,
  start: Start,
  { atMs, rate }: Arrival,
  random: () => number,
): Allowance {
  const resetInMs = rate.resetMs === undefined ? 0 : inOurTime(allowance, rate.resetMs) - atMs;
  const askedMs = Math.max(0, rate.retryAfterMs ?? 0, resetInMs);
  // The refusal of a request that was under way at the last refusal is no news.
  const isNews = start.era >= allowance.refusedEra;
  const refusals = isNews ? allowance.refusals + 1 : allowance.refusals;
  const backoffMs = withJitter(Math.min(config.maxBackoffMs, 1_000 * 2 ** (refusals - 1)), random);
  const waitMs = askedMs > 0 ? Math.max(1_000, askedMs) : isNews ? backoffMs : 0;
  const refusedUntilMs = Math.max(allowance.refusedUntilMs, atMs + waitMs);
  if (!isNews) return { ...allowance, refusedUntilMs };
  const next = outdated(allowance, 1);
  return { ...next, refusals, refusedEra: next.era, refusedUntilMs };
}

/** The closure that a request has to wait for; undefined if it need not wait. `nowMs` must be as given to `atTime`. */
export function closureFor(allowance: Allowance, urgent: boolean, nowMs: number): Closure | undefined {
  const binding = allowance.windows.filter(
    (window) => window.left <= reserveOf(allowance, window, urgent, nowMs),
  );
  const opensAtMs = Math.max(
    allowance.refusedUntilMs,
    ...binding.map(
      (window) => resetsAtMs(allowance, window) - (window.left > 0 ? config.reserveReleaseMs : 0),
    ),
  );
  if (opensAtMs <= nowMs) return undefined;
  const untilMs = Math.max(opensAtMs, ...binding.map((window) => resetsAtMs(allowance, window)));
  return { untilMs, opensAtMs };
}

/** True if one more request may be under way, provided that the limit holds none back. Otherwise an answer will make room. */
export function hasRoom(allowance: Allowance, urgent: boolean, nowMs: number): boolean {
  if (allowance.underWay === 0) return true;
  return (
    allowance.underWay < allowance.width &&
    allowance.windows.every(
      (window) => window.left - uncertain(allowance) > reserveOf(allowance, window, urgent, nowMs),
    )
  );
}

/** The next time at which room may come without an answer: a window's reserve is set free, or the window resets. */
export function nextChangeMs(allowance: Allowance, nowMs: number): number | undefined {
  const changesAtMs = allowance.windows
    .flatMap((window) => [config.reserveReleaseMs, 0].map((ms) => resetsAtMs(allowance, window) - ms))
    .filter((atMs) => atMs > nowMs);
  return changesAtMs.length === 0 ? undefined : Math.min(...changesAtMs);
}

/** The requests left in each known window, and the time of its reset; the tightest first. */
export function knownWindows(allowance: Allowance): { left: number; resetsAtMs: number }[] {
  return [...allowance.windows]
    .sort((one, other) => one.left - other.left)
    .map((window) => ({
      left: Math.max(0, window.left - uncertain(allowance)),
      resetsAtMs: resetsAtMs(allowance, window),
    }));
}

function outdated(allowance: Allowance, width: number): Allowance {
  return { ...allowance, width: Math.min(allowance.width, width), era: allowance.era + 1 };
}

/** Requests that the service may have counted although the windows' figures don't show it. */
function uncertain({ unanswered, unreported, surelyCounted }: Allowance): number {
  return unanswered + unreported - surelyCounted;
}

function reserveOf(allowance: Allowance, window: RateWindow, urgent: boolean, nowMs: number): number {
  const isFree = urgent || nowMs >= resetsAtMs(allowance, window) - config.reserveReleaseMs;
  return isFree ? 0 : config.reserveRequests;
}

function inOurTime({ clockLeadMs = 0 }: Allowance, serviceMs: number): number {
  return serviceMs + clockLeadMs;
}

function resetsAtMs(allowance: Allowance, window: RateWindow): number {
  return inOurTime(allowance, window.resetMs);
}

/** The window that an answer reports; undefined if it can't be read or is over. */
function windowOf(allowance: Allowance, { atMs, rate: { left, resetMs } }: Arrival): RateWindow | undefined {
  if (left === undefined || resetMs === undefined || inOurTime(allowance, resetMs) <= atMs) return undefined;
  return { left, resetMs };
}

/**
 * Adds a window: how many requests are left until a time. A window is dropped if another one ends at the same time or later and leaves as few
 * or fewer, because the other one is then the stricter limit at any time.
 */
function withWindow(windows: readonly RateWindow[], added: RateWindow): readonly RateWindow[] {
  const coveredBy = (one: RateWindow) => (other: RateWindow) =>
    other.resetMs <= one.resetMs && other.left >= one.left;
  if (windows.some((window) => coveredBy(window)(added))) return windows;
  return [...windows.filter((window) => !coveredBy(added)(window)), added];
}

/**
 * The least lead seen. A Date header has whole seconds and is some time old, so each answer's own lead is too large, and a reset read with
 * it comes too late. If an answer proves the least lead wrong, a clock has been set, and the answer's lead counts.
 */
function clockLeadMs({ clockLeadMs: known }: Allowance, start: Start, arrival: Arrival): number | undefined {
  const { dateMs } = arrival.rate;
  if (dateMs === undefined) return known;
  const most = arrival.atMs - dateMs;
  const least = start.atMs - dateMs - 1_000;
  return known !== undefined && known >= least ? Math.min(known, most) : most;
}
