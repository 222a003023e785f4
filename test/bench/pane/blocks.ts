/** What kept the page from answering: a script's turn in a long animation frame. */
export interface Block {
  ms: number;
  /** The script's address, and what called it. */
  source: string;
  invoker: string;
}

declare global {
  interface Window {
    blocks: Block[];
  }
}

interface LongAnimationFrame extends PerformanceEntry {
  scripts: { sourceURL: string; sourceFunctionName: string; invoker: string; duration: number }[];
}

/** Runs in the page before anything else does. */
export function watchBlocks(): void {
  window.blocks = [];
  new PerformanceObserver((list) => {
    for (const { scripts } of list.getEntries() as LongAnimationFrame[]) {
      for (const { sourceURL, sourceFunctionName, invoker, duration } of scripts) {
        window.blocks.push({ ms: duration, source: sourceURL, invoker: `${invoker} ${sourceFunctionName}` });
      }
    }
  }).observe({ type: "long-animation-frame", buffered: true });
}

/** For people. */
export const described = (blocks: readonly Block[]) =>
  blocks
    .map(({ ms, source, invoker }) => `${ms.toFixed(0)} ms in ${source.split("/").at(-1)} (${invoker})`)
    .join("; ");
