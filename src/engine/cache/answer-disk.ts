/**
 * The answers of a space on disk. They are stored in parts, each read and written as a whole (`answer-part.ts`). Only a part's head is
 * changed in place: it no longer names a row that has moved to another part.
 */
import { config } from "../../config";
import {
  type AnswerPart,
  answersIn,
  createAnswerPart,
  type FilledPart,
  newestIn,
  openAnswerPart,
  pushRow,
  supersedes,
} from "./answer-part";
import { type Head, headOf, type HeadRow, storedHeadOf } from "./part-head";
import { addNewer, type AnswersOfAhj } from "./records";
import type { Disk, Parts, Space } from "./store";

/** Answers to be written, by AHJ or as a part. */
export type NewAnswers = Map<number, AnswersOfAhj> | FilledPart;

/** The time of a part's last use is written again once the written time is older than this. */
const noteUseMs = 86_400_000;

/**
 * An old part keeps its remaining answers, and a new part is written as it is, if they are more than this: to rewrite more would block the
 * page.
 */
const mostMoved = () => config.answersAPart / 8;

/** The most parts that one transaction reads, because writes wait until it ends and the parts are in memory until then. */
const mostRead = 16;

/** Bytes that an AHJ takes in a head. */
const rowBytes = 24;

interface NumberedHead extends Head {
  id: number;
}

const answersOfRows = (rows: readonly HeadRow[]) => rows.reduce((sum, { count }) => sum + count, 0);

/** Reads the parts that hold answers of these AHJs, a few in each transaction. Never fails. */
export async function* readAnswers(
  disk: Disk,
  space: Space,
  ahjIds: ReadonlySet<number>,
): AsyncGenerator<FilledPart> {
  const nowMs = Date.now();
  const unread = new Set(ahjIds);
  const unnoted = new Set<number>();
  let isAllRead = unread.size === 0;
  while (!isAllRead) {
    const read = await disk.withParts(space, "readonly", async (parts) => {
      const holding = (await headsOf(parts)).filter(({ rows }) => rows.some(({ ahj }) => unread.has(ahj)));
      isAllRead = holding.length <= mostRead;
      return Promise.all(
        holding.slice(0, mostRead).map(async (head) => ({ head, part: await openPart(parts, head) })),
      );
    });
    if (!read) return;
    for (const { head, part } of read) {
      for (const { ahj } of head.rows) unread.delete(ahj);
      if (!part) continue;
      if (Math.abs(nowMs - head.usedAtMs) > noteUseMs) unnoted.add(head.id);
      yield { part, rows: head.rows };
    }
  }
  if (unnoted.size === 0) return;
  await disk.withParts(space, "readwrite", async (parts) => {
    for (const head of await headsOf(parts))
      if (unnoted.has(head.id)) parts.putHead(head.id, storedHeadOf({ ...head, usedAtMs: nowMs }));
  });
}

/**
 * Adds answers. The newer of two answers stays; if both have the same age, the added one does. Each part is written on its own, so that a
 * failed write loses no other part. Never fails.
 */
export async function writeAnswers(disk: Disk, space: Space, answers: NewAnswers): Promise<void> {
  const isPart = "part" in answers && answers.part.count() > mostMoved();
  const all = isPart ? [answers] : inParts("part" in answers ? mapOf(answers) : answers);
  for (const some of all) await disk.withParts(space, "readwrite", (parts) => add(parts, some));
}

/** Removes all answers of these AHJs, even if the disk is full. Never fails. */
export async function dropAnswers(disk: Disk, space: Space, ahjIds: ReadonlySet<number>): Promise<void> {
  const isDone = await disk.withParts(space, "readwrite", async (parts) => {
    await drop(parts, ahjIds);
    return true;
  });
  // A full disk refuses to write the remaining answers of these parts, so they are removed as well.
  if (!isDone) await disk.withParts(space, "readwrite", (parts) => dropParts(parts, ahjIds));
}

/** Rewrites the parts without these AHJs. Their rows in the heads are not enough, because the texts must be gone. */
async function drop(parts: Parts, ahjIds: ReadonlySet<number>): Promise<void> {
  const heads = await headsOf(parts);
  const rest = new Map<number, AnswersOfAhj>();
  for (const head of heads) {
    if (!head.rows.some(({ ahj }) => ahjIds.has(ahj))) continue;
    const left = head.rows.filter(({ ahj }) => !ahjIds.has(ahj));
    const part = left.length > 0 ? await openPart(parts, head) : undefined;
    for (const row of part ? left : []) rest.set(row.ahj, new Map(answersIn(part!, row)));
    parts.delete(head.id);
  }
  let id = mostId(heads);
  for (const some of inParts(rest)) put(parts, (id += 1), partOf(some));
}

async function dropParts(parts: Parts, ahjIds: ReadonlySet<number>): Promise<void> {
  for (const { id, rows } of await headsOf(parts))
    if (rows.some(({ ahj }) => ahjIds.has(ahj))) parts.delete(id);
}

