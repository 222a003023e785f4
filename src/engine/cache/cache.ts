import { config } from "../../config";
import { yieldToPage } from "../../async/in-turns";
import type { AnswerCache, CachedDocument, DocumentCache } from "./answer-cache";
import type { CachedAnswer } from "./cached-answer";
import { createAnswerMemory } from "./answer-memory";
import { ahjAnswers, dropAnswers, noteUse, readAnswers, type UsedShard, writeAnswers } from "./answer-disk";
import { addNewer, documentOf, type DocumentRecord, documentRecord } from "./records";
import type { AhjAnswers } from "./shard";
import type { Disk, Space } from "./store";

/** The answers and documents of one space. */
export interface Cache {
  answers: AnswerCache;
  documents: DocumentCache;
  /** Settles when everything that was put is on disk or given up. */
  flushed(): Promise<void>;
  /**
   * Forgets this space for good, in memory and on disk: later puts are ignored and reads find nothing. Resolves to true if nothing of the
   * space is on disk, to false if the disk did not confirm it.
   */
  end(): Promise<boolean>;
}

/** Changes to make on disk, in this order. */
interface Changes {
  dropped: Set<number>;
  /** In the order in which the answers came. */
  answers: AhjAnswers[];
  documents: Map<string, CachedDocument>;
}

/** Documents are turned into text and written in groups of this many characters. A document with columns ends its group. */
const charactersAtOnce = 1_000_000;

/** The most bytes that memory may take while answers are held. */
const mostBytes = () => config.cachedBytes + config.heldBytes;

const noChanges = (): Changes => ({
  dropped: new Set(),
  answers: [],
  documents: new Map(),
});

/** Opens the cache of a space. If the disk fails, the cache goes on in memory. A space whose name is not available is in memory only. */
export function openCache(disk: Disk, space: Space): Cache {
  const memory = createAnswerMemory();
  /** Documents that are not on disk: not yet, or never. */
  const unwritten = new Map<string, CachedDocument>();
  /**
   * One set for each read of the disk that has not ended: the AHJs that were forgotten since it began. The read finds them on the disk still, and
   * must not put them into memory again.
   */
  const readings = new Set<Set<number>>();
  let waiting = noChanges();
  let underWay = noChanges();
  let isScheduled = false;
  let written = Promise.resolve();
  let ending: Promise<boolean> | undefined;
  // The disk handles a failing name itself; until then the failure must not count as unhandled.
  void Promise.resolve(space).catch(() => undefined);

  const isEnding = () => ending !== undefined;

  // No timer is used, because a hidden page's timers may wait a minute. Puts of one turn of the event loop are written in the next
  // microtask; puts during a write are collected until it is done.
  function writeSoon() {
    if (isScheduled) return;
    isScheduled = true;
    // Something that can't be made a record, such as a document longer than any string, must not prevent later writes.
    written = written.then(write).catch(disk.fail);
  }

  async function write() {
    isScheduled = false;
    const changes = (underWay = waiting);
    waiting = noChanges();
    // Answers are dropped and written separately, because a full disk refuses to write but never to drop.
    if (changes.dropped.size > 0) await dropAnswers(disk, space, changes.dropped);
    await writeAnswers(disk, space, changes.answers);
    let some = new Map<string, DocumentRecord>();
    let characters = 0;
    for (const [name, document] of changes.documents) {
      const record = recordUnlessTooLong(document);
      if (!record) continue;
      some.set(name, record);
      characters += record.content.length;
      if (characters < charactersAtOnce && record.columns === undefined) continue;
      await writeDocuments(some, changes.documents);
      [some, characters] = [new Map(), 0];
    }
    if (some.size > 0) await writeDocuments(some, changes.documents);
    underWay = noChanges();
  }

  /** Returns undefined if the document is longer than any string can be. */
  function recordUnlessTooLong(document: CachedDocument) {
    try {
      return documentRecord(document);
    } catch {
      disk.fail();
      return undefined;
    }
  }

  async function writeDocuments(
    records: ReadonlyMap<string, DocumentRecord>,
    documents: ReadonlyMap<string, CachedDocument>,
  ): Promise<void> {
    const areKept = await disk.writeDocuments(space, records);
    // One document may be too large although the others are not.
    if (!areKept && records.size > 1)
      for (const record of records) await writeDocuments(new Map([record]), documents);
    if (!areKept) return;
    for (const name of records.keys())
      if (unwritten.get(name) === documents.get(name)) unwritten.delete(name);
  }

  return {
    answers: {
      get: memory.get,
      see: memory.see,
      value: memory.value,
      copy: memory.copy,
      hold: memory.hold,
      shareOfMemory: (answers) => memory.expectedBytes(answers) / mostBytes(),
      isFull: () => memory.bytes() > mostBytes(),
      async load(ahjIds) {
        if (ending) return;
        const wanted = new Set(ahjIds);
        const unwelcome = new Set([...waiting.dropped, ...underWay.dropped]);
        for (const ahjId of unwelcome) wanted.delete(ahjId);
        readings.add(unwelcome);
        const used: UsedShard[] = [];
        for await (const { number, usedAtMs, filled } of readAnswers(disk, space, wanted)) {
          if (isEnding()) break;
          used.push({ number, usedAtMs });
          const { part, rows } = filled;
          const welcome = rows.filter(({ ahj }) => !unwelcome.has(ahj));
          memory.restore({ part, rows: welcome }, (ahjId) => wanted.has(ahjId));
          await yieldToPage();
        }
        readings.delete(unwelcome);
        written = written.then(() => noteUse(disk, space, used));
      },
      put(ahjId, answers) {
        if (ending) return;
        const put = addNewer(new Map<number, CachedAnswer>(), answers);
        if (put.size === 0) return;
        waiting.answers.push([ahjId, put]);
        memory.add(ahjId, put);
        writeSoon();
      },
      putPart(filled) {
        if (ending || filled.rows.length === 0) return;
        for (const answers of ahjAnswers(filled)) waiting.answers.push(answers);
        memory.adopt(filled);
        writeSoon();
      },
      drop(ahjIds) {
        if (ending) return;
        const dropped = new Set(ahjIds);
        waiting.answers = waiting.answers.filter(([ahjId]) => !dropped.has(ahjId));
        for (const ahjId of dropped) {
          memory.delete(ahjId);
          for (const unwelcome of readings) unwelcome.add(ahjId);
          waiting.dropped.add(ahjId);
        }
        writeSoon();
      },
    },
    documents: {
      async read(names) {
        const found = new Map<string, CachedDocument>();
        const onDisk: string[] = [];
        for (const name of new Set(names)) {
          const document = unwritten.get(name);
          if (document) found.set(name, document);
          else onDisk.push(name);
        }
        await disk.readDocuments(space, onDisk, (name, record) => {
          const document = documentOf(record);
          if (document) found.set(name, document);
        });
        return ending ? new Map() : found;
      },
      write(name, document) {
        if (ending) return;
        unwritten.set(name, document);
        waiting.documents.set(name, document);
        writeSoon();
      },
    },
    flushed: () => written,
    end() {
      if (ending) return ending;
      memory.clear();
      unwritten.clear();
      waiting = noChanges();
      // The write under way must end first, because it would otherwise bring records back.
      ending = written.then(() => disk.clear(space));
      written = ending.then(() => undefined);
      return ending;
    },
  };
}
