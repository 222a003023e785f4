import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { baseUrl, type Interception, recordedService } from "../recorded-service";
import { createPlayer, key } from "./played-io";

const folders: string[] = [];

/** Removes, after each test, the folders that it has written. */
export function cleansFolders(): void {
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

/** A folder in which `regdata` runs on one reference service, with a key in the environment unless told otherwise. */
export function regdataFolder(options: { intercept?: Interception } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "regdata-"));
  folders.push(folder);
  const { fetch, requests } = recordedService(options);
  const play = createPlayer(folder, { fetch });
  const path = (name: string) => join(folder, name);
  const shown = (text: string) => text.replace(/\n$/, "").replaceAll(`${folder}/`, "");
  return {
    path,
    requests,
    write: (name: string, bytes: Uint8Array) => writeFileSync(path(name), bytes),
    read: (name: string): Uint8Array => new Uint8Array(readFileSync(path(name))),
    files: () => readdirSync(folder).sort(),
    /** Words that end in `.xlsx` or begin with `./` are paths in the folder. */
    async run(words: string, env: Record<string, string> = { REGDATA_KEY: key, REGDATA_SERVICE: baseUrl }) {
      const all = words.split(" ").map((word) => (/\.xlsx$|^\.\//.test(word) ? path(word) : word));
      const { code, out, told } = await play(all, { env });
      return { code, printed: shown(out), told: shown(told) };
    },
  };
}
