import type { Client } from "../api/client";
import type { Ahj } from "../api/schemas";
import { config } from "../config";
import { asFailure, Failure } from "../errors";
import type { ExchangeOptions } from "../transport/transport";
import { createSharedWork, type SharedWork } from "./shared-work";

/** The AHJ that a geoID stands for, or why there is none. */
export type Resolution = Ahj | Failure;

/** The entitled AHJs. One rule for every way of resolving: the entitled AHJ with the lowest id. */
export interface Directory {
  /**
   * Resolves geoIDs with the fewest requests: one by one, or through the pages of all entitled AHJs, whichever
   * costs less. Every geoID asked for is in the answer; nothing is thrown but `cancelled`.
   */
  resolve(geoids: Iterable<string>, options?: ExchangeOptions): Promise<Map<string, Resolution>>;
  /** Every entitled AHJ. Listeners hear of progress while the pages arrive. */
  load(
    onProgress?: (progress: DirectoryProgress) => void,
    options?: ExchangeOptions,
  ): Promise<readonly Ahj[]>;
  /** What a geoID stands for, where it has been resolved already. */
  resolved(geoid: string): Resolution | undefined;
  /** Those AHJs that have arrived so far. */
  known(): readonly Ahj[];
}

export interface DirectoryProgress {
  loaded: number;
  total: number;
}

export function createDirectory(client: Client): Directory {
  const byId = new Map<number, Ahj>();
  const byGeoid = new Map<string, Resolution>();
  const listeners = new Set<(progress: DirectoryProgress) => void>();
  const pages = new Map<number, SharedWork<void>>();
  let totalPages: number | undefined;
  let total = 0;
  let complete = false;

  function learn(ahj: Ahj) {
    byId.set(ahj.id, ahj);
    if (ahj.geoid === null) return;
    const known = byGeoid.get(ahj.geoid);
    if (known === undefined || known instanceof Failure || ahj.id < known.id) byGeoid.set(ahj.geoid, ahj);
  }

  /** A page under way is joined by whoever wants it too. */
  function readPage(page: number, options?: ExchangeOptions): Promise<void> {
    let reading = pages.get(page);
    if (!reading) pages.set(page, (reading = createSharedWork((shared) => fetchPage(page, shared))));
    return reading.join(options);
  }

  async function fetchPage(page: number, options: ExchangeOptions): Promise<void> {
    const { data } = await client.listAhjs({ page, page_size: config.pageSize }, options);
    totalPages = data.pagination.total_pages;
    total = data.pagination.total;
    data.items.forEach(learn);
    for (const listener of listeners) listener({ loaded: byId.size, total });
  }

  async function readAllPages(options?: ExchangeOptions): Promise<void> {
    if (complete) return;
    await readEveryPage(options);
    if (byId.size < total && !complete) {
      // The list changed while it was read: what moved between pages is found by reading once more.
      pages.clear();
      await readEveryPage(options);
    }
    complete = true;
  }

  async function readEveryPage(options?: ExchangeOptions): Promise<void> {
    await readPage(1, options);
    const rest = Array.from({ length: Math.max(0, (totalPages ?? 1) - 1) }, (_, index) => index + 2);
    await Promise.all(rest.map((page) => readPage(page, options)));
  }

  async function askOne(geoid: string, options: ExchangeOptions | undefined): Promise<Resolution> {
    try {
      const { data } = await client.resolveGeoid({ geoid }, options);
      return data;
    } catch (thrown) {
      const failure = asFailure(thrown, "unexpected-answer");
      return failure.kind === "not-found" ? new Failure("unknown-jurisdiction") : failure;
    }
  }

  /** Asks about each geoID alone. One outside the subscription may have an entitled namesake with a higher id. */
  async function askSingly(geoids: string[], options: ExchangeOptions | undefined) {
    const resolutions = await Promise.all(geoids.map((geoid) => askOne(geoid, options)));
    const isDenied = (resolution: Resolution) =>
      resolution instanceof Failure && resolution.kind === "outside-subscription";
    if (resolutions.some(isDenied)) await readAllPages(options);
    geoids.forEach((geoid, index) => {
      const resolution = resolutions[index];
      if (resolution === undefined || byGeoid.has(geoid)) return;
      if (!(resolution instanceof Failure)) {
        // Under its own geoID too: the answer may name the AHJ's geoID in another form.
        byGeoid.set(geoid, resolution);
        byId.set(resolution.id, resolution);
      } else if (resolution.kind === "outside-subscription" || resolution.kind === "unknown-jurisdiction") {
        byGeoid.set(geoid, resolution);
      }
    });
    return new Map(geoids.map((geoid, index) => [geoid, resolutions[index]]));
  }

  return {
    async resolve(geoids, options) {
      const wanted = [...new Set(geoids)];
      const missing = () => wanted.filter((geoid) => !byGeoid.has(geoid));
      let asked = new Map<string, Resolution | undefined>();
      try {
        if (!complete && missing().length > 1) {
          await readPage(1, options);
          if (missing().length >= (totalPages ?? 1) - 1) await readAllPages(options);
        }
        const rest = missing();
        if (!complete || rest.length <= config.singleLookups) asked = await askSingly(rest, options);
      } catch (thrown) {
        const failure = asFailure(thrown, "unexpected-answer");
        if (options?.signal?.aborted) throw failure;
        asked = new Map(missing().map((geoid) => [geoid, failure]));
      }
      return new Map(
        wanted.map((geoid) => [
          geoid,
          byGeoid.get(geoid) ?? asked.get(geoid) ?? new Failure("unresolved-jurisdiction"),
        ]),
      );
    },
    async load(onProgress, options) {
      if (onProgress) listeners.add(onProgress);
      try {
        await readAllPages(options);
        return [...byId.values()];
      } finally {
        if (onProgress) listeners.delete(onProgress);
      }
    },
    resolved: (geoid) => byGeoid.get(geoid),
    known: () => [...byId.values()],
  };
}
