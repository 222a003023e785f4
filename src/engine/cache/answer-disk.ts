/**
 * The answers of a space on disk, in parts that are read and written each as a whole (`answer-part.ts`). Of a part only the head
 * is changed in place: a row that moves to another part is no longer named in it.
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
import { addNewer, type Answers } from "./records";
import type { Disk, Parts, Space } from "./store";

/** Answers that are to be written. */
export type NewAnswers = Map<number, Answers> | FilledPart;

/** How old a part's note of its last use may become. */
const noteUseMs = 86_400_000;

/** Of an old part, or a small new one, no more answers are written anew: more would hold up the page. */
const mostMoved = () => config.answersAPart / 8;

/** What an AHJ takes in a head. */
const rowBytes = 24;

interface NumberedHead extends Head {
  id: number;
}

const answersOfRows = (rows: readonly HeadRow[]) => rows.reduce((sum, { count }) => sum + count, 0);

/** The parts that hold answers of these AHJs. Never fails. */
export async function readAnswers(
  disk: Disk,
  space: Space,
  ahjIds: ReadonlySet<number>,
): Promise<FilledPart[]> {
  if (ahjIds.size === 0) return [];
  const nowMs = Date.now();
  const unnoted = new Set<number>();
  const found = await disk.withParts(space, "readonly", async (parts) => {
    const read: FilledPart[] = [];
    for (const head of await headsOf(parts)) {
      if (!head.rows.some(({ ahj }) => ahjIds.has(ahj))) continue;
      const part = await openPart(parts, head);
      if (!part) continue;
      read.push({ part, rows: head.rows });
      if (Math.abs(nowMs - head.usedAtMs) > noteUseMs) unnoted.add(head.id);
    }
    return read;
  });
  if (unnoted.size > 0) {
    await disk.withParts(space, "readwrite", async (parts) => {
      for (const head of await headsOf(parts))
        if (unnoted.has(head.id)) parts.putHead(head.id, storedHeadOf({ ...head, usedAtMs: nowMs }));
    });
  }
  return found ?? [];
}

/**
 * Adds answers; of two the newer stays, of two of the same age the added one. Each part is written on its own: one that can't be
 * costs no other. Never fails.
 */
export async function writeAnswers(disk: Disk, space: Space, answers: NewAnswers): Promise<void> {
  const isPart = "part" in answers && answers.part.count() > mostMoved();
  const all = isPart ? [answers] : inParts("part" in answers ? mapOf(answers) : answers);
  for (const some of all) await disk.withParts(space, "readwrite", (parts) => add(parts, some));
}

/** Removes all answers of these AHJs, also where nothing more can be written. Never fails. */
export async function dropAnswers(disk: Disk, space: Space, ahjIds: ReadonlySet<number>): Promise<void> {
  const isDone = await disk.withParts(space, "readwrite", async (parts) => {
    await drop(parts, ahjIds);
    return true;
  });
  // A full disk refuses to write what is beside them: better without it.
  if (!isDone) await disk.withParts(space, "readwrite", (parts) => dropParts(parts, ahjIds));
}

/** Not only from the heads: the texts are to be gone. */
async function drop(parts: Parts, ahjIds: ReadonlySet<number>): Promise<void> {
  const heads = await headsOf(parts);
  const rest = new Map<number, Answers>();
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
 * Writes answers as a new part, with what an older part has of the same AHJs. A part of which little is left goes into the new
 * one, and so does one that is no larger: there are never many small ones.
 */
async function add(parts: Parts, added: NewAnswers): Promise<void> {
  const heads = await headsOf(parts);
  const rows = new Map("part" in added ? added.rows.map((row) => [row.ahj, row]) : []);
  /** What is not a part yet. */
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

/** Writes a part whose AHJs are in no other. */
function put(parts: Parts, id: number, { part, rows }: FilledPart): void {
  const head: Head = {
    rows: rows.map((row) => ({ ...row, newestMs: newestIn(part, row) })),
    slots: part.count(),
    bytes: part.bytes() + rows.length * rowBytes,
    usedAtMs: Date.now(),
  };
  parts.put(id, storedHeadOf(head), part.stored());
}

function partOf(answers: ReadonlyMap<number, Answers>): FilledPart {
  const part = createAnswerPart(sizeOf(answers));
  const rows = Array.from(answers, ([ahj, ofAhj]) => pushRow(part, ahj, ofAhj));
  part.seal();
  return { part, rows };
}

function mapOf({ part, rows }: FilledPart): Map<number, Answers> {
  return new Map(rows.map((row) => [row.ahj, new Map(answersIn(part, row))]));
}

async function headsOf(parts: Parts): Promise<NumberedHead[]> {
  return (await parts.heads()).map(([id, record]) => ({ ...(headOf(record) ?? noHead), id }));
}

/** Damaged: it counts for its number alone. */
const noHead: Head = { rows: [], slots: 0, bytes: 0, usedAtMs: 0 };

/** Undefined where it is damaged. */
async function openPart(parts: Parts, { id, slots }: NumberedHead): Promise<AnswerPart | undefined> {
  const part = openAnswerPart(await parts.read(id));
  return part?.count() === slots ? part : undefined;
}

const mostId = (heads: readonly NumberedHead[]) => heads.reduce((most, { id }) => Math.max(most, id), 0);

const sizeOf = (answers: ReadonlyMap<number, Answers>) =>
  [...answers.values()].reduce((sum, { size }) => sum + size, 0);

/** As many AHJs each as fit into a part. */
function* inParts(answers: ReadonlyMap<number, Answers>): Generator<Map<number, Answers>> {
  let some = new Map<number, Answers>();
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
