import { config } from "../../config";
import { Failure } from "../../errors";
import { partsWithin } from "../../lists";
import { isAddressTooLong } from "./answer-failure";

/** Cuts a list for a GET query so that each whole address stays below config.maxAddressLength. */
export function queryChunks<Item extends number | string>(
  items: readonly Item[],
  addressLengthBesides: number,
): Item[][] {
  return partsWithin(items, (item) => encodeURIComponent(String(item)).length + 1, {
    room: config.maxAddressLength - addressLengthBesides,
  });
}

/** Sends a list in a GET query, and in halves if its address proves too long. Returns one answer for each part sent. */
export async function inShortAddresses<Item, Result>(
  items: readonly Item[],
  send: (part: readonly Item[]) => Promise<Result>,
): Promise<Result[]> {
  try {
    return [await send(items)];
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !isAddressTooLong(thrown) || items.length < 2) throw thrown;
    const half = Math.ceil(items.length / 2);
    const parts = [items.slice(0, half), items.slice(half)];
    return (await Promise.all(parts.map((part) => inShortAddresses(part, send)))).flat();
  }
}
