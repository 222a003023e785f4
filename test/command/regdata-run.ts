import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { runCommand } from "../../command/run-command";
import { baseUrl, type Interception, recordedService } from "../recorded-service";

const folders: string[] = [];

/** Takes away what the tests of a file have written. */
export function cleansFolders(): void {
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

/** A folder in which `regdata` runs on the reference service, with a key in the environment unless told otherwise. */
export function regdataFolder(options: { intercept?: Interception } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "regdata-"));
  folders.push(folder);
  const { fetch, requests } = recordedService(options);
  const path = (name: string) => join(folder, name);
  return {
    path,
    requests,
    write: (name: string, bytes: Uint8Array) => writeFileSync(path(name), bytes),
    read: (name: string): Uint8Array => new Uint8Array(readFileSync(path(name))),
    files: () => readdirSync(folder).sort(),
    /** Words that end in `.xlsx` or begin with `./` are of the folder. */
    async run(
      words: string,
      env: Record<string, string> = { REGDATA_KEY: "demo-national", REGDATA_SERVICE: baseUrl },
    ) {
      const [printed, told]: [string[], string[]] = [[], []];
      const code = await runCommand(
        words.split(" ").map((word) => (/\.xlsx$|^\.\//.test(word) ? path(word) : word)),
        {
          ...{ env, fetch, isTerminal: false, answersFolder: path("answers") },
          print: (text) => void printed.push(text),
          printBytes: (bytes) => void printed.push(new TextDecoder().decode(bytes)),
          tell: (text) => void told.push(text),
          askUnseen: async () => null,
          signal: new AbortController().signal,
        },
      );
      const shown = (lines: string[]) => lines.join("\n").replaceAll(`${folder}/`, "");
      return { code, printed: shown(printed), told: shown(told) };
    },
  };
}
