import type { CDPSession } from "@playwright/test";

/** How long each group of scripts kept the page's thread busy, in milliseconds. */
export interface BusyMs {
  addIn: number;
  officeJs: number;
  /** The spreadsheet that simulates Excel, and all other work of the browser. */
  rest: number;
}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Runs `work` and measures which scripts kept the page busy meanwhile. */
export async function profiled(session: CDPSession, work: () => Promise<unknown>): Promise<BusyMs> {
  await session.send("Profiler.enable");
  await session.send("Profiler.setSamplingInterval", { interval: 1_000 });
  await session.send("Profiler.start");
  await work();
  const { profile } = (await session.send("Profiler.stop")) as { profile: CpuProfile };
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const busy: BusyMs = { addIn: 0, officeJs: 0, rest: 0 };
  profile.samples.forEach((id, index) => {
    const { functionName, url } = frames.get(id) ?? { functionName: "(idle)", url: "" };
    if (functionName === "(idle)") return;
    const ms = (profile.timeDeltas[index] ?? 0) / 1_000;
    if (url.includes("/addin/")) busy.addIn += ms;
    else if (url.includes("/office-js/")) busy.officeJs += ms;
    else busy.rest += ms;
  });
  return busy;
}
