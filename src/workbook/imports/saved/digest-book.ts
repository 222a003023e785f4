import { twice } from "../../../async/twice";
import { asFailure } from "../../../errors";
import type { SavedPart } from "../../sheet/parts/saved-parts";
import type { Workbook } from "../../sheet/workbook";
import {
  createDigests,
  type CellDigests,
  digestsNamespace,
  digestsXml,
  type KeptDigests,
  parseDigestsXml,
} from "./cell-digests";
import type { SavedImport } from "./saved-import";

/** The workbook's digests of the cells that the add-in has written; see `CellDigests`. */
export interface DigestBook {
  /**
   * The digests of the import's latest run; empty if the workbook has none, or if a version of the add-in without digests has refreshed
   * since.
   */
  read(saved: Pick<SavedImport, "id" | "lastRun">): Promise<CellDigests>;
  /**
   * Writes digests in place of the earlier ones, with a new `stateId`. If Excel refuses them, none are kept. Fails if the earlier ones
   * can't be deleted either.
   */
  write(importId: string, kept: KeptDigests): Promise<void>;
  /**
   * Does work that writes cells. Until it ends, the workbook holds the digests before and after it, so that neither text is taken for a
   * user's if the work is interrupted. `written` has the digests of the cells that are written, `kept` those of the whole import.
   */
  during<Result>(
    importId: string,
    { kept, written }: { kept: KeptDigests; written: CellDigests },
    work: () => Promise<Result>,
  ): Promise<Result>;
  forget(importId: string): Promise<void>;
}

export function createDigestBook(
  workbook: Pick<Workbook, "readParts" | "writePart" | "deletePart">,
): DigestBook {
  async function partsOf(importId: string) {
    const namespace = digestsNamespace(importId);
    return namespace === null ? [] : workbook.readParts(namespace);
  }
  async function deleteAll(parts: readonly { id: string }[]) {
    for (const { id } of parts) await workbook.deletePart(id);
  }
  async function write(importId: string, kept: KeptDigests) {
    const namespace = digestsNamespace(importId);
    if (namespace === null) return;
    const parts = await partsOf(importId);
    const [first, ...others] = parts;
    kept.digests.stateId = crypto.randomUUID();
    try {
      const xml = digestsXml(namespace, kept);
      await twice(() => workbook.writePart(first?.id ?? null, xml));
      await deleteAll(others);
    } catch {
      kept.digests.stateId = "";
      // Outdated digests would be worse than none.
      await deleteAll(parts);
    }
  }
  /** Puts the earlier digests back, because the cells are as they were. */
  async function restore(importId: string, former: readonly SavedPart[]) {
    const [part, ...others] = former;
    if (part && others.length === 0) await workbook.writePart(part.id, part.xml);
    else await deleteAll(await partsOf(importId));
  }
  return {
    async read({ id, lastRun }) {
      const [part, ...others] = await partsOf(id);
      // If two colleagues have written digests at the same time, it is not known which are right.
      const kept = part && others.length === 0 ? parseDigestsXml(part.xml) : null;
      return kept?.runsMs.includes(lastRun.atMs) ? kept.digests : createDigests();
    },
    write,
    async during(importId, { kept, written }, work) {
      const former = await partsOf(importId);
      const writeThem = () => {
        if (written !== kept.digests) kept.digests.setAll(written);
        return write(importId, kept);
      };
      if (!written.isSettled()) await writeThem();
      const result = await work().catch(async (thrown: unknown) => {
        // Both digests are needed as long as some cells may show what was to be written.
        if (!asFailure(thrown).isPartlyWritten) await restore(importId, former).catch(() => undefined);
        throw thrown;
      });
      written.settle();
      // The cells are written. If Excel refuses this, the digests before and after are still true.
      await writeThem().catch(() => undefined);
      return result;
    },
    async forget(importId) {
      await deleteAll(await partsOf(importId));
    },
  };
}
