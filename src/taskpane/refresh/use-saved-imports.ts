import { startTransition, useEffect, useState } from "react";
import type { KeylessSession, Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { useIsExcluded } from "../jobs/jobs";
import {
  createSavedImportsControl,
  type SavedImportsControl,
  type SavedImportsState,
} from "./saved-imports-control";

export interface Imports extends SavedImportsState {
  control: SavedImportsControl;
  /** True while imports are changed, or the workbook is prepared for sharing. */
  isBusy: boolean;
}

/**
 * The imports of this workbook, kept up to date while they are shown. Every change is a transition: hundreds of cards are drawn a few at a
 * time, while Excel and the user go on. No change may be urgent, because that would start the drawing again.
 */
export function useImports(app: PaneApp, session: Session | KeylessSession, isShown: boolean): Imports {
  const [control] = useState(() => createSavedImportsControl(app, session));
  const [state, setState] = useState(control.getState);
  useEffect(() => control.subscribe(() => startTransition(() => setState(control.getState))), [control]);
  useEffect(() => (isShown ? control.follow() : undefined), [control, isShown]);
  useEffect(() => control.cancel, [control]);
  const isExcluded = useIsExcluded(app.jobs, "imports");
  return { ...state, control, isBusy: isExcluded || state.isRefreshing };
}
