import type { Credentials } from "../../../src/engine/transport/exchange";
import type { Answer, Ask } from "../play/ask";
import { cellOf, shown } from "../play/cell";
import type { PeerResult } from "../result";
import { median, timed } from "../timing";
import { batchingSample } from "./batching-sample";
import { csvExport } from "./csv-export";
import { dataLoader } from "./data-loader";
import { oneRequestEach } from "./one-request-each";
import { pagesInSequence } from "./pages-in-sequence";
import type { Peer, PeerWork } from "./peer";
import { createServiceCalls } from "./service-calls";

/** The peers (a) to (e), in this order. */
const peers = [oneRequestEach, batchingSample, dataLoader, pagesInSequence, csvExport];

/**
 * Lets every peer do the same work.
 * @throws Error if a peer's answers differ from the engine's: then one of the two is not doing this work.
 */
export async function runPeers(
  work: PeerWork,
  expected: readonly Answer[],
  credentials: Credentials,
  progress: (text: string) => void,
): Promise<PeerResult[]> {
  const results: PeerResult[] = [];
  for (const peer of peers) {
    progress(`peer ${peer.name}`);
    results.push(await runPeer(peer, work, expected, credentials));
  }
  return results;
}

async function runPeer(
  peer: Peer,
  work: PeerWork,
  expected: readonly Answer[],
  credentials: Credentials,
): Promise<PeerResult> {
  const asks = work.asks.slice(0, scaledSize(work.asks.length, peer.mostAsks));
  let requests = 0;
  const run = async () => {
    const calls = createServiceCalls(credentials);
    const { ms, result } = await timed(async () => {
      const answers = await peer.answer({ ...work, asks }, calls);
      if (peer !== csvExport) await Promise.all(answers.map((answer) => shown(asFormula(answer))));
      return answers;
    });
    checkAnswers(peer, asks, result, expected);
    requests = calls.requests();
    return ms;
  };
  let ms = await run();
  // Short runs are repeated, so that the compiler's warm-up does not count.
  if (ms < warmUpBelowMs) ms = median([ms, await run(), await run()]);
  if (asks.length === work.asks.length) return { name: peer.name, requests, ms };
  const times = work.asks.length / asks.length;
  return { name: peer.name, requests: Math.round(requests * times), ms: ms * times, scaled: true };
}

/** A peer that answers formulas gives each cell a promise of its rows, or Excel's error. */
async function asFormula(answer: Answer): Promise<unknown[][]> {
  return cellOf(answer);
}

const warmUpBelowMs = 4_000;

function checkAnswers(
  peer: Peer,
  asks: readonly Ask[],
  answers: readonly Answer[],
  expected: readonly Answer[],
): void {
  asks.forEach(({ geoid, typeId }, at) => {
    if (answers[at] === expected[at]) return;
    throw new Error(
      `${peer.name} says "${answers[at]}" of ${geoid}, ${typeId}; the engine "${expected[at]}"`,
    );
  });
}

/** A tenth of the largest piece is enough to scale up from. */
function scaledSize(asks: number, mostAsks = Infinity): number {
  return asks <= mostAsks ? asks : Math.ceil(mostAsks / 10);
}
