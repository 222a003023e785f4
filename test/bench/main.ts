/** `npm run bench [-- --json] [NAME …]` measures the engine beside its floor and beside other ways to the data. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildEngine } from "./build";
import type { Finding } from "./result";
import { isBenchName, scenarios } from "./scenarios";
import { firstMessage, type ServiceProcess, startService } from "./service/service-process";
import { printed } from "./table";

const { values: options, positionals } = parseArgs({
  options: { json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !isBenchName(name));
if (unknown.length > 0) {
  console.error(
    `There is no bench named ${unknown.join(", ")}. Known: ${Object.keys(scenarios).join(", ")}.`,
  );
  process.exit(1);
}
const names = Object.keys(scenarios).filter((name) => positionals.length === 0 || positionals.includes(name));

/** Runs a scenario in a process of its own, which may ask for garbage collection. */
async function run(name: string, { credentials: { baseUrl, key } }: ServiceProcess): Promise<Finding> {
  const child = fork(join(import.meta.dirname, "scenario-process.ts"), [name, baseUrl, key], {
    execArgv: [...process.execArgv, "--expose-gc"],
    // Output of the process goes to stderr, so that it never comes between the lines of JSON.
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
  });
  return firstMessage<Finding>(child);
}

console.error("building the engine");
await buildEngine();
const service = await startService();
const findings: Finding[] = [];
for (const name of names) {
  console.error(name);
  try {
    const finding = await run(name, service);
    findings.push(finding);
    if (!options.json) continue;
    console.log(JSON.stringify(finding.result));
    for (const miss of finding.misses) console.error(`  missed: ${miss}`);
    for (const note of finding.notes) console.error(`  ${note}`);
  } catch (failure) {
    // A failed bench has measured nothing, which is no missed goal. The other benches still run.
    console.error(`  ${name} failed: ${String(failure)}`);
    process.exitCode = 1;
  }
}
await service.stop();
if (!options.json && findings.length > 0) console.log(`\n${printed(findings)}`);
