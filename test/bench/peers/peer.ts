import type { Answer, Ask } from "../play/ask";
import type { ServiceCalls } from "./service-calls";

/** A way to the data that a user would have without the add-in. */
export interface Peer {
  name: string;
  /** Asked more formulas than this, the peer answers only a part of them, and its figures are multiplied up. */
  mostAsks?: number;
  /** One answer for each ask, in their order. */
  answer(work: PeerWork, calls: ServiceCalls): Promise<Answer[]>;
}

export interface PeerWork {
  asks: readonly Ask[];
  /** AHJ ids by geoID, if the user has them already. */
  known?: ReadonlyMap<string, number> | undefined;
  /** The state that all jurisdictions lie in, if the user knows it. */
  state?: string | undefined;
}

/** Calls `resolve` at most once for each geoID, and never for one whose AHJ is known. */
export function resolveOnce(
  known: PeerWork["known"],
  resolve: (geoid: string) => Promise<number>,
): (geoid: string) => Promise<number> {
  const resolving = new Map<string, Promise<number>>();
  for (const [geoid, id] of known ?? []) resolving.set(geoid, Promise.resolve(id));
  return (geoid) => {
    let id = resolving.get(geoid);
    if (!id) resolving.set(geoid, (id = resolve(geoid)));
    return id;
  };
}

/** The key of an answer in a map, by AHJ and type. */
export function cellKey(ahjId: number, typeId: number): string {
  return `${ahjId} ${typeId}`;
}

/** Addresses shorter than this many characters pass every proxy. */
export const addressLength = 2_000;

export function unique<Item>(items: Iterable<Item>): Item[] {
  return [...new Set(items)];
}
