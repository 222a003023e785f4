import { useEffect, useState, useSyncExternalStore } from "react";
import type { Session } from "../../../app";
import {
  type ChosenJurisdictions,
  createChosenJurisdictions,
  type JurisdictionsState,
} from "./chosen-jurisdictions";

export type Jurisdictions = JurisdictionsState & Omit<ChosenJurisdictions, "subscribe" | "getSnapshot">;

/** The jurisdictions chosen on a screen. Leaving the screen stops looking them up. */
export function useJurisdictions(session: Session): Jurisdictions {
  const [{ subscribe, getSnapshot, ...actions }] = useState(() => createChosenJurisdictions(session));
  const state = useSyncExternalStore(subscribe, getSnapshot);
  const { cancel } = actions;
  useEffect(() => cancel, [cancel]);
  return { ...state, ...actions };
}
