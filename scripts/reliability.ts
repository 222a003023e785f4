/** Plays all faults (test/reliability) and writes their outcomes into docs/reliability.md. */
import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["vitest", "run", "--no-file-parallelism", "test/reliability"], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, REGDATA_RELIABILITY: "write" },
});
process.exit(status ?? 1);
