import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SideOfMonth } from "../../../../reference-service/answers/month-of-changes";
import { partsOf } from "../../../../src/lists";
import { bookOfImports } from "../../command/large-book";
import { type RegdataRun, runRegdata } from "../../command/run-regdata";
import { sendBare } from "../../play/floor";
import { spreadOverStates } from "../../play/work";
import { finding } from "../../result";
import type { Scenario } from "../../scenario";
import { readReferenceData } from "../../service/reference-data";
import { tally } from "../../service/recorder";
import { type NotedRequest, startService } from "../../service/service-process";
import { coveredMs, median, timed } from "../../timing";

const size = { imports: 20, ahjs: 250, types: 20 };
const rounds = 5;
const goals = { timesRequests: 3, peakMb: 250 };

interface Round {
  run: RegdataRun;
  sent: NotedRequest[];
  /** How long the service had at least one request of the run. */
  requestsMs: number;
  /** The same requests sent bare, six in flight. */
  bareMs: number;
}

/**
 * `npm run regdata -- refresh` of a workbook with 20 imports of 250 jurisdictions × 20 types: a month later, when some of the answers
 * have changed and the file is written, and with nothing changed. Each in processes of its own.
 */
export const refreshWorkbook: Scenario = async ({ progress }) => {
  const service = await startService();
  const folder = await mkdtemp(join(tmpdir(), "regdata-bench-"));
  try {
    const { credentials } = service;
    service.setMonth("before");
    const { ahjs, residentialTypes } = await readReferenceData(credentials);
    const lists = partsOf(spreadOverStates(ahjs, size.imports * size.ahjs), size.ahjs);
    progress("making the workbook");
    const made = join(folder, "made.xlsx");
    await writeFile(made, await bookOfImports(lists, residentialTypes.slice(0, size.types), credentials));

    const round = async (month: SideOfMonth): Promise<Round> => {
      const book = join(folder, "book.xlsx");
      await copyFile(made, book);
      service.setMonth(month);
      const run = await runRegdata(["refresh", book, "--answers", "none", "--no-backup"], credentials);
      if (run.code !== (month === "after" ? 10 : 0))
        throw new Error(`it ended with ${run.code}: ${run.said}`);
      const sent = await service.takeNoted();
      const { ms: bareMs } = await timed(() => sendBare(sent, credentials));
      await service.takeNoted();
      return { run, sent, requestsMs: coveredMs(sent), bareMs };
    };
    // The first one builds the command.
    await round("before");
    const changed: Round[] = [];
    const unchanged: Round[] = [];
    for (let at = 1; at <= rounds; at += 1) {
      progress(`round ${at} of ${rounds}`);
      changed.push(await round("after"));
      unchanged.push(await round("before"));
    }
    const ratio = median(changed.map(timesRequests));
    const peakMb = Math.max(...changed.map(({ run }) => run.command.peakMb));
    const of = (all: readonly Round[], figure: (round: Round) => number) => median(all.map(figure));
    return finding(
      "refresh-workbook",
      {
        size: size.imports * size.ahjs * size.types,
        requests: changed[0]?.sent.length ?? null,
        ms: of(changed, ({ run }) => run.ms),
        floorMs: of(changed, ({ requestsMs }) => requestsMs),
        ratio,
        memoryMb: peakMb,
      },
      [
        {
          text: `at most ${goals.timesRequests} x the time of its requests`,
          met: ratio <= goals.timesRequests,
          miss: `${ratio.toFixed(2)} x: ${seconds(of(changed, ({ run }) => run.ms))}, its requests ${seconds(of(changed, ({ requestsMs }) => requestsMs))}.`,
        },
        {
          text: `at most ${goals.peakMb} MB`,
          met: peakMb <= goals.peakMb,
          miss: `${peakMb.toFixed(0)} MB.`,
        },
      ],
      [told("a month later", changed), told("nothing changed", unchanged)],
    );
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
};

const timesRequests = ({ run, requestsMs }: Round) => run.ms / requestsMs;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

function told(what: string, all: readonly Round[]): string {
  const of = (figure: (round: Round) => number) => median(all.map(figure));
  const values = all[0]?.run.said.match(/([\d,]+) values? changed/g) ?? [];
  const count = values.reduce((sum, text) => sum + Number(text.replace(/[^\d]/g, "")), 0);
  return [
    `${what} (${count} values): ${seconds(of(({ run }) => run.ms))} with npm`,
    `the command itself ${seconds(of(({ run }) => run.command.ms))}, computing ${seconds(of(({ run }) => run.command.busyMs))}`,
    `requests ${seconds(of(({ requestsMs }) => requestsMs))}, sent bare ${seconds(of(({ bareMs }) => bareMs))}`,
    `${of(timesRequests).toFixed(2)} x`,
    `at most ${Math.max(...all.map(({ run }) => run.command.peakMb)).toFixed(0)} MB`,
    tally(all[0]?.sent ?? []),
  ].join("; ");
}
