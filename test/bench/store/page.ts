/** The page in which the store of answers is filled, written and read back, with the browser's own disk. */
import { fetchMatrix, fillMatrix, openAnswerStore } from "../play/engine";
import type { Credentials } from "../../../src/engine/transport/exchange";

export interface StorePage {
  /** Fetches and reads matrices of these AHJs and holds them in the page; returns the number of answers. */
  fetch(credentials: Credentials, ahjIds: number[], typeIds: number[]): Promise<number>;
  /** Makes answers with texts that never repeat; returns the bytes that their texts take as UTF-8. */
  make(ahjs: number, typeIds: number[]): Promise<number>;
  /** Hands the page's answers over to the store and lets go of them; returns how long it took until all were on disk. */
  keep(credentials: Credentials): Promise<number>;
  /** Reads AHJs back into memory; returns how long that took. */
  recall(credentials: Credentials, ahjIds: readonly number[]): Promise<number>;
  /** How many answers are in memory. */
  count(ahjIds: readonly number[], typeIds: readonly number[]): number;
  /** Blocks the page for this time. */
  holdUp(ms: number): void;
}

declare global {
  var storePage: StorePage;
}

const filled: Awaited<ReturnType<typeof fetchMatrix>>[] = [];
/** Refers to the store, so that it is not collected before its memory is measured. */
let kept: ReturnType<typeof openAnswerStore> | undefined;

globalThis.storePage = {
  async fetch(credentials, ahjIds, typeIds) {
    filled.push(await fetchMatrix(credentials, { ahjIds, typeIds }));
    return ahjIds.length * typeIds.length;
  },
  async make(ahjs, typeIds) {
    let bytes = 0;
    const encoder = new TextEncoder();
    const text = (what: string, ahjId: number, typeId: number) => {
      const made = `${what} § ${(ahjId * 1_000_003 + typeId * 7_919).toString(36)} of ${ahjId}.${typeId}`;
      bytes += encoder.encode(made).length;
      return made;
    };
    const ahjIds = Array.from({ length: ahjs }, (_, index) => index + 1);
    filled.push(
      await fillMatrix({ ahjIds, typeIds }, (ahjId, typeId) => ({
        fetchedAtMs: Date.now(),
        value: text("Permit fee of $", ahjId, typeId),
        reference: text("Municipal code", ahjId, typeId),
        section: text("Section", ahjId, typeId),
        updatedAt: null,
      })),
    );
    return bytes;
  },
  async keep(credentials) {
    const startMs = performance.now();
    kept = openAnswerStore(credentials);
    for (const matrix of filled.splice(0)) {
      for (const part of matrix) kept.answers.putPart(part);
      await new Promise((resolve) => setTimeout(resolve));
    }
    await kept.flushed();
    return performance.now() - startMs;
  },
  async recall(credentials, ahjIds) {
    const startMs = performance.now();
    kept = openAnswerStore(credentials);
    await kept.answers.load(ahjIds);
    return performance.now() - startMs;
  },
  count: (ahjIds, typeIds) =>
    ahjIds.reduce(
      (sum, ahjId) => sum + typeIds.filter((typeId) => kept?.answers.see(ahjId, typeId)).length,
      0,
    ),
  holdUp(ms) {
    const startMs = performance.now();
    while (performance.now() - startMs < ms);
  },
};
