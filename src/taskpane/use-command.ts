import { useEffect, useRef } from "react";
import type { PaneCommand, Pressed } from "./commands";

/** Calls `run` once for each press of one of these commands. */
export function useCommand(
  pressed: Pressed | undefined,
  names: readonly PaneCommand[],
  run: (name: PaneCommand) => void,
): void {
  const handled = useRef<Pressed>(undefined);
  useEffect(() => {
    if (!pressed || pressed === handled.current) return;
    handled.current = pressed;
    if (names.includes(pressed.name)) run(pressed.name);
  });
}