/**
 * Writes answers as a new part, together with the older answers of the same AHJs. An old part joins the new one if few of its answers
 * remain or if it is no larger, so that there are never many small parts.
 */
async function add(parts: Parts, added: NewAnswers): Promise<void> {
  const heads = await headsOf(parts);
  const rows = new Map("part" in added ? added.rows.map((row) => [row.ahj, row]) : []);
  /** Answers that are not in a part yet. */
  const moved = new Map("part" in added ? [] : added);
  const isAdded = ({ ahj }: HeadRow) => rows.has(ahj) || moved.has(ahj);
  const merge = (part: AnswerPart, row: HeadRow) => {
    const own = rows.get(row.ahj);
    if (own && "part" in added && supersedes(added.part, own, part, row)) return;
    const newer = own && "part" in added ? answersIn(added.part, own) : (moved.get(row.ahj) ?? []);
    moved.set(row.ahj, addNewer(new Map(answersIn(part, row)), newer));
    rows.delete(row.ahj);
  };
  const move = (part: AnswerPart, some: readonly HeadRow[]) => {
    for (const row of some) moved.set(row.ahj, new Map(answersIn(part, row)));
  };
  const beside: NumberedHead[] = [];
  for (const head of heads) {
    const [common, rest] = [head.rows.filter(isAdded), head.rows.filter((row) => !isAdded(row))];
    if (common.length === 0) {
      beside.push(head);
      continue;
    }
    const part = await openPart(parts, head);
    for (const row of part ? common : []) merge(part!, row);
    if (part && answersOfRows(rest) > mostMoved()) {
      parts.putHead(head.id, storedHeadOf({ ...head, rows: rest }));
    } else {
      if (part) move(part, rest);
      parts.delete(head.id);
    }
  }
  let size = sizeOf(moved);
  for (const head of beside.sort((one, other) => answersOfRows(one.rows) - answersOfRows(other.rows))) {
    const left = answersOfRows(head.rows);
    if (left > size || size + left > config.answersAPart) break;
    const part = await openPart(parts, head);
    if (part) move(part, head.rows);
    parts.delete(head.id);
    size += left;
  }
  let id = mostId(heads);
  if ("part" in added && rows.size > 0) put(parts, (id += 1), { part: added.part, rows: [...rows.values()] });
  for (const some of inParts(moved)) put(parts, (id += 1), partOf(some));
}

/** Writes a part whose AHJs are in no other part. */
function put(parts: Parts, id: number, { part, rows }: FilledPart): void {
  const head: Head = {
    rows: rows.map((row) => ({ ...row, newestMs: newestIn(part, row) })),
    slots: part.count(),
    bytes: part.bytes() + rows.length * rowBytes,
    usedAtMs: Date.now(),
  };
  parts.put(id, storedHeadOf(head), part.stored());
}

function partOf(answers: ReadonlyMap<number, AnswersOfAhj>): FilledPart {
  const part = createAnswerPart(sizeOf(answers));
  const rows = Array.from(answers, ([ahj, ofAhj]) => pushRow(part, ahj, ofAhj));
  part.seal();
  return { part, rows };
}

function mapOf({ part, rows }: FilledPart): Map<number, AnswersOfAhj> {
  return new Map(rows.map((row) => [row.ahj, new Map(answersIn(part, row))]));
}

async function headsOf(parts: Parts): Promise<NumberedHead[]> {
  return (await parts.heads()).map(([id, record]) => ({ ...(headOf(record) ?? noHead), id }));
}

/** The head of a damaged record, of which only the number counts. */
const noHead: Head = { rows: [], slots: 0, bytes: 0, usedAtMs: 0 };

/** Resolves to undefined if the part is damaged. */
async function openPart(parts: Parts, { id, slots }: NumberedHead): Promise<AnswerPart | undefined> {
  const part = openAnswerPart(await parts.read(id));
  return part?.count() === slots ? part : undefined;
}

const mostId = (heads: readonly NumberedHead[]) => heads.reduce((most, { id }) => Math.max(most, id), 0);

const sizeOf = (answers: ReadonlyMap<number, AnswersOfAhj>) =>
  [...answers.values()].reduce((sum, { size }) => sum + size, 0);

/** Splits answers into groups of AHJs, each as large as fits into a part. */
function* inParts(answers: ReadonlyMap<number, AnswersOfAhj>): Generator<Map<number, AnswersOfAhj>> {
  let some = new Map<number, AnswersOfAhj>();
  let size = 0;
  for (const [ahjId, ofAhj] of answers) {
    if (size > 0 && size + ofAhj.size > config.answersAPart) {
      yield some;
      [some, size] = [new Map(), 0];
    }
    some.set(ahjId, ofAhj);
    size += ofAhj.size;
  }
  if (size > 0) yield some;
}
