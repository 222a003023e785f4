import { createListeners } from "../../async/listeners";
import { asFailure, type Failure } from "../../errors";
import type { Workbook } from "../sheet/workbook";
import type { Unfinished, Work } from "./unfinished-work";

/** Work that a runtime of the add-in began and has not ended. */
export interface KeptUnfinished<Of extends Work = Work> extends Unfinished<Of> {
  /** Of the custom XML part that notes it. */
  partId: string;
}

export interface UnfinishedList {
  /** The newest first. */
  works: KeptUnfinished[];
  /** Notes that can't be read: damaged ones, or those of a later version. */
  unreadable: { partId: string }[];
}

/** The note of one piece of work. */
export interface Note {
  /**
   * Awaited before the first write; should it fail, nothing may be written. Called again, it replaces what was noted.
   */
  begin(work: Work): Promise<void>;
  /** The work is done as far as the workbook goes: what follows need not be noted. */
  end(): Promise<void>;
  /** Tells of a failure that is not thrown. */
  failed(failure: Failure): void;
}

/** Notes in the workbook of work that is under way, so that the next start can tell of what was interrupted. */
export interface UnfinishedBook {
  /** Without the work that is running in this runtime. */
  list(): Promise<UnfinishedList>;
  /**
   * Does work that is noted until it has ended. Where it failed and something could not be taken back, the note stays. One that
   * can't be deleted is no failure: it is deleted later, and not listed in this runtime.
   */
  during<Result>(work: (note: Note) => Promise<Result>): Promise<Result>;
  /** Deletes a note. */
  forget(partId: string): Promise<void>;
  /** Calls back when the list may have changed; returns how to stop. */
  onChange(listener: () => void): () => void;
}

/** It comes with the screens that do something, not with the pane. */
const form = () => import("./unfinished-work");

export function createUnfinishedBook(
  workbook: Pick<Workbook, "readParts" | "writePart" | "deletePart">,
): UnfinishedBook {
  /** The ids of notes of this runtime's own work, running or over. */
  const own = new Set<string>();
  /** Parts whose deletion Excel has refused. */
  const over = new Set<string>();
  const listeners = createListeners();

  async function end(partId: string): Promise<void> {
    const take = () => workbook.deletePart(partId);
    // Excel often takes what it has refused once, such as for too many requests.
    await take()
      .catch(take)
      .catch(() => over.add(partId));
  }

  return {
    async list() {
      for (const partId of [...over]) {
        over.delete(partId);
        await end(partId);
      }
      const { parseUnfinishedXml, unfinishedNamespace } = await form();
      const list: UnfinishedList = { works: [], unreadable: [] };
      for (const { id: partId, xml } of await workbook.readParts(unfinishedNamespace)) {
        const unfinished = parseUnfinishedXml(xml);
        if (!unfinished) list.unreadable.push({ partId });
        else if (!own.has(unfinished.id)) list.works.push({ ...unfinished, partId });
      }
      list.works.sort((one, other) => other.atMs - one.atMs);
      return list;
    },
    async during(work) {
      const id = crypto.randomUUID();
      const atMs = Date.now();
      let partId: string | null = null;
      let leaves = false;
      own.add(id);
      async function endNote() {
        const noted = partId;
        partId = null;
        if (noted !== null) await end(noted);
      }
      const failed = (failure: Failure) => void (leaves ||= failure.isPartlyWritten);
      try {
        return await work({
          async begin(what) {
            const { unfinishedXml } = await form();
            partId = await workbook.writePart(partId, unfinishedXml({ id, atMs, work: what }));
          },
          end: endNote,
          failed,
        });
      } catch (thrown) {
        failed(asFailure(thrown));
        throw thrown;
      } finally {
        if (!leaves) await endNote();
        else if (partId !== null) {
          own.delete(id);
          listeners.tell();
        }
      }
    },
    async forget(partId) {
      await workbook.deletePart(partId);
      listeners.tell();
    },
    onChange: listeners.add,
  };
}
