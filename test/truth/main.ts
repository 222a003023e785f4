/** `npm run truth`: the long form of test/truth/truth.test.ts, with seeds of its own unless one is given. */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 0x7fffffff)) },
    path: { type: "string" },
  },
});
console.log(
  `Seed ${values.seed}. The same again: npm run truth -- --cases ${values.cases} --seed ${values.seed}`,
);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "truth"], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: {
    ...process.env,
    TRUTH_CASES: values.cases,
    TRUTH_SEED: values.seed,
    ...(values.path !== undefined && { TRUTH_PATH: values.path }),
  },
});
process.exit(status ?? 1);
