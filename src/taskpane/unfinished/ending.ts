import { useEffect, useRef } from "react";
import type { KeptUnfinished } from "../../workbook/work-note/unfinished-book";
import type { UnfinishedWork } from "../../workbook/work-note/unfinished-work";

/** A press of a button that ends interrupted work. Each press is a new object. */
export interface Ending<Of extends UnfinishedWork = UnfinishedWork> {
  unfinished: KeptUnfinished<Of>;
  by: "finish" | "take back";
}

/** Calls `run` once for each press that is about work of these kinds. */
export function useEnding<Kind extends UnfinishedWork["kind"]>(
  ending: Ending | undefined,
  kinds: readonly Kind[],
  run: (ending: Ending<UnfinishedWork & { kind: Kind }>) => void,
): void {
  const handled = useRef<Ending>(undefined);
  useEffect(() => {
    if (!ending || ending === handled.current) return;
    handled.current = ending;
    if (kinds.some((kind) => kind === ending.unfinished.work.kind))
      run(ending as Ending<UnfinishedWork & { kind: Kind }>);
  });
}
