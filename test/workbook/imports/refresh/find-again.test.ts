import { expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { Failure } from "../../../../src/errors";
import type { SavedFind } from "../../../../src/find/find-schema";
import { pastRefresh } from "../../../../src/workbook/imports/refresh/changes-sheet";
import { uncheckedSentences } from "../../../../src/workbook/imports/refresh/unchecked";
import { lookForChanges, refreshImport } from "../../../../src/workbook/imports/refresh/refresh";
import { runImport } from "../../../../src/workbook/imports/run/run-import";
import { importXml, parseImportXml } from "../../../../src/workbook/imports/saved/saved-import";
import { plainForm, type TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { connected, type Interception } from "../../../recorded-service";
import { memoryBook } from "../memory-parts";
import { savedFees } from "../saved-fees";
import { asInSheet, tablesWith } from "./sheet-table";

const key = "demo-national";
const planReviewFee = 1056;
const { lookup, client } = connected(key);
const fee = (await lookup.catalogue.types()).find(({ id }) => id === planReviewFee)!;
const nevada: readonly Ahj[] = (await lookup.directory.list("NV")).ahjs;
const published = await lookup.answers.read({
  values: new Map(nevada.map(({ id }) => [id, new Set([fee.id])])),
});

/** The amount in dollars of a text that is one plain amount; undefined for any other. */
function dollars({ id }: Ahj): number | undefined {
  const answer = published.of(id, fee.id);
  const figures =
    answer instanceof Failure ? undefined : /^(?:\$|USD )?([\d,.]+)$/.exec(answer.cell.value)?.[1];
  return figures === undefined ? undefined : Number(figures.replaceAll(",", ""));
}
/** Nevada's jurisdictions whose fee is one plain amount. */
const plain = nevada.filter((ahj) => dollars(ahj) !== undefined);
const amounts = plain.flatMap((ahj) => dollars(ahj) ?? []);
/** An amount that some of Nevada's jurisdictions charge, while others charge less or more. */
const limit = amounts.sort((one, other) => one - other)[Math.floor(amounts.length / 2)]!;

const find: SavedFind = {
  match: "all",
  conditions: [{ type: fee, operator: "at-most", operand: String(limit) }],
  within: { kind: "chosen", ahjIds: plain.map(({ id }) => id) },
};

/** Raises the fee of each jurisdiction that charges the limit by a dollar. */
const raiseLimitFees: Interception = async (request) => {
  if (!request.url.includes("/v1/reports/matrix")) return undefined;
  const answer = await connected(key).fetch(request.clone());
  const report = (await answer.json()) as {
    data: { rows: { values: Record<string, { value: string } | null> }[] };
  };
  for (const { values } of report.data.rows) {
    const cell = values[planReviewFee];
    if (cell && Number(/^(?:\$|USD )?([\d,.]+)$/.exec(cell.value)?.[1]) === limit)
      cell.value = `$${limit + 1}`;
  }
  return Response.json(report);
};

async function importOf(ahjs: readonly Ahj[], form: TableForm = plainForm) {
  const { table: plan } = await runImport(
    { kind: "matrix", ahjs, types: [fee] },
    { client, lookup },
    { form },
  );
  const saved = savedFees({ form, columns: plan.columns, types: [fee], find });
  const { documents } = openCache(createDisk({}), "one");
  const { book } = await memoryBook(saved);
  const sheet = asInSheet(plan);
  const dependencies = { tables: tablesWith(sheet), documents, book };
  return { saved: parseImportXml(importXml(saved))!, sheet, dependencies };
}

const within = plain.filter((ahj) => (dollars(ahj) ?? Infinity) <= limit);
const atLimit = within.filter((ahj) => dollars(ahj) === limit);
const below = within.filter((ahj) => dollars(ahj) !== limit);

it("the sample for refreshed finds has jurisdictions at the limit and below it", () => {
  expect(atLimit.length).toBeGreaterThan(0);
  expect(below.length).toBeGreaterThan(0);
});

it.each(["wide", "long"] as const)(
  "a refresh adds the jurisdictions that now meet the find: %s",
  async (layout) => {
    const { saved, sheet, dependencies } = await importOf(below, { layout, hasCitations: false });
    const service = connected(key);
    const { report } = await refreshImport(saved, { ...service, ...dependencies });
    expect(report.entered.map(({ id }) => id).sort()).toEqual(atLimit.map(({ id }) => id).sort());
    expect(report.left).toEqual([]);
    const ids = sheet.rows.map((row) => row[sheet.headers.indexOf("AHJ ID")]);
    expect(ids).toEqual(expect.arrayContaining(within.map(({ id }) => id)));
    expect(ids).toHaveLength(within.length);
    // One matrix serves both the find and the table.
    expect(service.requests.filter((request) => request.startsWith("POST"))).toEqual([
      "POST /v1/reports/matrix",
    ]);
  },
);

it("a refresh keeps the rows of jurisdictions that no longer meet the find, and names them", async () => {
  const { saved, sheet, dependencies } = await importOf(within);
  const { report } = await refreshImport(saved, {
    ...connected(key, { intercept: raiseLimitFees }),
    ...dependencies,
  });
  expect(report.left.map(({ ahj }) => ahj.id).sort()).toEqual(atLimit.map(({ id }) => id).sort());
  expect(report.unchecked).toEqual([]);
  expect(report.entered).toEqual([]);
  expect(sheet.rows).toHaveLength(within.length);
});

it("a jurisdiction that left a find is reported as new once, and returns to its own row when it meets the find again", async () => {
  const { saved, sheet, dependencies } = await importOf(within);
  const [first, second, third] = [raiseLimitFees, raiseLimitFees, undefined].map((intercept) => ({
    ...connected(key, intercept ? { intercept } : {}),
    ...dependencies,
  }));
  const ids = (ahjs: readonly { id: number }[]) => ahjs.map(({ id }) => id).sort();
  const asKept = (after: typeof saved) => parseImportXml(importXml(after))!;
  const leaving = await refreshImport(saved, first!);
  expect(ids(leaving.report.left.map(({ ahj }) => ahj))).toEqual(ids(atLimit));
  expect(leaving.report.stillLeft).toEqual([]);

  const again = await refreshImport(asKept(leaving.saved), second!);
  expect(again.report.left).toEqual([]);
  expect(ids(again.report.stillLeft.map(({ ahj }) => ahj))).toEqual(ids(atLimit));
  expect(pastRefresh(again.report).left).toBeUndefined();

  const back = await refreshImport(asKept(again.saved), third!);
  expect(ids(back.report.entered)).toEqual(ids(atLimit));
  const idColumn = sheet.headers.indexOf("AHJ ID");
  for (const { id, place } of back.report.entered) expect(sheet.rows[place!.row]?.[idColumn]).toBe(id);
  expect([back.report.newRows, back.report.left, back.report.stillLeft]).toEqual([0, [], []]);
  expect(sheet.rows).toHaveLength(within.length);
  expect(back.saved.find?.left).toEqual([]);
});

it("a change that adds jurisdictions turns a find's table into a plain list, and a refresh ignores the conditions", async () => {
  const { saved, sheet, dependencies } = await importOf(below);
  const texan = (await connected(key).lookup.directory.list("TX")).ahjs[0]!;
  const { saved: after, report } = await refreshImport(
    saved,
    { ...connected(key), ...dependencies },
    { change: { types: [fee], newAhjs: [texan] } },
  );
  expect(after.find).toBeNull();
  expect([report.entered, report.left]).toEqual([[], []]);
  expect(sheet.rows).toHaveLength(below.length + 1);
  const later = await refreshImport(after, { ...connected(key), ...dependencies });
  expect([later.report.entered, later.report.left]).toEqual([[], []]);
});

it("a change of the questions alone leaves the find as it is", async () => {
  const { saved, dependencies } = await importOf(below);
  const { saved: after } = await refreshImport(
    saved,
    { ...connected(key), ...dependencies },
    { change: { types: [fee], newAhjs: [] } },
  );
  expect(after.find).toEqual({ ...saved.find, left: [] });
});

it("a refresh names a jurisdiction that is no longer among those in which the find looks, and does not say that it left", async () => {
  const texan = (await connected(key).lookup.directory.list("TX")).ahjs[0]!;
  const { saved, dependencies } = await importOf([...within, texan]);
  const { report } = await refreshImport(saved, { ...connected(key), ...dependencies });
  expect(report.unchecked.map(({ ahj, reason }) => [ahj.id, reason])).toEqual([[texan.id, "not-searched"]]);
  expect([report.left, pastRefresh(report).left]).toEqual([[], undefined]);
});

it.each(["all", "chosen"] as const)(
  "with a narrower key, a refresh says of no jurisdiction that it left, changes none of their cells, and remembers who had left: within %s",
  async (kind) => {
    const { saved, sheet, dependencies } = await importOf(within);
    const leaving = { ...connected(key, { intercept: raiseLimitFees }), ...dependencies };
    const { saved: then } = await refreshImport(saved, leaving);
    const before = structuredClone(sheet);
    const narrower = { ...then, find: { ...then.find!, ...(kind === "all" && { within: { kind } }) } };
    const { report, saved: after } = await refreshImport(narrower, {
      ...connected("demo-county"),
      ...dependencies,
    });
    // The key covers other jurisdictions, of which one meets the find: its row is added.
    expect(sheet.rows.slice(0, before.rows.length)).toEqual(before.rows);
    expect([report.left, report.stillLeft, report.unchecked]).toEqual([[], [], []]);
    const all = within.length + report.entered.length;
    const header = saved.columns.find(
      ({ content }) => content.of === "answer" && content.part === "value",
    )!.header;
    const column = sheet.headers.indexOf(header);
    const shownValues = `${before.rows.filter((row) => row[column] !== "").length} values`;
    const day = new Date(then.lastRun.asOfMs ?? then.lastRun.atMs).toLocaleDateString("en-US", {
      dateStyle: "medium",
    });
    expect(uncheckedSentences(report)).toEqual([
      `${within.length} of ${all} could not be checked: outside your subscription. Their rows and ${shownValues} stay, as of ${day}.`,
    ]);
    expect(pastRefresh(report)).toMatchObject({ changed: 0, changes: [] });
    expect(pastRefresh(report).left).toBeUndefined();
    expect([...after.find!.left!].sort()).toEqual(atLimit.map(({ id }) => id).sort());
    const back = await refreshImport({ ...after, find: then.find }, { ...connected(key), ...dependencies });
    expect(back.report.entered.map(({ id }) => id).sort()).toEqual(atLimit.map(({ id }) => id).sort());
  },
);

it("a jurisdiction whose answer no longer says whether it meets the find has not left", async () => {
  const { saved, dependencies } = await importOf(within);
  const vague: Interception = async (request) => {
    if (!request.url.includes("/v1/reports/matrix")) return undefined;
    const text = await (await connected(key).fetch(request.clone())).text();
    return new Response(text.replaceAll(/"value":"\$[^"]*"/g, '"value":"ask the clerk"'), {
      headers: { "Content-Type": "application/json" },
    });
  };
  const { report } = await refreshImport(saved, { ...connected(key, { intercept: vague }), ...dependencies });
  expect(report.left).toEqual([]);
  expect(new Set(report.unchecked.map(({ reason }) => reason))).toEqual(new Set(["not-known"]));
  expect(uncheckedSentences(report)).toEqual([
    `${report.unchecked.length} of ${within.length} could not be checked: their answers do not say whether they meet the conditions. Their rows stay.`,
  ]);
});

it("looking for changes when a workbook is opened does not repeat the find", async () => {
  const { saved, dependencies } = await importOf(below);
  const service = connected(key);
  const inState: SavedFind = { ...find, within: { kind: "states", states: ["NV"] } };
  await lookForChanges({ ...saved, find: inState }, { ...service, ...dependencies });
  expect(service.requests).toEqual(["POST /v1/reports/matrix"]);
});

it("a refresh leaves the sheet as it is if the service fails to answer the find", async () => {
  const { saved, sheet, dependencies } = await importOf(below);
  const before = structuredClone(sheet);
  const intercept: Interception = ({ url }) =>
    url.includes("/v1/reports/matrix") ? new Response("", { status: 500 }) : undefined;
  await expect(
    refreshImport(saved, { ...connected(key, { intercept }), ...dependencies }),
  ).rejects.toMatchObject({
    kind: "service-error",
  });
  expect(sheet).toEqual(before);
});

it("a text in the workbook that is no find is refused with its import", () => {
  const saved = savedFees({ form: plainForm, columns: [], types: [fee] });
  const xml = importXml({ ...saved, find });
  expect(parseImportXml(xml.replace("at-most", "drop-table"))).toBeNull();
  expect(parseImportXml(importXml({ ...saved, find: { ...find, left: ["=1+1" as never] } }))).toBeNull();
});
