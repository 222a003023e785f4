import { describe, expect, it, vi } from "vitest";
import { askDates, askWho } from "../../../../src/workbook/imports/refresh/ask-again";
import {
  type DatableValue,
  datedAs,
  doubtfulValues,
  rowlessAhjs,
  rowlessValues,
  valuesToDate,
} from "../../../../src/workbook/imports/refresh/new-values";
import {
  planRefresh,
  prepareRefresh,
  unidentifiedAhjs,
} from "../../../../src/workbook/imports/refresh/plan-refresh";
import { createDigests } from "../../../../src/workbook/imports/saved/cell-digests";
import { finishInTurns } from "../../../../src/async/in-turns";
import type { Known } from "../../../../src/workbook/sheet/layout/answer-parts";
import { playExcel } from "../../../functions/excel";
import { fee as reviewFee, importedBook } from "../imported-book";
import { lastRun } from "../last-run";
import { ahj, fee, playImport, playLookup, published, rule, type Said } from "../played-import";

const [alpha, beta, gamma] = [ahj(1, "Alpha"), ahj(2, "Beta"), ahj(3, "Gamma")];
const value = published("$30");

describe("an AHJ without a row in a long table", () => {
  it("had no value at the last run and gets a row; rows that are known were deleted or are there", () => {
    const last = lastRun({
      ...{ "1 10": null, "1 20": value, "2 10": value, "2 20": null },
      ...{ "3 10": null, "3 20": null, "4 10": null },
    });
    expect(rowlessAhjs(last, new Map([[4, ahj(4, "Delta")]]))).toEqual([3]);
    expect(rowlessAhjs(undefined, new Map())).toEqual([]);
  });
});

/** Asks for the new values of a long table in which only Alpha's fee has a row. */
async function findNew(
  said: Said,
  {
    last,
    dates,
    mayLackRows = [1, 2],
  }: { last?: Record<string, Known | null>; dates?: Said; mayLackRows?: number[] },
) {
  const { saved, tables } = await playImport({
    ahjs: [alpha],
    said: { "1 10": value },
    form: { layout: "long", hasCitations: false },
  });
  const service = playLookup(said, { dates, who: [beta] });
  const headers = saved.columns.map(({ header }) => header);
  const table = await tables.read(saved.tableId, headers);
  const known = last && lastRun(last);
  const prepared = {
    ...prepareRefresh({ saved, table, last: known, digests: createDigests() }),
    mayLackRows,
  };
  const outcomeOf = (ahjId: number, typeId: number) => {
    const answer = said[`${ahjId} ${typeId}`];
    return typeof answer === "object" ? answer : null;
  };
  const rowless = await finishInTurns(rowlessValues(prepared, outcomeOf));
  const told = await askDates(valuesToDate(doubtfulValues(rowless, known)), service.lookup, {});
  const who = await askWho(unidentifiedAhjs(prepared, { rowless, dates: told }), service.lookup, {});
  const answers = { outcomeOf, others: new Set<number>(), rowless, dates: told, who };
  const { edit, report } = await finishInTurns(planRefresh(prepared, answers));
  const rows = edit.newRows.map(([id, typeId], index) => {
    const cells = new Map(
      edit.updates.flatMap(({ row, header, cell }) => (row === 1 + index ? [[header, cell.value]] : [])),
    );
    const [name, type, state_code, geoid] = ["Name", "Type", "State", "geoID"].map((header) =>
      cells.get(header),
    );
    return [{ id, name, type, state_code, geoid: geoid === "" ? null : geoid }, typeId];
  });
  return { rows, withoutRow: report.withoutRow, asked: service.asked };
}
const on = (updatedAt: string) => published("$30", { updatedAt });
/** The import ran on 2 January 2026. */
const runAt = "2026-01-02T00:00:00Z";

