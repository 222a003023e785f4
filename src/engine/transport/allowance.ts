/**
 * What is known of a service's request limit as one key meets it, and what follows for the next request.
 * All pure; queue, clock and timers are the governor's.
 */
import { config } from "../../config";
import { withJitter } from "./pause";
import type { RateHeaders } from "./rate-headers";

/** One of the service's windows (minute, hour, day), as an answer reported it. */
interface RateWindow {
  /** Requests left at most: until the reset they only become fewer. */
  left: number;
  /** By the service's clock. */
  resetMs: number;
}

export interface Allowance {
  /** Requests that may be under way at once. */
  readonly width: number;
  /** Rises when what was known becomes old. An answer to a request of an earlier era widens nothing. */
  readonly era: number;
  /** Those that are not over and bind. The service reports one at a time, the tightest by its own measure. */
  readonly windows: readonly RateWindow[];
  /** What to add to the service's clock to have ours. */
  readonly clockLeadMs: number | undefined;
  readonly underWay: number;
  /** Those under way whose answer has not begun: the service may have counted them or not. */
  readonly unanswered: number;
  /** Requests so far that ended without a word of what is left: the service may have counted them. */
  readonly untold: number;
  /** How many of the untold are surely part of the windows' figures. */
  readonly untoldIncluded: number;
  /** Refusals of the whole connection in a row; those of requests that were under way together are one. */
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
  untold: 0,
  untoldIncluded: 0,
  refusals: 0,
  refusedEra: 0,
  refusedUntilMs: 0,
};

/** What a request remembers of its start, to tell later what its answer can be trusted with. */
export interface Start {
  atMs: number;
  era: number;
  untold: number;
}

/** The beginning of an answer. */
export interface Arrival {
  atMs: number;
  status: number;
  rate: RateHeaders;
}

/** The limit holds requests back until `untilMs`; its reserve is free from `opensAtMs` on, which may be earlier. */
export interface Closure {
  untilMs: number;
  opensAtMs: number;
}

export function startOf({ era, untold }: Allowance, atMs: number): Start {
  return { atMs, era, untold };
}

export function afterStart(allowance: Allowance): Allowance {
  return {
    ...allowance,
    underWay: allowance.underWay + 1,
    unanswered: allowance.unanswered + 1,
  };
}

/** A request has ended, with its answer complete, broken off or never begun. */
export function afterEnd(allowance: Allowance, wasAnswered: boolean): Allowance {
  const underWay = allowance.underWay - 1;
  return wasAnswered
    ? { ...allowance, underWay }
    : { ...allowance, underWay, unanswered: allowance.unanswered - 1, untold: allowance.untold + 1 };
}

/** The same at a later moment: windows that are over are gone. */
export function atTime(allowance: Allowance, nowMs: number): Allowance {
  const windows = allowance.windows.filter((window) => resetsAtMs(allowance, window) > nowMs);
  if (windows.length === allowance.windows.length) return allowance;
  if (windows.length > 0) return { ...allowance, windows };
  // The tightest window is over, so of the longer ones at least as much is left: so many may ask how much.
  const left = Math.min(...allowance.windows.map((window) => window.left)) - uncertain(allowance);
  return { ...outdated(allowance, Math.max(1, Math.min(left, config.firstRequests))), windows };
}

/** Others may have spent from the limit: what was left is what is left at most. */
export function afterOthers(allowance: Allowance): Allowance {
  return outdated(allowance, config.firstRequests);
}

/** The same limit, met by requests of a new session: those that were under way have ended, and may have been counted. */
export function inNewSession(allowance: Allowance): Allowance {
  const { unanswered, untold } = allowance;
  return afterOthers({ ...allowance, underWay: 0, unanswered: 0, untold: untold + unanswered });
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
          untoldIncluded: Math.max(allowance.untoldIncluded, start.untold),
        };
  if (arrival.status === 429) return afterRefusal(told, start, arrival, random);

  const counted = window === undefined ? { ...told, untold: told.untold + 1 } : told;
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
  // A request that was under way at the last refusal tells nothing new by being refused too.
  const isNews = start.era >= allowance.refusedEra;
  const refusals = isNews ? allowance.refusals + 1 : allowance.refusals;
  const backoffMs = withJitter(Math.min(config.maxBackoffMs, 1_000 * 2 ** (refusals - 1)), random);
  const waitMs = askedMs > 0 ? Math.max(1_000, askedMs) : isNews ? backoffMs : 0;
  const refusedUntilMs = Math.max(allowance.refusedUntilMs, atMs + waitMs);
  if (!isNews) return { ...allowance, refusedUntilMs };
  const next = outdated(allowance, 1);
  return { ...next, refusals, refusedEra: next.era, refusedUntilMs };
}

/** Until when a request has to wait for the limit; undefined if it has not. `nowMs` as given to `atTime`. */
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

/** Whether one more request may be under way, where nothing is closed to it; if not, an answer will make room. */
export function hasRoom(allowance: Allowance, urgent: boolean, nowMs: number): boolean {
  if (allowance.underWay === 0) return true;
  return (
    allowance.underWay < allowance.width &&
    allowance.windows.every(
      (window) => window.left - uncertain(allowance) > reserveOf(allowance, window, urgent, nowMs),
    )
  );
}

/** When next time alone may make room: a window's reserve is set free, or the window is over. */
export function nextChangeMs(allowance: Allowance, nowMs: number): number | undefined {
  const moments = allowance.windows
    .flatMap((window) => [config.reserveReleaseMs, 0].map((ms) => resetsAtMs(allowance, window) - ms))
    .filter((moment) => moment > nowMs);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** Requests left in each window known, and when it resets: the tightest first. */
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

/** Requests that the service may have counted without the windows' figures showing it. */
function uncertain({ unanswered, untold, untoldIncluded }: Allowance): number {
  return unanswered + untold - untoldIncluded;
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

/** A window that resets no later than one with no more left says nothing: it goes. */
function withWindow(windows: readonly RateWindow[], added: RateWindow): readonly RateWindow[] {
  const coveredBy = (one: RateWindow) => (other: RateWindow) =>
    other.resetMs <= one.resetMs && other.left >= one.left;
  if (windows.some((window) => coveredBy(window)(added))) return windows;
  return [...windows.filter((window) => !coveredBy(added)(window)), added];
}

/**
 * The least lead seen: a Date header is whole seconds and some time old, so that each answer's own is too large,
 * and a reset read by it too late. Unless an answer proves it wrong: then a clock has been set.
 */
function clockLeadMs({ clockLeadMs: known }: Allowance, start: Start, arrival: Arrival): number | undefined {
  const { dateMs } = arrival.rate;
  if (dateMs === undefined) return known;
  const most = arrival.atMs - dateMs;
  const least = start.atMs - dateMs - 1_000;
  return known !== undefined && known >= least ? Math.min(known, most) : most;
}
