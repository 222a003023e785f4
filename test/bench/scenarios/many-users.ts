import { setTimeout as after } from "node:timers/promises";
import type { Ahj, DataPointType } from "../../../src/engine/api/schemas";
import type { Credentials } from "../../../src/engine/transport/exchange";
import { limitsOf, noLimits } from "../../reference-service/limits";
import { createServiceCalls } from "../peers/service-calls";
import type { Answer, Ask } from "../play/ask";
import { playUsers, type UsersRun } from "../play/users";
import { drawn, filledRange } from "../play/work";
import { startRelays } from "../relay/start-relays";
import { finding, type Goal } from "../result";
import type { Scenario } from "../scenario";
import { readReferenceData } from "../service/reference-data";
import { startService } from "../service/service-process";
import { median } from "../timing";

const colleagues = 200;
const workbooks = 1_000;
const book = { ahjs: 50, types: 4 };
/** The next user's jurisdictions begin so many further on in the state, so that neighbors share nine of ten. */
const stepAhjs = 5;

/** Each user's plan is seven requests, so that 200 users use up two minutes of this limit and a part of a third. */
const perMinute = 600;
const minuteMs = 60_000;
/** The limit's first minute is so old when the users come, as minutes of a shared limit are. */
const ageMs = 15_000;
const mostOver = 1.05;
/** The memory that 200 users may add to nginx, in MB. */
const mostGrowthMb = 16;

/**
 * 200 users with one key, each with 200 formulas in the state with the most jurisdictions, all at once and with nothing kept: directly, by
 * way of nginx and by way of `npm run serve`; then by way of nginx where the key has 600 requests a minute; then 1,000 users by way of
 * nginx.
 */
export const manyUsers: Scenario = async ({ createEngine, progress }) => {
  const service = await startService();
  const { credentials } = service;
  const { ahjs, ahjsByState, residentialTypes } = await readReferenceData(credentials);
  const [state] = [...ahjsByState].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const ahjsOfState = drawn(ahjs.filter((ahj) => ahj.state_code === state));
  const asksOf = asksOfUsers(ahjsOfState, residentialTypes);
  const published = await publishedTexts(ahjsOfState, residentialTypes, credentials);
  const relays = await startRelays(credentials.baseUrl);
  const [nginx] = relays;
  const play = (baseUrl: string, users: number) =>
    playUsers({ createEngine }, { ...credentials, baseUrl }, asksOf.slice(0, users));
  try {
    service.setLimits(noLimits);
    const alone = await play(credentials.baseUrl, 1);
    const plan = sum(alone.requests);
    const notes = [`one user alone: ${described(alone)}`];
    const runs: { name: string; run: UsersRun }[] = [];
    const nginxBeforeMb = nginx.peakMb();

    for (const { name, baseUrl } of [{ name: "directly", baseUrl: credentials.baseUrl }, ...relays]) {
      progress(`${colleagues} users ${name}`);
      const sentBytes = nginx.sentBytes();
      const run = await play(baseUrl, colleagues);
      runs.push({ name, run });
      notes.push(`${colleagues} users ${name}: ${described(run)}`);
      if (baseUrl === nginx.baseUrl) notes.push(compressed(nginx.sentBytes() - sentBytes));
    }
    const grownMb = nginx.peakMb() - nginxBeforeMb;
    notes.push(...relays.map((relay) => `${relay.name} has taken ${relay.peakMb().toFixed(1)} MB at most`));

    progress(`${colleagues} users, ${perMinute} requests a minute`);
    service.setLimits(limitsOf({ minute: perMinute }));
    await createServiceCalls(credentials).get("/v1/units-of-measure");
    await after(ageMs);
    const limited = await play(nginx.baseUrl, colleagues);
    const answered = sum(limited.requests) - limited.refused;
    const lastMs = limited.ms.at(-1) ?? NaN;
    const least = leastMs(colleagues * plan);
    notes.push(
      `${colleagues} users, ${perMinute} a minute: ${described(limited)}; ${limited.refused} times 429; ` +
        `${limited.retried} users chose Retry errors; at least ${(least / 1_000).toFixed(1)} s`,
    );

    progress(`${workbooks} users by way of nginx`);
    service.setLimits(noLimits);
    const sentBytes = nginx.sentBytes();
    const thousand = await play(nginx.baseUrl, workbooks);
    notes.push(`${workbooks} users nginx: ${described(thousand)}`, compressed(nginx.sentBytes() - sentBytes));
    notes.push(`nginx has taken ${nginx.peakMb().toFixed(1)} MB at most`);

    const all = [...runs, { name: "with the limit", run: limited }, { name: "1,000", run: thousand }];
    return finding(
      "many-users",
      {
        size: colleagues * book.ahjs * book.types,
        requests: sum(limited.requests),
        ms: lastMs,
        floorMs: least,
        ratio: lastMs / least,
      },
      [
        allRight(all, asksOf, published),
        ...[...runs, { name: "nginx, 1,000 users", run: thousand }].map(({ name, run }) =>
          asPlanned(name, run, plan),
        ),
        {
          text: `with the limit, the service answers no more than the plans' ${colleagues * plan} requests`,
          met: answered <= colleagues * plan,
          miss: `${answered}: pages that were under way when a user's cells gave up were asked for again.`,
        },
        {
          text: `with the limit, all end within ${mostOver} x the least time`,
          met: lastMs <= mostOver * least,
          miss: `${(lastMs / least).toFixed(3)} x: ${(lastMs / 1_000).toFixed(1)} against ${(least / 1_000).toFixed(1)} s.`,
        },
        {
          text: `${colleagues} users add at most ${mostGrowthMb} MB to nginx`,
          met: grownMb <= mostGrowthMb,
          miss: `${grownMb.toFixed(1)} MB.`,
        },
      ],
      notes,
    );
  } finally {
    for (const { stop } of relays) await stop();
    await service.stop();
  }
};

