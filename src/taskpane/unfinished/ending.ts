import { useEffect, useRef } from "react";
import type { KeptUnfinished } from "../../workbook/unfinished/unfinished-book";
import type { Work } from "../../workbook/unfinished/unfinished-work";

/** A press of a button that ends interrupted work. Each press is a new object. */
export interface Ending<Of extends Work = Work> {
  unfinished: KeptUnfinished<Of>;
  by: "finish" | "take back";
}

/** Calls `run` once for each press that is about work of these kinds. */
export function useEnding<Kind extends Work["kind"]>(
  ending: Ending | undefined,
  kinds: readonly Kind[],
  run: (ending: Ending<Work & { kind: Kind }>) => void,
): void {
  const handled = useRef<Ending>(undefined);
  useEffect(() => {
    if (!ending || ending === handled.current) return;
    handled.current = ending;
    if (kinds.some((kind) => kind === ending.unfinished.work.kind))
      run(ending as Ending<Work & { kind: Kind }>);
  });
}
