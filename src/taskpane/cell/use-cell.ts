import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { KeylessSession, Session } from "../../app";
import type { Readable } from "../jobs/jobs";
import type { PaneApp } from "../pane-app";
import { type CellControl, type CellFactsState, createCellControl } from "./facts/cell-control";

export type InspectedCell = CellFactsState & Omit<CellControl, keyof Readable<unknown> | "follow">;

/** The known facts of the selected cell, kept up to date while the screen is shown. */
export function useCell(app: PaneApp, session: Session | KeylessSession, isShown: boolean): InspectedCell {
  const [control] = useState(() => createCellControl(app, session));
  const state = useStore(control);
  const { follow } = control;
  useEffect(() => (isShown ? follow() : undefined), [isShown, follow]);
  return { ...control, ...state };
}
