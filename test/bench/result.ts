/** What one bench found. The benches' JSON lines have exactly these fields; those that do not apply are null. */
export interface BenchResult {
  name: string;
  /** Formulas, cells, answers or requests, whichever the bench is about. */
  size: number;
  /** Sent by the engine for this piece of work. */
  requests: number | null;
  /** From the question to the last answer. */
  ms: number | null;
  /** `ms` to what `JSON.parse` takes for 8 MB in the same process. */
  timesParse: number | null;
  /** Heap that the answers take. */
  memoryMb: number | null;
  /** What the same requests take bare; for the rate limit the least time that it allows. */
  floorMs: number | null;
  /** `ms` to `floorMs`; for growth the worst of a larger size's time a formula to a smaller's. */
  ratio: number | null;
  goal: string;
  met: boolean;
  peers: PeerResult[] | null;
}

export interface PeerResult {
  name: string;
  requests: number;
  ms: number;
  /** A part of the work was done, and the figures are multiplied up. */
  scaled?: true;
}

/** A result with what only people read. */
export interface Finding {
  result: BenchResult;
  /** Why goals were missed; empty when all are met. */
  misses: string[];
  /** Figures that no field holds. */
  notes: string[];
}

/** One condition of a bench's goal. */
export interface Goal {
  text: string;
  met: boolean;
  /** The reason, from the numbers; read only when the goal is not met. */
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
