/**
 * `regdata refresh` in a process that kills itself at a step of its writing. Its arguments: the file, the step's number, and where it
 * leaves what the new file was to be.
 */
import { writeFileSync } from "node:fs";
import { killedAt } from "../../command/workbook/killed-at";
import { refreshed } from "./refreshed-book";

const [path = "", step = "", wantedPath = ""] = process.argv.slice(2);

const { steps, written } = killedAt(Number(step), () => {
  const wanted = written();
  if (wanted) writeFileSync(wantedPath, wanted);
  process.kill(process.pid, "SIGKILL");
  // The signal comes at once, and nothing of ours runs any more.
  for (;;);
});
const { code } = await refreshed(path, steps);
process.exit(code);
