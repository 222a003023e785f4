import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { CommandIo } from "../../command/command-io";
import { runCommand } from "../../command/run-command";
import { createService } from "../../reference-service/service";
import { baseUrl, recordedService } from "../recorded-service";

export const key = "demo-national";

type ServiceOptions = NonNullable<Parameters<typeof recordedService>[0]>;

/** The result of one run of the command. */
export interface Ran {
  code: number;
  /** Everything that the run printed to standard output. */
  out: string;
  /** Everything that the run printed to standard error. */
  told: string;
  /** The requests to the service, in the order in which they were sent. */
  requests: string[];
}

export interface PlayOptions extends ServiceOptions, Partial<Omit<CommandIo, "fetch">> {
  /** Used as the service. Default: the reference service. */
  fetch?: typeof fetch;
}

/** Makes a folder for one test; it is removed when the test ends. */
export async function playFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "regdata-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs commands in a folder; file names must be absolute paths. Each run has a service of its own, which answers as of that run's time. */
export function createPlayer(folder: string, options: PlayOptions = {}) {
  return async (words: readonly string[], others: PlayOptions = {}): Promise<Ran> => {
    const {
      fetch: given,
      env,
      signal,
      isTerminal,
      columns,
      askUnseen,
      answersFolder,
      ...service
    } = {
      ...options,
      ...others,
    };
    const { fetch, requests } = given ? { fetch: given, requests: [] } : recordedService(service);
    const printed: string[] = [];
    const told: string[] = [];
    // The command defines these globals and leaves them in its process.
    vi.stubGlobal("Excel", undefined);
    vi.stubGlobal("Office", undefined);
    const code = await runCommand(words, {
      ...{ fetch, isTerminal: isTerminal ?? false, ...(columns && { columns }) },
      env: env ?? { REGDATA_SERVICE: baseUrl, REGDATA_KEY: key },
      print: (text) => void printed.push(`${text}\n`),
      printBytes: (bytes) => void printed.push(new TextDecoder().decode(bytes)),
      tell: (text) => void told.push(/^\r|\n$/.test(text) ? text : `${text}\n`),
      askUnseen: askUnseen ?? (() => Promise.resolve(null)),
      answersFolder: answersFolder ?? join(folder, "answers"),
      signal: signal ?? new AbortController().signal,
    });
    return { code, out: printed.join(""), told: told.join(""), requests };
  };
}

interface RawCell {
  value: string | null;
  reference?: string | null;
  section?: string | null;
}

/** The answers of the service to a matrix, asked without the command, by AHJ id and question id. */
export async function published(
  ahjIds: readonly number[],
  typeIds: readonly number[],
  options: ServiceOptions = {},
): Promise<Map<number, Record<string, RawCell | null>>> {
  const answer = await createService(options).fetch(
    new Request(`${baseUrl}/v1/reports/matrix`, {
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify({ ahj_ids: ahjIds, data_point_type_ids: typeIds }),
    }),
  );
  const report = (await answer.json()) as {
    data: { rows: { ahj: { id: number }; values: Record<string, RawCell | null> }[] };
  };
  return new Map(report.data.rows.map(({ ahj, values }) => [ahj.id, values]));
}

/** An amount as a cell has it: $30 and USD 30 are 30; anything else stays text. */
export function inCell(text: string | null | undefined): string | number | null {
  const [, digits] = /^(?:\$|USD )?([\d,]+(?:\.\d+)?)$/.exec(text ?? "") ?? [];
  return digits === undefined ? (text ?? null) : Number(digits.replaceAll(",", ""));
}

/** All files in a folder, however deep, by their paths in it. */
export async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return files;
}
