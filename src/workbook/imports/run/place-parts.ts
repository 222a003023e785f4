import type { Ahj } from "../../../engine/api/schemas";
import type { OldAnswers } from "../../../engine/lookup/old-answers";
import { partsOf } from "../../../lists";
import type { ImportEnd, ImportOrder, ImportReport, Placement } from "./import-types";

/**
 * Places an import as several tables, one after the other, because memory can't hold it at once. Each part is remembered as an import of
 * its own. A part that fails ends the run, and the earlier parts stay.
 */
export async function placeInParts<Order extends ImportOrder & { parts: number }>(
  order: Order,
  place: (part: Order) => Promise<ImportEnd>,
): Promise<ImportEnd> {
  const parts = cutOrder(order);
  let placed: Placement | null = null;
  for (const [at, part] of parts.entries()) {
    const outcome = await place(part);
    if (outcome.status === "failed") return endedEarly(outcome, parts.slice(at), order, placed);
    placed = placed ? joined(placed, outcome) : outcome;
  }
  if (!placed) throw new Error("An import has at least one part.");
  return { status: "done", ...placed };
}

function endedEarly(
  { failure, data }: Extract<ImportEnd, { status: "failed" }>,
  left: readonly ImportOrder[],
  { question, parts }: ImportOrder & { parts: number },
  placed: Placement | null,
): ImportEnd {
  const ahjs = left.flatMap(({ question }) => question.ahjs);
  const notAsked = left.slice(1).flatMap(({ question }) => question.ahjs);
  const lacking = (report: ImportReport, some: readonly Ahj[]) => {
    return { ...report, notRead: [...report.notRead, ...some] };
  };
  const kept = data && { ...data, report: lacking(data.report, notAsked) };
  return {
    status: "failed",
    failure,
    data: kept,
    // Without an earlier part, the whole order is left, with its find.
    left: placed
      ? { question: { ...question, ahjs, find: undefined }, parts: left.length }
      : { question, parts },
    placed: placed && { ...placed, report: lacking(placed.report, kept ? kept.report.notRead : ahjs) },
  };
}

function cutOrder<Order extends ImportOrder & { parts: number }>(order: Order): Order[] {
  const { ahjs } = order.question;
  const size = Math.max(1, Math.ceil(ahjs.length / order.parts));
  const parts = partsOf(ahjs, size);
  // Each part is an import of its own. If all of them ran the find again, each would add the rows of the others.
  const find = parts.length > 1 ? undefined : order.question.find;
  return parts.map((some) => ({ ...order, question: { ...order.question, ahjs: some, find } }));
}

function joined(one: Placement, other: Placement): Placement {
  return {
    address: addresses(one.address, other.address),
    sourcesAddress: addresses(one.sourcesAddress, other.sourcesAddress),
    report: joinedReports(one.report, other.report),
    longTexts: [...one.longTexts, ...other.longTexts],
    notesKept: [...one.notesKept, ...other.notesKept],
    notRemembered: one.notRemembered ?? other.notRemembered,
    importIds: [...one.importIds, ...other.importIds],
  };
}

function addresses(...some: (string | null)[]): string | null {
  return some.filter((each) => each !== null).join(" and ") || null;
}

function joinedReports(one: ImportReport, other: ImportReport): ImportReport {
  const blank = new Map(
    [...one.withoutValue, ...other.withoutValue].map(({ type }) => [
      type.id,
      { type, ahjs: new Array<Ahj>() },
    ]),
  );
  for (const { type, ahjs } of [...one.withoutValue, ...other.withoutValue])
    blank.get(type.id)?.ahjs.push(...ahjs);
  const unknownTypes = new Map([...one.unknownTypes, ...other.unknownTypes].map((type) => [type.id, type]));
  return {
    rows: one.rows + other.rows,
    values: one.values + other.values,
    leftOut: [...one.leftOut, ...other.leftOut],
    notRead: [...one.notRead, ...other.notRead],
    withoutValue: [...blank.values()],
    unknownTypes: [...unknownTypes.values()],
    missingValues: one.missingValues + other.missingValues,
    oldAnswers: joinedOldAnswers(one.oldAnswers, other.oldAnswers),
  };
}

function joinedOldAnswers(one: OldAnswers | null, other: OldAnswers | null): OldAnswers | null {
  if (!one || !other) return one ?? other;
  return { count: one.count + other.count, oldestMs: Math.min(one.oldestMs, other.oldestMs) };
}
