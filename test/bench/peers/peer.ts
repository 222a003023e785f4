import type { Answer, Ask } from "../play/ask";
import type { ServiceCalls } from "./service-calls";

/** What a user would have otherwise. */
export interface Peer {
  name: string;
  /** With more formulas than this a part of them is asked, and the figures are multiplied up. */
  mostAsks?: number;
  /** One answer for each ask, in their order. */
  answer(work: PeerWork, calls: ServiceCalls): Promise<Answer[]>;
}

export interface PeerWork {
  asks: readonly Ask[];
  /** AHJ ids by geoID, where the user has them already. */
  known?: ReadonlyMap<string, number> | undefined;
  /** The state that all jurisdictions lie in, where the user knows of one. */
  state?: string | undefined;
}

/** Calls `resolve` at most once for each geoID, and not for those whose AHJ is known. */
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

/** Answers by AHJ and type. */
export function cellKey(ahjId: number, typeId: number): string {
  return `${ahjId} ${typeId}`;
}

/** Addresses below this many characters pass every proxy. */
export const addressLength = 2_000;

export function unique<Item>(items: Iterable<Item>): Item[] {
  return [...new Set(items)];
}
