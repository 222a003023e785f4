import { startTransition, useEffect, useState } from "react";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import { useIsRunning } from "../sheet-work";
import {
  createSavedImportsControl,
  type SavedImportsControl,
  type SavedImportsState,
} from "./saved-imports-control";

export interface Imports extends SavedImportsState {
  control: SavedImportsControl;
  /** They are being refreshed, or the workbook is being prepared to be shared. */
  isBusy: boolean;
}

/**
 * The imports of this workbook, followed as long as they are shown. Whatever changes is a transition: hundreds of cards are
 * drawn a few at a time, while Excel and the user go on; and none of it is urgent, for that would begin the drawing again.
 */
export function useImports(app: PaneApp, session: Session, isShown: boolean): Imports {
  const [control] = useState(() => createSavedImportsControl(app, session));
  const [state, setState] = useState(control.getSnapshot);
  useEffect(() => control.subscribe(() => startTransition(() => setState(control.getSnapshot))), [control]);
  useEffect(() => (isShown ? control.follow() : undefined), [control, isShown]);
  useEffect(() => control.cancel, [control]);
  const isSharing = useIsRunning("share");
  return { ...state, control, isBusy: isSharing || state.isRefreshing };
}
