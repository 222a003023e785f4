/** A process of `npm run corpus`: sweeps the workbooks whose paths it is sent, and says of each how it went. */
import { readFileSync, writeFileSync } from "node:fs";
import { commandedFile } from "./commanded-file";
import { sweptFile } from "./swept-file";

interface Order {
  path: string;
  changedPath: string;
  runsCommands: boolean;
}

process.on("message", async ({ path, changedPath, runsCommands }: Order) => {
  const bytes = readFileSync(path);
  const { changed, ...swept } = runsCommands ? await commandedFile(bytes, path) : sweptFile(bytes);
  if (changed) writeFileSync(changedPath, changed);
  process.send?.({ ...swept, maxRssBytes: process.resourceUsage().maxRSS * 1024 });
});
