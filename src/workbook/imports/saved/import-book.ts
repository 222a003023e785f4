import { twice } from "../../../async/twice";
import { asFailure, type Failure } from "../../../errors";
import type { FoundTable, TablePlace } from "../../sheet/tables/bound-table";
import type { Workbook } from "../../sheet/workbook";
import { groupBy } from "../../../lists";
import {
  type CellDigests,
  openDigests,
  readEarlierDigests,
  storeDigests,
  type StoredDigests,
} from "./cell-digests";
import { mostRefreshes, type PastRefresh, readEarlierHistory, withRefresh } from "./refresh-history";
import { importNamespace, importXml, parseImportXml, refusalOf, type SavedImport } from "./saved-import";

/** An import that the workbook remembers. */
export interface KeptImport {
  saved: SavedImport;
  /** The id of the custom XML part that holds the import. */
  partId: string;
  /** The place of its table; null if the table is gone. */
  place: TablePlace | null;
}

export interface ImportList {
  /** The imports, newest run first. */
  imports: KeptImport[];
  /** Parts that are not read as imports. They are left as they are. */
  refused: RefusedPart[];
}

/** A part that claims to be an import but is refused, with the reason as a sentence. */
export interface RefusedPart {
  partId: string;
  reason: string;
}

/** The changes that work on an import's cells makes to what the workbook remembers of it. */
export interface ToRemember {
  change?: Partial<SavedImport> | undefined;
  /** Added to the import's history. */
  refresh?: PastRefresh | undefined;
}

/** The imports of this workbook, which are stored in it. */
export interface ImportBook {
  /**
   * All imports, without their digests, which are large and which only `digests` reads. If two colleagues have written the same import at
   * once, the later one counts.
   */
  list(): Promise<ImportList>;
  /** An import as the workbook holds it now; undefined if it is gone. Reads no other import's part if this one's is known from before. */
  read(importId: string): Promise<SavedImport | undefined>;
  /** Adds an import. */
  write(saved: SavedImport): Promise<void>;
  /**
   * Applies a change to an import as the workbook holds it now, so that a colleague's other choices stay. An import that a colleague has
   * forgotten stays forgotten. Another service is noted only with the latest run, and only if that run has refreshed every row. Returns
   * false if the import is not there.
   */
  update(importId: string, change: Partial<SavedImport>): Promise<boolean>;
  /** The digests of an import's cells; none if the workbook holds none, or if two colleagues have written the import at once. */
  digests(importId: string): Promise<CellDigests>;
  /**
   * Does work that writes cells of an import, and then has the workbook remember in one write what the work returns, with the digests of the
   * cells. Until then, the workbook holds the digests before and after the work, so that neither text is taken for a user's if the work is
   * interrupted. If a colleague has written cells of the import meanwhile, no digests are known. Fails if the work does. `notRemembered` is
   * the reason if Excel refuses the last write; the cells are written all the same.
   */
  during<Result>(
    importId: string,
    digests: DigestsOfWork,
    work: () => Promise<Result & ToRemember>,
  ): Promise<Result & { notRemembered: Failure | null }>;
  /** The earlier refreshes of an import, the newest first. */
  history(importId: string): Promise<PastRefresh[]>;
  clearHistory(importId: string): Promise<void>;
  /** Deletes an import with its digests and its history. Its table stays. */
  forget(importId: string): Promise<void>;
  /** Deletes a part that was refused. */
  forgetRefused(partId: string): Promise<void>;
}

interface DigestsOfWork {
  /** The digests of all cells of the import, with the `stateId` of those that were read. They get a new one with each writing. */
  kept: CellDigests;
  /** The digests of the cells that are written, which may be `kept` itself. */
  written: CellDigests;
}

