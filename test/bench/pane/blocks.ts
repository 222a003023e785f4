/** A script's turn in a long animation frame: it kept the page from answering. */
export interface Block {
  ms: number;
  /** The script's address, and the caller that started it. */
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

/** Starts to note long frames; runs in the page before anything else does. */
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

/** The blocks as text for people. */
export const described = (blocks: readonly Block[]) =>
  blocks
    .map(({ ms, source, invoker }) => `${ms.toFixed(0)} ms in ${source.split("/").at(-1)} (${invoker})`)
    .join("; ");
