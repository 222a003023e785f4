import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { PlayedExcel, SavedFile } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";
import { imported, key } from "../operations";
import { type Death, type Killed, killedAt } from "./death";
import { finish, type KilledOperation, killedOperations, refresh, takeBack } from "./interrupted";
import { bookMeaning } from "../saved-state";
import { openWorld, type World } from "../world";

playExcel();

/**
 * The workbook's meaning. It depends neither on the number of parts that hold the frozen formulas, nor on the results of formulas, which
 * are newer once the formulas are back, nor on the history of imports: a refresh that is done again finds less changed.
 */
function meaning(excel: PlayedExcel) {
  const { parts, sheets, ...rest } = bookMeaning(excel);
  const [frozen, others] = [true, false].map((isFrozen) =>
    parts.filter((xml) => xml.startsWith("<frozen ") === isFrozen),
  ) as [string[], string[]];
  const formulas = frozen.flatMap((xml) => xml.match(/\{[^{}]*"formula":[^{}]*\}/g) ?? []).sort();
  return {
    ...rest,
    sheets: JSON.parse(
      JSON.stringify(sheets, (key, value: unknown) => (key === "result" ? null : value)),
    ) as unknown,
    parts: others.map((xml) => xml.replace(/"refreshes":.*?(?=,"digests")/s, "")),
    formulas,
  };
}

/** The workbook's meaning without the notes of the interrupted operation. */
const withoutNotes = ({ parts, ...rest }: ReturnType<typeof meaning>) => ({
  ...rest,
  parts: parts.filter((xml) => !xml.startsWith("<unfinished ")),
});

async function reference({ prepare, run }: KilledOperation) {
  const first = await openWorld();
  await first.inTime(first.excel.spreadsheet.idle());
  if (prepare) await first.inTime(prepare(first.excel));
  await first.inTime(first.excel.spreadsheet.idle());
  const file: SavedFile | undefined = structuredClone(first.excel.save());
  first.excel.close();
  const world = await openWorld({ file: structuredClone(file) });
  await world.inTime(world.excel.spreadsheet.idle());
  const before = meaning(world.excel);
  await world.inTime(run(world.excel));
  await world.inTime(world.excel.spreadsheet.idle());
  const after = meaning(world.excel);
  world.excel.close();
  expect(isDeepStrictEqual(before, after)).toBe(false);
  return { file, before, after };
}

const list = ({ excel, inTime }: World) => inTime(excel.app.unfinished.list());

/** Compares like `toEqual`, which takes ten times as long. */
function mustEqual(one: unknown, other: unknown, what: string) {
  if (!isDeepStrictEqual(one, other)) expect(one, what).toEqual(other);
}

/** A death before a request was carried out is left out: it equals a death after the whole request before. */
const deaths = ["half", "all"] as const;

