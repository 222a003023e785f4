/** The page's main thread and its memory, as the browser's debugger tells of them. */
import type { CDPSession, Page } from "@playwright/test";

/** The browser needs this flag for `onThread`. */
export const collectingArgs = ["--js-flags=--expose-gc"];

/** A session with the page that measures its thread. */
export async function measuringSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return session;
}

/** How long `work` kept the page's main thread busy. Garbage of earlier work is cleared away first, as `timed` does in Node. */
export async function onThread<Result>(
  page: Page,
  session: CDPSession,
  work: () => Promise<Result>,
): Promise<{ result: Result; busyMs: number }> {
  await page.evaluate(() => globalThis.gc?.());
  const beforeMs = await taskMs(session);
  const result = await work();
  return { result, busyMs: (await taskMs(session)) - beforeMs };
}

const rest = { spanMs: 1_500, busyMs: 15, mostSpans: 20 };

/** Resolves once the thread does nothing: the add-in writes to disk some time after its answers. */
export async function atRest(session: CDPSession): Promise<void> {
  for (let span = 0; span < rest.mostSpans; span += 1) {
    const beforeMs = await taskMs(session);
    await new Promise((resolve) => setTimeout(resolve, rest.spanMs));
    if ((await taskMs(session)) - beforeMs < rest.busyMs) return;
  }
  throw new Error("the page's thread does not come to rest");
}

/** All that the page's scripts hold, garbage included: objects, those of the browser such as signals, and buffers. */
export async function heapBytes(session: CDPSession): Promise<number> {
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
  return usedSize + embedderHeapUsedSize + backingStorageSize;
}

/** The same without garbage. */
export async function heldBytes(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return heapBytes(session);
}

/** The most bytes that the heap has, garbage included, while `work` goes on. Nobody can look while a task runs. */
export async function mostBytes<Result>(
  session: CDPSession,
  work: Promise<Result>,
): Promise<{ result: Result; bytes: number }> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  let bytes = 0;
  do {
    bytes = Math.max(bytes, await heapBytes(session));
    await new Promise((resolve) => setTimeout(resolve, sampledEveryMs));
  } while (!isOver);
  return { result: await ended, bytes };
}

const sampledEveryMs = 20;

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = metrics.find(({ name }) => name === "TaskDuration")?.value;
  if (seconds === undefined) throw new Error("the browser does not tell how long its tasks take");
  return seconds * 1_000;
}
