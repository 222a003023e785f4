/** The functions that buttons of the ribbon and of the cells' menu call; manifest.xml names the same. */
export const ribbonCommands = [
  "openHelp",
  "refreshAll",
  "refreshThese",
  "freezeThese",
  "showSource",
] as const;

export type RibbonCommand = (typeof ribbonCommands)[number];
