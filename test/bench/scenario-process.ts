/** Runs one scenario in a process of its own: takes its name and the service's address as arguments, and sends its finding back. */
import { loadEngine } from "./build";
import { isBenchName, scenarios } from "./scenarios";
import { parseMs } from "./timing";

const [name = "", baseUrl = "", key = ""] = process.argv.slice(2);
if (!isBenchName(name)) throw new Error(`there is no bench named ${name}`);

process.once("disconnect", () => process.exit(1));
const finding = await scenarios[name]({
  credentials: { baseUrl, key },
  createEngine: await loadEngine(),
  progress: (text) => console.error(`  ${text}`),
});
const { ms } = finding.result;
finding.result.timesParse = ms === null ? null : Number((ms / parseMs()).toFixed(1));
process.send?.(finding, () => process.exit());
