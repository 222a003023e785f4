import { twice } from "../../async/twice";
import { createListeners } from "../../async/listeners";
import { asFailure, type Failure } from "../../errors";
import type { Workbook } from "../sheet/workbook";
import type { Unfinished, UnfinishedWork } from "./unfinished-work";

/** Work that one session of the add-in began and has not ended. */
export interface KeptUnfinished<Of extends UnfinishedWork = UnfinishedWork> extends Unfinished<Of> {
  /** The id of the custom XML part that holds the note. */
  partId: string;
}

export interface UnfinishedList {
  /** The works, newest first. */
  works: KeptUnfinished[];
  /** Notes that can't be read, because they are damaged or of a later version. */
  unreadable: { partId: string }[];
}

/** The note that one piece of work keeps in the workbook. */
export interface Note {
  /**
   * Writes the note, or replaces it if it is there already. Await it before the first write: if it fails, nothing may be written. `within` is
   * the workbook for a step in the middle of other work.
   */
  begin(work: UnfinishedWork, within?: Pick<Workbook, "writePart">): Promise<void>;
  /** Deletes the note once the workbook needs no more writes, even if other steps follow. */
  end(): Promise<void>;
  /** Reports a failure that the work returns instead of throwing it. */
  failed(failure: Failure): void;
}

/** Notes in the workbook about work that is under way, so that the next start can tell what was interrupted. */
export interface UnfinishedBook {
  /** All interrupted works; those running in this session are left out. */
  list(): Promise<UnfinishedList>;
  /**
   * Does work, and deletes its note when it ends. The note stays if the work failed and some of its writes could not be taken back. A note
   * that can't be deleted is no failure: it is hidden in this session and deleted later.
   */
  during<Result>(work: (note: Note) => Promise<Result>): Promise<Result>;
  /** Deletes a note. */
  forget(partId: string): Promise<void>;
  /** Calls the listener when the list may have changed. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

/** The code loads with the screens that need it, not with the pane. */
const form = () => import("./unfinished-work");

export function createUnfinishedBook(
  workbook: Pick<Workbook, "readParts" | "writePart" | "deletePart">,
): UnfinishedBook {
  /** The ids of the notes that this session wrote, whether the work still runs or has ended. */
  const own = new Set<string>();
  /** The ids of the parts that Excel refused to delete. */
  const over = new Set<string>();
  const listeners = createListeners();

  async function end(partId: string): Promise<void> {
    await twice(() => workbook.deletePart(partId)).catch(() => over.add(partId));
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
          async begin(what, within = workbook) {
            const { unfinishedXml } = await form();
            partId = await within.writePart(partId, unfinishedXml({ id, atMs, work: what }));
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