export function createImportBook(
  workbook: Pick<Workbook, "readParts" | "readPart" | "writePart" | "deletePart" | "findTables">,
): ImportBook {
  /** The part of each import that had a single one when all were read last. Excel keeps a part's id as long as the workbook is open. */
  const partIds = new Map<string, string>();
  /** Reads all imports, newest run first. `mayBe` is a quick test that skips parts which need not be parsed. */
  async function readAll(mayBe = (_xml: string) => true) {
    const readable: { partId: string; saved: SavedImport }[] = [];
    const refused: RefusedPart[] = [];
    for (const { id: partId, xml } of await workbook.readParts(importNamespace)) {
      if (!mayBe(xml)) continue;
      const saved = parseImportXml(xml);
      if (saved) readable.push({ partId, saved });
      else refused.push({ partId, reason: refusalOf(xml) });
    }
    readable.sort((one, other) => other.saved.lastRun.atMs - one.saved.lastRun.atMs);
    // Colleagues may write one import twice, with the same table. If two parts name different tables, it is not known which one is right.
    const tables = new Map<string, Set<string>>();
    for (const { saved } of readable)
      tables.set(saved.id, (tables.get(saved.id) ?? new Set()).add(saved.tableId));
    const isSure = ({ saved }: { saved: SavedImport }) => tables.get(saved.id)?.size === 1;
    for (const [importId, [entry, ...others]] of groupBy(readable, ({ saved }) => saved.id))
      if (entry && others.length === 0) partIds.set(importId, entry.partId);
      else partIds.delete(importId);
    return {
      readable: readable.filter(isSure),
      unsure: readable.filter((entry) => !isSure(entry)),
      refused,
    };
  }
  const partsOf = async (importId: string) => {
    const partId = partIds.get(importId);
    const xml = partId === undefined ? null : await workbook.readPart(partId);
    const saved = xml === null ? null : parseImportXml(xml);
    if (partId !== undefined && saved?.id === importId) return [{ partId, saved }];
    // Ids that the add-in makes stand in the XML text unescaped, so other parts can be skipped without parsing them.
    const isPlain = /^[\w-]+$/.test(importId);
    const { readable } = await readAll((xml) => !isPlain || xml.includes(importId));
    return readable.filter(({ saved }) => saved.id === importId);
  };

  /**
   * An import with its digests and its history: joined if colleagues have written several parts, and with the parts in which earlier builds
   * kept these. `replaced` has the ids of all these parts except the newest one of the import.
   */
  async function whole(entries: readonly { partId: string; saved: SavedImport }[]) {
    const [newest, ...others] = entries;
    if (!newest) return undefined;
    const { partId, saved } = newest;
    const [history, digests] = [
      entries.some((each) => each.saved.refreshes === undefined)
        ? await readEarlierHistory(workbook, saved.id)
        : { partIds: [], refreshes: [] },
      saved.digests === undefined
        ? await readEarlierDigests(workbook, saved)
        : { partIds: [], digests: saved.digests },
    ];
    const all = [...entries.flatMap((each) => each.saved.refreshes ?? []), ...history.refreshes];
    // Colleagues' parts of one import have the same beginning.
    const byTime = new Map(all.map((refresh) => [refresh.atMs, refresh]));
    const refreshes = [...byTime.values()].sort((one, other) => other.atMs - one.atMs);
    return {
      partId,
      saved: {
        ...saved,
        refreshes: refreshes.slice(0, mostRefreshes),
        // Two colleagues have written the cells, and it is not known whose texts are in the sheet.
        digests: others.length > 0 ? null : digests.digests,
      },
      replaced: [...others.map((other) => other.partId), ...history.partIds, ...digests.partIds],
    };
  }
  const read = async (importId: string) => whole(await partsOf(importId));

  /**
   * Writes a part. If Excel refuses it, nothing is noted of the cells except the state of their digests, since everything else works without
   * digests.
   */
  async function writePart(partId: string | null, saved: SavedImport) {
    const { digests = null } = saved;
    const write = (noted: StoredDigests | null) =>
      workbook.writePart(partId, importXml({ ...saved, digests: noted }));
    await twice(() => write(digests)).catch((thrown: unknown) => {
      if (!digests) throw thrown;
      return write({ stateId: digests.stateId, ahjIds: [], columns: [] });
    });
  }

  /** `follows` is the `stateId` of the digests that the changed ones follow: if others are there, those of the change are not right. */
  async function update(
    importId: string,
    { change = {}, refresh }: ToRemember,
    { follows }: { follows?: string } = {},
  ) {
    const now = await read(importId);
    if (!now) return false;
    const { saved, partId, replaced } = now;
    const { lastRun: last } = saved;
    // A last run in the future, from a wrong clock or a damaged part, must not keep every later run from being noted.
    const isEarlier = change.lastRun && change.lastRun.atMs < last.atMs && last.atMs <= Date.now();
    const lastRun = isEarlier ? saved.lastRun : (change.lastRun ?? saved.lastRun);
    // Rows that were not refreshed still come from the service before.
    const isOfOneService = !isEarlier && lastRun.notRefreshed === 0;
    const service = isOfOneService ? (change.service ?? saved.service) : saved.service;
    const next = { ...saved, ...change, lastRun, service };
    if (refresh) next.refreshes = withRefresh(saved.refreshes, refresh);
    // They may be there already, if Excel has carried out a write that it said it refused.
    if (follows !== undefined && ![follows, stateOf(next)].includes(stateOf(saved))) next.digests = null;
    await writePart(partId, next);
    for (const other of replaced) await workbook.deletePart(other);
    return true;
  }

  /** Writes digests that follow those with their `stateId`, and gives them a new one. */
  async function updateDigests(importId: string, digests: CellDigests, remembered: ToRemember) {
    const follows = digests.stateId;
    digests.stateId = crypto.randomUUID();
    const change = { ...remembered.change, digests: storeDigests(digests) };
    await twice(() => update(importId, { ...remembered, change }, { follows }));
  }

  async function during<Result>(
    importId: string,
    { kept, written }: DigestsOfWork,
    work: () => Promise<Result & ToRemember>,
  ) {
    let restore = () => Promise.resolve(false);
    if (!written.isSettled()) {
      const digests: StoredDigests | null = (await read(importId))?.saved.digests ?? null;
      if (written !== kept) kept.setAll(written);
      await updateDigests(importId, kept, {});
      const follows = kept.stateId;
      restore = () => update(importId, { change: { digests } }, { follows });
    }
    const result = await work().catch(async (thrown: unknown) => {
      // Both digests are needed as long as some cells may show what was to be written.
      if (!asFailure(thrown).isPartlyWritten) await restore().catch(() => undefined);
      throw thrown;
    });
    written.settle();
    if (written !== kept) kept.setAll(written);
    // The cells are written. If Excel refuses this, the digests before and after are still true.
    const notRemembered = await updateDigests(importId, kept, result).then(() => null, asFailure);
    return { ...result, notRemembered };
  }

  return {
    async list() {
      const { readable, unsure, refused } = await readAll();
      const newest = [...new Map([...readable].reverse().map((entry) => [entry.saved.id, entry])).values()];
      const places = await workbook.findTables([...newest, ...unsure].map(({ saved }) => saved.tableId));
      const imports = newest
        .map(({ partId, saved: { digests: _digests, ...saved } }, index) => {
          return { partId, saved, place: places[index] ?? null };
        })
        .reverse();
      const ofOtherTables = unsure.map(({ partId, saved }, index) => {
        const place = places[newest.length + index];
        const where = place ? `at ${place.address}` : "not in this workbook";
        const reason = `“${saved.name.slice(0, 100)}” has the id of another one, which is of another table. Its own table is ${where}.`;
        return { partId, reason };
      });
      return { imports, refused: [...refused, ...ofOtherTables] };
    },
    async read(importId) {
      return (await partsOf(importId))[0]?.saved;
    },
    write: (saved) => writePart(null, { ...saved, refreshes: saved.refreshes ?? [] }),
    update: (importId, change) => update(importId, { change }),
    async digests(importId) {
      return openDigests((await read(importId))?.saved.digests ?? null);
    },
    during,
    async history(importId) {
      return (await read(importId))?.saved.refreshes ?? [];
    },
    async clearHistory(importId) {
      await update(importId, { change: { refreshes: [] } });
    },
    async forget(importId) {
      const entries = await partsOf(importId);
      const { lastRun = { atMs: 0 } } = entries[0]?.saved ?? {};
      const history = await readEarlierHistory(workbook, importId);
      const digests = await readEarlierDigests(workbook, { id: importId, lastRun });
      const ids = [...entries.map(({ partId }) => partId), ...history.partIds, ...digests.partIds];
      for (const partId of ids) await workbook.deletePart(partId);
    },
    forgetRefused: (partId) => workbook.deletePart(partId),
  };
}