/** The workbooks' formulas: 50 jurisdictions × 4 types each. After the state's last jurisdiction the next user begins anew. */
function asksOfUsers(ahjs: readonly Ahj[], types: readonly DataPointType[]): Ask[][] {
  return Array.from({ length: workbooks }, (_, user) => {
    const [firstAhj, firstType] = [
      (user * stepAhjs) % (ahjs.length - book.ahjs),
      user % (types.length - book.types),
    ];
    return filledRange(
      ahjs.slice(firstAhj, firstAhj + book.ahjs),
      types.slice(firstType, firstType + book.types),
    );
  });
}

/** The texts that the service itself gives, asked without the add-in. */
async function publishedTexts(
  ahjs: readonly Ahj[],
  types: readonly DataPointType[],
  credentials: Credentials,
): Promise<(ask: Ask) => Answer> {
  const matrix = await createServiceCalls(credentials).post<{
    rows: { ahj: Ahj; values: Record<string, { value: string } | null> }[];
  }>("/v1/reports/matrix", {
    ahj_ids: ahjs.map(({ id }) => id),
    data_point_type_ids: types.map(({ id }) => id),
  });
  const rows = new Map(matrix.rows.map(({ ahj, values }) => [ahj.geoid, values]));
  return ({ geoid, typeId }) => rows.get(geoid)?.[typeId]?.value ?? null;
}

function allRight(
  runs: readonly { name: string; run: UsersRun }[],
  asksOf: readonly (readonly Ask[])[],
  published: (ask: Ask) => Answer,
): Goal {
  const wrong = runs.map(({ name, run }) => {
    const cells = run.answers.flatMap((answers, user) =>
      (asksOf[user] ?? []).filter((ask, at) => answers[at] !== published(ask)),
    );
    return { name, cells: cells.length };
  });
  return {
    text: "every value is the published one, and none is missing",
    met: wrong.every(({ cells }) => cells === 0),
    miss: wrong.map(({ name, cells }) => `${name}: ${cells} cells`).join(", "),
  };
}

function asPlanned(name: string, run: UsersRun, plan: number): Goal {
  const most = run.requests.length * plan;
  const sent = sum(run.requests);
  return {
    text: `${name}: at most ${most} requests, those of each user alone`,
    met: sent <= most,
    miss: `${name}: ${sent} requests, because connections broke off and were tried again.`,
  };
}

/** The least time: each minute is used up at once. One request of the first was spent before the users came. */
function leastMs(requests: number): number {
  const resets = Math.ceil((requests + 1) / perMinute) - 1;
  return resets * minuteMs - ageMs;
}

function described({ ms, requests, bytes, mostUnderWay, busy }: UsersRun): string {
  const [first = NaN, last = NaN] = [ms[0], ms.at(-1)];
  const seconds = [first, median(ms), last].map((each) => (each / 1_000).toFixed(1)).join(" / ");
  return (
    `${sum(requests)} requests, at most ${Math.max(...requests)} a user and ${mostUnderWay} under way at once, ` +
    `${(bytes / 1e6).toFixed(1)} MB; first / median / last user after ${seconds} s; ` +
    `the add-ins' thread is busy ${(busy * 100).toFixed(0)} %`
  );
}

function compressed(bytes: number): string {
  return `nginx has sent ${(bytes / 1e6).toFixed(1)} MB of them, compressed`;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
