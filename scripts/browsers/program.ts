import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";

/** The path of a program by its name, or undefined where it is not installed. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** WebKitGTK's own small browser, which stands beside its library and not among the programs. */
export function findMiniBrowser(): string | undefined {
  return ["/usr/lib", "/usr/libexec", ...foldersIn("/usr/lib")]
    .flatMap(foldersIn)
    .filter((folder) => /\/webkit2?gtk-[\d.]+$/.test(folder))
    .map((folder) => join(folder, "MiniBrowser"))
    .find(isExecutable);
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name)] : [],
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A port that nobody listens at now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** A program that was started, and what it has said so far in both its streams. */
interface Running {
  said(): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

export function startProgram(path: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child: ChildProcess = spawn(path, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part: Buffer) => {
      // A browser may talk all the time; what it says when it starts is wanted.
      if (said.length < mostCharacters) said += String(part);
    });
  const ended = new Promise<void>((done) => {
    child.once("error", (failure) => {
      said += String(failure);
      done();
    });
    child.once("exit", () => done());
  });
  let isOver = false;
  void ended.then(() => (isOver = true));
  return {
    said: () => said,
    hasEnded: () => isOver,
    async stop() {
      child.kill();
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

const mostCharacters = 100_000;

/** Asks again and again until there is something, for as long as `patienceMs`. Rejects with what did not come. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | null | undefined | false>,
  patienceMs = 60_000,
): Promise<Found> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${patienceMs / 1_000} s`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Waits for a program to say what `pattern` finds, and gives its first group. Rejects with what it said instead. */
export function saying(running: Running, name: string, pattern: RegExp): Promise<string> {
  return until(`${name} starts`, () => {
    const found = pattern.exec(running.said())?.[1];
    if (found === undefined && running.hasEnded())
      throw new Error(`${name} ended at once: ${running.said().slice(-500)}`);
    return Promise.resolve(found);
  });
}
