/** The functions that buttons of the ribbon and of the cells' menu call; manifest.xml names the same. */
export const ribbonCommands = [
  "openHelp",
  "refreshAll",
  "refreshThese",
  "freezeThese",
  "showSource",
  "writeFormula",
  "turnIntoJurisdictions",
] as const;

/** The functions that keyboard shortcuts call. shortcuts.json names the same. */
export const shortcutCommands = ["openPane", ...ribbonCommands] as const;

export type Command = (typeof shortcutCommands)[number];
