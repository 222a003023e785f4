/** The result of one bench. The benches' JSON lines have exactly these fields; a field that does not apply is null. */
export interface BenchResult {
  name: string;
  /** The number of formulas, cells, answers or requests, depending on the bench. */
  size: number;
  /** Requests that the engine sent for this work. */
  requests: number | null;
  /** The time from the question to the last answer. */
  ms: number | null;
  /** `ms` as a multiple of the time that `JSON.parse` takes for 8 MB in the same process. */
  timesParse: number | null;
  /** Heap that the answers take, in MB. */
  memoryMb: number | null;
  /** The time that the same requests take bare; for the rate limit, the least time that it allows. */
  floorMs: number | null;
  /** `ms` divided by `floorMs`; for growth, the worst ratio of a larger size's time per formula to a smaller's. */
  ratio: number | null;
  goal: string;
  met: boolean;
  peers: PeerResult[] | null;
}

export interface PeerResult {
  name: string;
  requests: number;
  ms: number;
  /** Set if only a part of the work was done and the figures are multiplied up. */
  scaled?: true;
}

/** A result with texts for people. */
export interface Finding {
  result: BenchResult;
  /** Why goals were missed; empty when all are met. */
  misses: string[];
  /** Figures that have no field of their own. */
  notes: string[];
}

/** One condition of a bench's goal. */
export interface Goal {
  text: string;
  met: boolean;
  /** The reason for a miss, computed from the numbers; read only if the goal is missed. */
  miss: string;
}

type Figures = Pick<BenchResult, "size"> & Partial<Omit<BenchResult, "name" | "goal" | "met" | "timesParse">>;

export function finding(
  name: string,
  figures: Figures,
  goals: readonly Goal[],
  notes: string[] = [],
): Finding {
  const missed = goals.filter((goal) => !goal.met);
  const { size, requests = null, ms = null, memoryMb = null, floorMs = null, ratio = null } = figures;
  return {
    result: {
      name,
      size,
      requests,
      ms: rounded(ms, 1),
      timesParse: null,
      memoryMb: rounded(memoryMb, 1),
      floorMs: rounded(floorMs, 1),
      ratio: rounded(ratio, 2),
      goal: goals.map((goal) => goal.text).join("; "),
      met: missed.length === 0,
      peers: figures.peers?.map((peer) => ({ ...peer, ms: Math.round(peer.ms) })) ?? null,
    },
    misses: missed.map((goal) => goal.miss),
    notes,
  };
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