const stateOf = ({ digests }: SavedImport) => digests?.stateId ?? "";

/**
 * Tables that look like an import's and belong to none, each with the import that it resembles: they are in copied sheets. A copy has the
 * import's headers in the same order. All long tables have the same headers, so a long one must also hold only rows of the import's types;
 * `readColumn` is called for those. An import's own table is never a copy.
 */
export async function findCopies(
  imports: readonly KeptImport[],
  tables: readonly FoundTable[],
  readColumn: (tableId: string, header: string) => Promise<readonly unknown[]>,
): Promise<ImportCopy[]> {
  const own = new Set(imports.map(({ saved }) => saved.tableId));
  // If several imports fit, the one with the most columns is chosen.
  const largest = [...imports].sort((one, other) => other.saved.columns.length - one.saved.columns.length);
  const copies: ImportCopy[] = [];
  for (const table of tables) {
    if (own.has(table.tableId)) continue;
    for (const of of largest.filter(({ saved }) => holdsInOrder(table.headers, saved.columns))) {
      const { form, types, columns } = of.saved;
      const id = columns.find(({ content }) => content.of === "type" && content.field === "id");
      const isLong = form.layout === "long";
      if (isLong && !(id && holdsOnly(types, await readColumn(table.tableId, id.header)))) continue;
      copies.push({ of, table });
      break;
    }
  }
  return copies;
}

/** A table that looks like an import's, and that import. */
export interface ImportCopy {
  of: KeptImport;
  table: FoundTable;
}

/** True if all ids are of these types. Cells without an id stand in the user's own rows. */
function holdsOnly(types: SavedImport["types"], cells: readonly unknown[]): boolean {
  const known = new Set(types.map(({ id }) => id));
  const ids = cells.map((cell) => (cell === "" ? NaN : Number(cell))).filter(Number.isSafeInteger);
  return ids.length > 0 && ids.every((id) => known.has(id));
}

function holdsInOrder(headers: readonly string[], columns: SavedImport["columns"]): boolean {
  let found = 0;
  for (const header of headers) if (header === columns[found]?.header) found += 1;
  return found === columns.length && found > 0;
}

/** The copy as an import of its own. It may be older than the digests and the history of the import that it resembles. */
export function adopted({ saved }: KeptImport, { tableId }: FoundTable): SavedImport {
  const own = { id: crypto.randomUUID(), name: `${saved.name} (copy)`, tableId };
  return { ...saved, ...own, refreshes: [], digests: null };
}
