/** A process of `npm run corpus`: sweeps the workbooks whose paths it is sent, and says of each how it went. */
import { readFileSync, writeFileSync } from "node:fs";
import { sweptFile } from "./swept-file";

process.on("message", ({ path, changedPath }: { path: string; changedPath: string }) => {
  const { changed, ...swept } = sweptFile(readFileSync(path));
  if (changed) writeFileSync(changedPath, changed);
  process.send?.({ ...swept, maxRssBytes: process.resourceUsage().maxRSS * 1024 });
});
