/**
 * `npm run check-reproducible [-- SETTINGS.json]` builds the add-in twice, with webpack's cache and without, at another hour of the day and
 * in another language, and compares the built files byte for byte.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [settings] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "regdata-twice-"));
const first = build("first", { TZ: "UTC", LANG: "C" });
const second = build("second", { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8" }, ["--no-cache"]);
rmSync(folder, { recursive: true });

const names = [...new Set([...first.keys(), ...second.keys()])].sort();
const different = names.filter((name) => {
  const [one, other] = [first.get(name), second.get(name)];
  return !one || !other || !one.equals(other);
});
for (const name of different) console.error(`${name} differs.`);
console.log(
  different.length === 0 ? `Both builds gave the same ${names.length} files.` : "The builds differ.",
);
process.exit(different.length === 0 ? 0 : 1);

function build(name: string, env: NodeJS.ProcessEnv, options: string[] = []): Map<string, Buffer> {
  const output = join(folder, name);
  const choices = [
    `output=${output}`,
    "types=unchecked",
    ...(settings === undefined ? [] : [`settings=${settings}`]),
  ];
  const { status } = spawnSync(
    "npx",
    [
      "webpack",
      ...["--stats", "errors-warnings"],
      ...choices.flatMap((choice) => ["--env", choice]),
      ...options,
    ],
    { stdio: "inherit", shell: process.platform === "win32", env: { ...process.env, ...env } },
  );
  if (status !== 0) process.exit(status ?? 1);
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return new Map(
    files.map((each) => {
      const path = join(each.parentPath, each.name);
      return [path.slice(output.length + 1), readFileSync(path)];
    }),
  );
}
