import { createHash } from "node:crypto";
import { vi } from "vitest";
import { config } from "../../src/config";
import type { Random } from "./random";

/** Excel's error as the functions' runtime knows it. */
class ExcelError extends Error {
  constructor(
    readonly code: string,
    override readonly message: string,
  ) {
    super(message);
  }
}

export function playFormulaRuntime(): void {
  vi.stubGlobal("CustomFunctions", {
    Error: ExcelError,
    ErrorCode: { notAvailable: "#N/A", invalidValue: "#VALUE!" },
  });
}

/** Replaces the browser's random source with the seed's, and makes digests at once: threads would change the order of events. */
export function playChance(random: Random): void {
  vi.spyOn(Math, "random").mockImplementation(random.next);
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.whole(0, 15).toString(16)).join("");
  vi.stubGlobal("crypto", {
    randomUUID: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    subtle: {
      digest: (_: string, bytes: Uint8Array) =>
        Promise.resolve(Uint8Array.from(createHash("sha256").update(bytes).digest()).buffer),
    },
  });
}

const shipped = { ...config };
/** Room for some 20 answers, so that fetched answers are dropped all the time and fetched again. */
const small = { cachedBytes: 3_000, answersAPart: 16 };

/** Sets the config of a case: whether memory is small, and the most requests of a find. */
export function setBounds(isMemorySmall: boolean, findRequests: number = shipped.findRequests): void {
  Object.assign(config, shipped, isMemorySmall && small, { findRequests });
}
