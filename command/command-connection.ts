import { readFile, stat } from "node:fs/promises";
import { type App, createApp, type Session } from "../src/app";
import { connectionStorageKey, storedForm, type UserStorage } from "../src/settings/connection";
import { presetService } from "../src/settings/preset-service";
import { parseBaseUrl } from "../src/engine/transport/base-url";
import { createDisk } from "../src/engine/cache/store";
import { createAnswerFolder } from "./answers/answer-folder";
import { CommandFailure } from "./command-failure";
import type { CommandIo } from "./command-io";
import { hasExcelApi } from "./workbook/excel-in-node";

export interface ConnectionOptions {
  service?: string | undefined;
  "key-file"?: string | undefined;
  answers?: string | undefined;
}

export interface Connected {
  app: App;
  session: Session;
}

/** The lines of `--help` on the options of a connection. */
export const connectionHelp = `
  --service URL      The service's address. Default: REGDATA_SERVICE.
  --key-file FILE    A file with the key, which only you can read. Default: REGDATA_KEY_FILE, or the key itself in REGDATA_KEY.
  --answers FOLDER   Where answers are kept from run to run. Default: your folder for caches. "none" keeps nothing.`;

/** Prepares a connection to the service, without a request yet. Fails with a CommandFailure "usage" or "file". */
export async function connect(options: ConnectionOptions, io: CommandIo): Promise<Connected> {
  const baseUrl = serviceOf(options, io);
  const key = await keyOf(options, io);
  const { answers = io.answersFolder } = options;
  const app = createApp({
    fetch: io.fetch,
    storage: storageWith({ [connectionStorageKey]: storedForm({ baseUrl, key }) }),
    hasExcelApi,
    openDisk(onFailure) {
      if (answers === "none") return createDisk();
      const folder = createAnswerFolder(answers, () => {
        io.tell(`Answers can't be kept in ${answers}: this run asks for all of them.\n`);
        onFailure();
      });
      io.atEnd?.(folder.rested);
      return folder;
    },
  });
  return { app, session: await app.session() };
}

/** The same if a service and a key are given; otherwise the add-in without a connection, which sends no requests. */
export async function connectIfGiven(
  options: ConnectionOptions,
  io: CommandIo,
): Promise<Pick<Connected, "app"> & { session: Session | null }> {
  const { env } = io;
  const hasService = options.service ?? env["REGDATA_SERVICE"] ?? presetService;
  const hasKey = options["key-file"] ?? env["REGDATA_KEY_FILE"] ?? env["REGDATA_KEY"];
  if (hasService && hasKey) return connect(options, io);
  const app = createApp({
    ...{ fetch: io.fetch, storage: storageWith({}), hasExcelApi },
    openDisk: () => createDisk(),
  });
  return { app, session: null };
}

function serviceOf({ service }: ConnectionOptions, { env }: CommandIo): string {
  const address = presetService?.isFixed
    ? presetService.baseUrl
    : (service ?? env["REGDATA_SERVICE"] ?? presetService?.baseUrl);
  if (!address)
    throw new CommandFailure("usage", "Name the service's address with --service or REGDATA_SERVICE.");
  return parsedService(address);
}

/** A service's address in the form that workbooks and keys use for it. Fails with a CommandFailure "usage". */
export function parsedService(address: string): string {
  const parsed = parseBaseUrl(address);
  if ("problem" in parsed)
    throw new CommandFailure("usage", `The service's address can't be used. ${parsed.problem}`);
  return parsed.baseUrl;
}

/** The key from a file or from REGDATA_KEY; null if neither is given. Never asks the user for one. */
export async function givenKey(
  options: Pick<ConnectionOptions, "key-file">,
  { env, hide }: Pick<CommandIo, "env" | "hide">,
): Promise<string | null> {
  const file = options["key-file"] ?? env["REGDATA_KEY_FILE"];
  const given = file === undefined ? env["REGDATA_KEY"] : await keyInFile(file);
  const key = given?.trim() || null;
  if (key !== null) hide?.(key);
  return key;
}

async function keyOf(options: ConnectionOptions, io: CommandIo): Promise<string> {
  const given = await givenKey(options, io);
  const key = (given ?? (await io.askUnseen("API key (not shown): ")) ?? "").trim();
  if (key === "")
    throw new CommandFailure(
      "usage",
      "There is no key. Put it into REGDATA_KEY, or into a file that --key-file names.",
    );
  io.hide?.(key);
  // A key must fit into a header, so only visible ASCII characters are accepted.
  if (!/^[!-~]+$/.test(key))
    throw new CommandFailure("usage", "The key has characters that a key can't have.");
  return key;
}

async function keyInFile(path: string): Promise<string> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new CommandFailure("file", `Others can read ${path}. Take that from them: chmod 600 ${path}`);
    }
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure("file", `The key can't be read from ${path}.`, { cause });
  }
}

/** Holds the user's settings for one run. */
function storageWith(items: Record<string, string>): UserStorage {
  const kept = new Map(Object.entries(items));
  return {
    getItem: async (name) => kept.get(name) ?? null,
    setItem: async (name, value) => void kept.set(name, value),
    removeItem: async (name) => void kept.delete(name),
  };
}
