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

/** What a run of the command gave. */
export interface Ran {
  code: number;
  /** What it printed. */
  out: string;
  /** What it told beside it. */
  told: string;
  /** Requests to the service, from the first. */
  requests: string[];
}

export interface PlayOptions extends ServiceOptions, Partial<Omit<CommandIo, "fetch">> {
  /** Instead of the reference service. */
  fetch?: typeof fetch;
}

/** A folder of its own for a test, which goes with it. */
export async function playFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "regdata-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs commands in a folder; paths are to be whole. Each run has a service of its own: as it answers at that time. */
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
    // The command leaves them for whoever comes after it in the same process.
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

/** What the service itself says to a matrix, by AHJ id and question id. */
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
