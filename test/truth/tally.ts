import type { Figures } from "./case";

const realNow = performance.now.bind(performance);

/** Adds up the figures of the played cases. */
export function createTally() {
  const total: Figures = { cells: 0, calls: 0, requests: 0, old: 0, events: {}, outcomes: {} };
  const startedMs = realNow();
  const cpuBefore = process.cpuUsage();
  let played = 0;
  const addTo = (sums: Record<string, number>, more: Record<string, number>) => {
    for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
  };
  return {
    add({ cells, calls, requests, old, events, outcomes }: Figures) {
      played += 1;
      total.cells += cells;
      total.calls += calls;
      total.requests += requests;
      total.old += old;
      addTo(total.events, events);
      addTo(total.outcomes, outcomes);
    },
    /** A line about the progress, every 500 cases; otherwise null. */
    progress(wanted: number): string | null {
      if (played % 500 > 0) return null;
      const seconds = (realNow() - startedMs) / 1_000;
      return `${played} of ${wanted} cases in ${seconds.toFixed(0)} s, ${total.cells} cells`;
    },
    report({
      seed,
      failed,
      counterexamplePath,
    }: {
      seed: number;
      failed: boolean;
      counterexamplePath: string | null;
    }): string {
      const seconds = (realNow() - startedMs) / 1_000;
      const { user, system } = process.cpuUsage(cpuBefore);
      const list = (sums: Record<string, number>) =>
        Object.entries(sums)
          .sort(([, one], [, other]) => other - one)
          .map(([name, count]) => `${name} ${count}`)
          .join(", ");
      return [
        `${played} cases in ${seconds.toFixed(1)} s, ${(played / seconds).toFixed(1)} a second, ${((user + system) / 1e6).toFixed(1)} s of CPU; seed ${seed}`,
        `${total.cells} cells of ${total.calls} formula calls and of imports held against the service, ${total.old} of them old answers; ${total.requests} requests`,
        `events: ${list(total.events)}`,
        `ends: ${list(total.outcomes)}`,
        ...(failed ? [`failed: npm run truth -- --seed ${seed} --path ${counterexamplePath}`] : []),
      ].join("\n");
    },
  };
}
