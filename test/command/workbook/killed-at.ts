import * as promises from "node:fs/promises";
import type { FileSteps } from "../../../command/workbook/safe-write";

/**
 * Steps of which the one of this number is done by half, if at all, and none after it: nothing cleans up behind a killed process.
 * `kill` ends the process, or throws. `written` gives all bytes that the workbook's new file was to have; null before any.
 */
export function killedAt(
  last: number,
  kill: () => never = killed,
): { steps: FileSteps; written(): Uint8Array | null } {
  let step = 0;
  let written: Uint8Array | null = null;
  /** `half` is what is still done of the last step. */
  const mayGoOn = async (half?: () => Promise<void>) => {
    if (step < last) {
      step += 1;
      return;
    }
    if (step === last) await half?.();
    step += 1;
    kill();
  };
  const steps: FileSteps = {
    async open(...args) {
      await mayGoOn();
      const file = await promises.open(...args);
      const writeWhole = file.writeFile.bind(file);
      file.writeFile = async (data) => {
        written = data as Buffer;
        await mayGoOn(() => writeWhole(halfOf(data as Buffer)));
        await writeWhole(data);
      };
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await mayGoOn();
        await sync();
      };
      return file;
    },
    async link(...args) {
      await mayGoOn();
      await promises.link(...args);
      await mayGoOn();
    },
    async rename(...args) {
      await mayGoOn();
      await promises.rename(...args);
      // Killed before what comes next.
      await mayGoOn();
    },
    async rm(...args) {
      await mayGoOn();
      await promises.rm(...args);
    },
  };
  return { steps, written: () => written };
}

function killed(): never {
  throw new Error("killed");
}

const halfOf = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2);
