import { addTo, partsOf } from "../../lists";
import type { Workbook } from "../sheet/workbook";

type ReadsValues = Pick<Workbook, "valuesAt">;

const addressesAtOnce = 500;

/**
 * `valuesAt` for many readers at once: what they ask for in the same moment is read together, and each address only once. It gives what was
 * read first for as long as it is used.
 */
export function gatheredValues(workbook: ReadsValues): ReadsValues {
  const known = new Map<string, Promise<unknown[][] | null>>();
  let gathering: { asked: Map<string, string[]>; read: ReturnType<typeof readAll> } | undefined;

  async function readAll(asked: ReadonlyMap<string, readonly string[]>) {
    // Readers that ask in the same moment still join.
    await Promise.resolve();
    gathering = undefined;
    const found = new Map<string, unknown[][] | null>();
    for (const [sheetId, addresses] of asked)
      for (const part of partsOf(addresses, addressesAtOnce)) {
        const values = await workbook.valuesAt(sheetId, part);
        part.forEach((address, index) => found.set(keyOf(sheetId, address), values[index] ?? null));
      }
    return found;
  }

  async function join(sheetId: string, address: string) {
    if (!gathering) {
      const asked = new Map<string, string[]>();
      gathering = { asked, read: readAll(asked) };
    }
    addTo(gathering.asked, sheetId, address);
    return (await gathering.read).get(keyOf(sheetId, address)) ?? null;
  }

  return {
    valuesAt: (sheetId, addresses) =>
      Promise.all(
        addresses.map((address) => {
          const key = keyOf(sheetId, address);
          const values = known.get(key) ?? join(sheetId, address);
          known.set(key, values);
          return values;
        }),
      ),
  };
}

const keyOf = (sheetId: string, address: string) => `${sheetId} ${address}`;