describe("a value without a row", () => {
  it("is new if there was none at the last run, whenever it was entered; a known one was deleted", async () => {
    const said = { "1 10": value, "1 20": on("2026-03-01T00:00:00Z"), "2 20": on("2025-03-01T00:00:00Z") };
    const found = await findNew(said, { last: { "1 20": value, "2 20": null } });
    expect(found).toMatchObject({ rows: [[beta, rule.id]], withoutRow: 1, asked: { dated: [] } });
    const both = await findNew(said, { last: { "1 20": null, "2 20": null } });
    expect(both).toMatchObject({
      rows: [
        [alpha, rule.id],
        [beta, rule.id],
      ],
      withoutRow: 0,
    });
  });

  it.each<[string, string, number]>([
    ["after the last run is new", "2026-01-02T00:00:01Z", 1],
    ["at its very moment is not", runAt, 0],
    ["before it is not", "2025-12-31T23:59:59Z", 0],
  ])("that this device does not know, dated %s", async (_, updatedAt, rows) => {
    const asked = await findNew({ "1 20": value }, { dates: { "1 20": on(updatedAt) } });
    expect([asked.rows.length, asked.withoutRow]).toEqual([rows, 1 - rows]);
    expect(asked.asked.dated).toEqual(["1 20"]);
    const told = await findNew({ "1 20": on(updatedAt) }, {});
    expect([told.rows.length, told.withoutRow, told.asked.dated]).toEqual([rows, 1 - rows, []]);
  });

  it("without a date is not new", async () => {
    expect(await findNew({ "1 20": value }, {})).toMatchObject({ rows: [], withoutRow: 1 });
  });

  it("is asked about and gets a row only for an AHJ that is not in the table yet", async () => {
    const last = { "1 20": null, "2 20": null, "3 20": null };
    const one = await findNew({ "1 20": value }, { last, mayLackRows: [1, 2, 3] });
    expect([one.rows, one.asked.ahjs]).toEqual([[[alpha, rule.id]], []]);
    const two = await findNew({ "1 20": value, "2 20": value }, { last, mayLackRows: [1, 2, 3] });
    expect(two.rows).toEqual([
      [alpha, rule.id],
      [beta, rule.id],
    ]);
    expect(two.asked.ahjs).toEqual([2]);
  });

  it("gets its row even if nobody can say whose it is", async () => {
    const { rows } = await findNew({ "3 20": value }, { last: { "3 20": null }, mayLackRows: [3] });
    expect(rows).toEqual([[{ id: 3, name: "AHJ 3", type: "", state_code: "", geoid: null }, rule.id]]);
  });
});

describe("dates of values", () => {
  const change = (who: typeof alpha, after: Known | null) => ({ ahj: who, type: fee, after });
  const addDates = async (values: DatableValue[], { lookup }: ReturnType<typeof playLookup>) => {
    const dates = await askDates(valuesToDate(values), lookup, {});
    return values.map((each) => datedAs(each, dates));
  };
  const dated = "2026-02-01T00:00:00Z";

  it("are asked for if a value has none, and told of that value only", async () => {
    const values = [
      change(alpha, value),
      change(beta, null),
      change(gamma, on("2025-05-05T00:00:00Z")),
      change(ahj(4, "Delta"), value),
      change(ahj(5, "Epsilon"), value),
    ];
    const service = playLookup(
      { "1 10": value, "4 10": value },
      { dates: { "1 10": on(dated), "4 10": published("$99", { updatedAt: dated }), "5 10": "unreachable" } },
    );
    const after = await addDates(values, service);
    expect(service.asked).toEqual({ values: [], dated: ["1 10", "4 10", "5 10"], ahjs: [] });
    expect(after.map((each) => each?.updatedAt)).toEqual([
      ...[dated, undefined, "2025-05-05T00:00:00Z", null, null],
    ]);
    expect(after[0]).toEqual({ ...value, updatedAt: dated });
  });

  it.each([
    [0, 0, 0],
    [1, 1, 1],
    [500, 500, 1],
    [501, 0, 0],
  ])("are asked for %i values of %i", async (count, asked, requests) => {
    const service = playLookup({});
    const values = Array.from({ length: count }, (_, at) => change(ahj(at + 1, "One"), value));
    await addDates(values, service);
    expect(service.asked.dated).toHaveLength(asked);
    expect(service.options).toHaveLength(requests);
  });
});

describe("a value that is entered while an import is refreshed", () => {
  playExcel();
  const hourMs = 3_600_000;

  it.each(["after the service was asked", "since the kept answers that the refresh took came"])(
    "gets its row from a colleague's refresh, if it was entered %s",
    async (when) => {
      const late: { ahjId?: number; isThere: boolean; updatedAtMs: number } = {
        isThere: false,
        updatedAtMs: 0,
      };
      const book = await importedBook(
        (object) => {
          const ahjId = (object.ahj as { id?: number } | undefined)?.id;
          const isOfFee = (object.data_point_type as { id?: number } | undefined)?.id === reviewFee;
          if (object.values?.[reviewFee]) late.ahjId ??= ahjId;
          if (ahjId === undefined || ahjId !== late.ahjId) return;
          if (object.values && !late.isThere) object.values[reviewFee] = null;
          if (isOfFee) object.updated_at = new Date(late.updatedAtMs).toISOString();
        },
        { form: { layout: "long", hasCitations: false } },
      );
      const onProgress = () => {
        if (late.updatedAtMs > 0) return;
        late.updatedAtMs = Date.now() + hourMs / 2;
        vi.setSystemTime(Date.now() + hourMs);
      };
      if (when.startsWith("after")) await book.refresh({ onProgress });
      else {
        const sinceMs = Date.now();
        await book.refresh({ sinceMs });
        late.updatedAtMs = Date.now() + hourMs;
        await book.refresh({ sinceMs });
      }
      late.isThere = true;
      const colleague = await book.reopened();
      const { report } = await colleague.refresh();
      expect(report).toMatchObject({ newRows: 1, withoutRow: 0 });
    },
  );
});
