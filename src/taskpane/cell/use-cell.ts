import { useEffect, useState, useSyncExternalStore } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { type CellControl, type CellFactsState, createCellControl } from "./facts/cell-control";

export type InspectedCell = CellFactsState & Omit<CellControl, "subscribe" | "getSnapshot" | "follow">;

/** The known facts of the selected cell, kept up to date while the screen is shown. */
export function useCell(app: PaneApp, session: Session, isShown: boolean): InspectedCell {
  const [{ subscribe, getSnapshot, follow, ...actions }] = useState(() => createCellControl(app, session));
  const state = useSyncExternalStore(subscribe, getSnapshot);
  useEffect(() => (isShown ? follow() : undefined), [isShown, follow]);
  return { ...state, ...actions };
}
