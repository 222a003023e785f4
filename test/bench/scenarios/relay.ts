import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import { inFlight } from "../play/floor";
import { readReferenceData } from "../service/reference-data";
import { startRelays } from "../relay/start-relays";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { median } from "../timing";

/** Some 15 MB of JSON. */
const size = { ahjs: 4_000, types: 53 };
const rounds = 100;
/** A new Node process needs this many requests to reach full speed; before, it takes four times as long. */
const warmUps = 300;
const mostMoreMs = 5;
const matricesAlone = 5;
const atOnce = 8;
/** The readers take nothing for this time: a relay that does not wait for its readers has to hold the answers in memory. */
const readersPauseMs = 1_000;
/** The memory that all these matrices may add to a relay, in MB; the eight alone are 120 MB. */
const mostGrowthMb = { nginx: 8, "npm run serve": 60 } as Record<string, number>;

/**
 * Times a small answer through nginx and through `npm run serve` beside the same answer asked directly, in turns; then large matrices
 * each way, one after another; then eight at once whose readers pause.
 */
export const relay: Scenario = async ({ credentials, progress }) => {
  const { ahjs, residentialTypes, types } = await readReferenceData(credentials);
  const chosen = [...residentialTypes, ...types.filter((type) => !residentialTypes.includes(type))];
  const body = JSON.stringify({
    ahj_ids: ahjs.slice(0, size.ahjs).map(({ id }) => id),
    data_point_type_ids: chosen.slice(0, size.types).map(({ id }) => id),
  });
  const relays = await startRelays(credentials.baseUrl);
  const ways = [{ name: "directly", baseUrl: credentials.baseUrl }, ...relays];
  try {
    progress("small answers, in turns");
    const smallMs = await smallAnswers(ways, credentials.key);
    const directMs = smallMs.get("directly") ?? NaN;
    const moreMs = relays.map(({ name }) => (smallMs.get(name) ?? NaN) - directMs);

    const beforeMb = relays.map((each) => each.peakMb());
    progress("one matrix after another");
    const ask = (way: { baseUrl: string }) => askMatrix(way.baseUrl, credentials.key, body);
    const notes = [
      `a small answer: ${ways.map(({ name }) => `${name} ${figure(smallMs.get(name))} ms`).join(", ")}`,
    ];
    for (const way of ways) {
      const { firstMs, ms, bytes } = await alone(() => ask(way));
      notes.push(
        `a matrix of ${figure(bytes / 1e6)} MB ${way.name}: first byte after ${figure(firstMs)} ms, all after ${figure(ms)} ms`,
      );
    }

    progress(`${atOnce} matrices at once`);
    for (const each of relays) await atOnceWithPause(() => ask(each));
    const grown = relays.map((each, at) => ({ name: each.name, mb: each.peakMb() - (beforeMb[at] ?? NaN) }));
    notes.push(
      ...grown.map(({ name, mb }) => `${atOnce} at once, and those before, take ${figure(mb)} MB of ${name}`),
    );

    return finding(
      "relay",
      { size: size.ahjs * size.types, ms: smallMs.get("nginx") ?? NaN, floorMs: directMs },
      [
        {
          text: `a small answer takes at most ${mostMoreMs} ms more`,
          met: moreMs.every((more) => more <= mostMoreMs),
          miss: relays.map(({ name }, at) => `${figure(moreMs[at])} ms more by way of ${name}`).join(", "),
        },
        ...grown.map(({ name, mb }) => ({
          text: `${atOnce} matrices at once add at most ${mostGrowthMb[name]} MB to ${name}`,
          met: mb <= (mostGrowthMb[name] ?? 0),
          miss: `${figure(mb)} MB`,
        })),
      ],
      notes,
    );
  } finally {
    for (const { stop } of relays) await stop();
  }
};

async function smallAnswers(ways: { name: string; baseUrl: string }[], key: string) {
  const ask = async ({ name, baseUrl }: { name: string; baseUrl: string }) => {
    const startMs = performance.now();
    const answer = await fetch(`${baseUrl}/v1/units-of-measure`, { headers: { "X-API-Key": key } });
    await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${name}`);
    return performance.now() - startMs;
  };
  for (const way of ways) {
    for (let sent = 0; sent < warmUps; sent += inFlight) {
      await Promise.all(Array.from({ length: inFlight }, () => ask(way)));
    }
  }
  const times = ways.map(({ name }) => ({ name, ms: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, way] of ways.entries()) times[at]?.ms.push(await ask(way));
  }
  return new Map(times.map(({ name, ms }) => [name, median(ms)]));
}

/** Resolves as soon as the answer begins, without reading its body. */
async function askMatrix(baseUrl: string, key: string, body: string): Promise<IncomingMessage> {
  const sent = request(`${baseUrl}/v1/reports/matrix`, {
    method: "POST",
    headers: {
      "X-API-Key": key,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    },
    agent: false,
  }).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} for a matrix`);
  return answer;
}

/** The medians of some, one after another. */
async function alone(ask: () => Promise<IncomingMessage>) {
  const runs: { firstMs: number; ms: number; bytes: number }[] = [];
  for (let run = 0; run < matricesAlone; run += 1) {
    const startMs = performance.now();
    const answer = await ask();
    await once(answer, "readable");
    const firstMs = performance.now() - startMs;
    const bytes = await bytesOf(answer);
    runs.push({ firstMs, ms: performance.now() - startMs, bytes });
  }
  return {
    firstMs: median(runs.map(({ firstMs }) => firstMs)),
    ms: median(runs.map(({ ms }) => ms)),
    bytes: median(runs.map(({ bytes }) => bytes)),
  };
}

async function bytesOf(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const part of answer) bytes += (part as Buffer).length;
  return bytes;
}

async function atOnceWithPause(ask: () => Promise<IncomingMessage>): Promise<void> {
  const answers = await Promise.all(Array.from({ length: atOnce }, ask));
  await after(readersPauseMs);
  await Promise.all(answers.map(bytesOf));
}

function figure(value = NaN): string {
  return value.toFixed(1);
}
