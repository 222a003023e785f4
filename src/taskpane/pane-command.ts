import { useEffect, useRef } from "react";

/** What the ribbon and the cells' menu ask of the pane. */
export type PaneCommand = "refreshAll" | "refreshThese" | "freezeThese" | "showSource";

/** Where presses wait until the pane is there. */
export interface PaneCommands {
  pressed: PaneCommand[];
  onPress: () => void;
}

/** One press of a command: another object each time. */
export interface Pressed {
  name: PaneCommand;
}

/** Hands each press on, those too that waited. */
export function usePressed(commands: PaneCommands, take: (pressed: Pressed) => void): void {
  useEffect(() => {
    commands.onPress = () => {
      for (const name of commands.pressed.splice(0)) take({ name });
    };
    commands.onPress();
    return () => {
      commands.onPress = () => undefined;
    };
  });
}

/** Runs once for each press of one of these commands. */
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
