import { useEffect } from "react";
import { useStore } from "zustand";
import type { JurisdictionChoice } from "./jurisdiction-choice";
import type { JurisdictionsControl, LookUpState } from "./jurisdictions-control";

/** Chosen jurisdictions, the state of their look-up, and what a user can do with them. */
export interface Jurisdictions extends JurisdictionChoice, Omit<JurisdictionsControl, "lookUp"> {
  lookUp: LookUpState;
  isResolving: boolean;
}

/** The jurisdictions of a choice, for views. Leaving the screen stops looking them up. */
export function useJurisdictions(control: JurisdictionsControl, choice: JurisdictionChoice): Jurisdictions {
  const lookUp = useStore(control.lookUp);
  const { cancel } = control;
  useEffect(() => cancel, [cancel]);
  const isResolving = lookUp.status === "running" || lookUp.status === "asking";
  return { ...choice, ...control, lookUp, isResolving };
}