describe.each(Object.entries(killedOperations) as [string, KilledOperation][])(
  "a runtime that dies in %s",
  (_, operation) => {
    let known: ReturnType<typeof reference> | undefined;
    /** States that earlier deaths have left. The same state needs no second check. */
    const seen = new Set<string>();
    const at = (request: number, to: Death["to"], carriedOut: Death["carriedOut"]) =>
      (known ??= reference(operation)).then(({ file }) =>
        killedAt(operation.run, { at: request, to, carriedOut }, { file }),
      );

    /**
     * Compares the workbook after the death with its state before and after the operation; true if the next start reports an
     * interruption.
     */
    async function isTold(
      { reopened, isAsBefore }: Extract<Killed, { status: "killed" }>,
      where: string,
    ): Promise<boolean> {
      if (isAsBefore) return false;
      const { before, after } = await known!;
      const then = await reopened();
      const { works, unreadable } = await list(then);
      expect(unreadable, where).toEqual([]);
      const now = meaning(then.excel);
      if (works.length === 0) {
        if (!isDeepStrictEqual(now, after)) mustEqual(now, before, where);
        return false;
      }
      expect(works, where).toHaveLength(1);
      const left = JSON.stringify(now).replace(/RegData copy [0-9a-f]{4}/g, "");
      if (seen.has(left)) return true;
      seen.add(left);
      expect(left).not.toContain(key);
      for (const offer of operation.offers) {
        const world = await reopened();
        const [work] = (await list(world)).works;
        const acting: Promise<unknown> = (offer === "finish" ? finish : takeBack)(world.excel, work!);
        await world.inTime(acting);
        await world.inTime(world.excel.spreadsheet.idle());
        const came = meaning(world.excel);
        // The add-in knows which formulas to freeze only once the workbook keeps the first of them.
        const hasBegun = work!.work.kind !== "freeze" || !isDeepStrictEqual(withoutNotes(now), before);
        // An import that was over has deleted its copy of the old cells, so it stays.
        const isOver = isDeepStrictEqual(withoutNotes(now), after) && isDeepStrictEqual(came, after);
        const wanted = isOver || (offer === "finish" && hasBegun) ? after : before;
        mustEqual(came, wanted, `${offer}, ${where}`);
        expect(await list(world)).toEqual({ works: [], unreadable: [] });
      }
      return true;
    }

    it("at any request to Excel is told of by the next one, and what it left is finished or taken back", async () => {
      vi.spyOn(Math, "random").mockReturnValue(0.5);
      let told = 0;
      const first = await at(0, "Excel", "nothing");
      expect(first.status === "killed" && (await isTold(first, "before the first request"))).toBe(false);
      for (const carriedOut of deaths) {
        for (let request = 0; ; request += 1) {
          const killed = await at(request, "Excel", carriedOut);
          if (killed.status === "over") break;
          if (await isTold(killed, `${carriedOut} of request ${request}`)) told += 1;
        }
      }
      expect(told).toBeGreaterThan(deaths.length);
    });

    it.runIf(operation.asks)("while the service is asked leaves the workbook as it was", async () => {
      let request = 0;
      for (; ; request += 1) {
        const killed = await at(request, "the service", "nothing");
        if (killed.status === "over") break;
        const then = await killed.reopened();
        expect((await list(then)).works).toEqual([]);
        mustEqual(meaning(then.excel), (await known!).before, `request ${request}`);
      }
      expect(request).toBeGreaterThan(0);
    });
  },
);

it("a refresh that is finished tells the changes that the interrupted one had written already", async () => {
  const whole = await openWorld();
  const { changes } = await whole.inTime(refresh(whole.excel));
  expect(changes.map(({ before, after }) => [before?.value, after?.value])).toContainEqual([
    "NEC 2020, as it was",
    "NEC 2020",
  ]);
  let written = 0;
  for (let request = 0; ; request += 1) {
    const killed = await killedAt((excel) => refresh(excel), { at: request, to: "Excel", carriedOut: "all" });
    if (killed.status === "over") break;
    const world = await killed.reopened();
    const [work] = (await list(world)).works;
    if (!work || !JSON.stringify(world.excel.values(`${imported}!A1:H9`)).includes('"NEC 2020"')) continue;
    written += 1;
    const report = await world.inTime(finish(world.excel, work));
    expect(report?.changes).toEqual(changes);
  }
  expect(written).toBeGreaterThan(1);
});

it.each(["a refresh of an import", "an import over given-up cells", "freezing"] as const)(
  "a device that sleeps for an hour at any request of %s does it all the same",
  async (name) => {
    const operation: KilledOperation = killedOperations[name];
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const { file, after } = await reference(operation);
    for (let at = 0, isOver = false; !isOver; at += 1) {
      let requests = 0;
      let isRunning = false;
      const world = await openWorld({
        file: structuredClone(file),
        deliver(request, carryOut) {
          // The clock jumps by an hour, as on a device that sleeps: timers fire late.
          if (isRunning && requests++ === at) vi.setSystemTime(Date.now() + 3_600_000);
          return carryOut(request);
        },
      });
      await world.inTime(world.excel.spreadsheet.idle());
      isRunning = true;
      await world.inTime(operation.run(world.excel));
      isRunning = false;
      await world.inTime(world.excel.spreadsheet.idle());
      mustEqual(meaning(world.excel), after, `request ${at}`);
      world.excel.close();
      isOver = requests <= at;
    }
  },
);
