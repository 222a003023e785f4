/** Users who open their workbooks at the same moment, each with an add-in, a memory and a `fetch` of their own, and all with one key. */
import { performance } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import type { Credentials } from "../../../src/engine/transport/exchange";
import type { Bench } from "../scenario";
import type { Answer, Ask } from "./ask";
import type { Engine } from "./engine";

export interface UsersRun {
  /** How long each user waited for the last of the values, shortest first. */
  ms: number[];
  /** The requests that each user sent, those refused with 429 included. */
  requests: number[];
  refused: number;
  /** The most requests that all users had under way at once. */
  mostUnderWay: number;
  /** The bytes of all answers as the add-ins read them: uncompressed. */
  bytes: number;
  /** How many users chose Retry errors at least once. */
  retried: number;
  /** The answers of each user in the order of the asks. An answer is undefined if the cell shows a failure that no waiting ends. */
  answers: (Answer | undefined)[][];
  /** The part of the time in which this thread, which all add-ins share, computed. */
  busy: number;
}

/**
 * Starts an add-in for each list of asks, then has all of them ask at once. Users whose cells say when the limit resets choose Retry errors
 * at that moment, as often as it takes.
 */
export async function playUsers(
  { createEngine }: Pick<Bench, "createEngine">,
  credentials: Credentials,
  asksOf: readonly (readonly Ask[])[],
): Promise<UsersRun> {
  const counts = { refused: 0, underWay: 0, mostUnderWay: 0, bytes: 0 };
  const requests = asksOf.map(() => 0);
  const addIns: Engine[] = [];
  for (const user of asksOf.keys()) {
    const onSent = () => void (requests[user] = (requests[user] ?? 0) + 1);
    addIns.push(await createEngine(credentials, countingFetch(counts, onSent)));
  }
  const before = performance.eventLoopUtilization();
  const startMs = performance.now();
  const users = await Promise.all(
    addIns.map(async (addIn, user) => {
      const outcome = await askUntilTold(addIn, asksOf[user] ?? []);
      return { ...outcome, ms: performance.now() - startMs };
    }),
  );
  return {
    ms: users.map(({ ms }) => ms).sort((a, b) => a - b),
    requests,
    ...counts,
    retried: users.filter(({ retries }) => retries > 0).length,
    answers: users.map(({ answers }) => answers),
    busy: performance.eventLoopUtilization(before).utilization,
  };
}

/** Asks until each cell shows a value, or a failure that has nothing to do with the limit. */
async function askUntilTold(addIn: Engine, asks: readonly Ask[]) {
  const answers: (Answer | undefined)[] = asks.map(() => undefined);
  let open = [...asks.entries()];
  for (let retries = 0; ; retries += 1) {
    const limited: typeof open = [];
    let resetsAtMs = 0;
    const askOne = async ([at, ask]: [number, Ask]) => {
      try {
        answers[at] = await addIn.ownText(ask.geoid, ask.typeId);
      } catch (thrown) {
        // The engine is a build of its own, so its Failure is another class than the one in the sources.
        const { kind, untilMs = 0 } = thrown as { kind?: string; untilMs?: number };
        if (kind !== "rate-limited") return;
        limited.push([at, ask]);
        resetsAtMs = Math.max(resetsAtMs, untilMs);
      }
    };
    await Promise.all(open.map(askOne));
    open = limited;
    if (open.length === 0) return { answers, retries };
    await after(Math.max(0, resetsAtMs - Date.now()));
  }
}

/** Counts each 429, the requests whose answer has not come whole, and the bytes of each body when the transport reads it. */
function countingFetch(
  counts: { refused: number; underWay: number; mostUnderWay: number; bytes: number },
  onSent: () => void,
): typeof fetch {
  return async (input, init) => {
    onSent();
    counts.underWay += 1;
    counts.mostUnderWay = Math.max(counts.mostUnderWay, counts.underWay);
    try {
      const response = await fetch(input, init);
      if (response.status === 429) counts.refused += 1;
      const body = await response.arrayBuffer();
      counts.bytes += body.byteLength;
      return new Response(body, response);
    } finally {
      counts.underWay -= 1;
    }
  };
}
