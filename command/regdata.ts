/** The command line `npm run regdata -- COMMAND …`: see `--help`. */
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { exitCodes } from "./command-failure";
import { printable } from "./output/printable";
import { runCommand } from "./run-command";

const { env, stdin, stderr, stdout, platform } = process;

const ending = new AbortController();
/** The first Ctrl+C lets the command end cleanly, the second ends it at once. */
function end() {
  if (ending.signal.aborted) process.exit(exitCodes.ended);
  ending.abort();
}
// These listeners stay (`on`, not `once`). Otherwise the module that unlocks files at exit would find no other listener, and would end the
// process at once.
process.on("SIGINT", end);
process.on("SIGTERM", end);
// The terminal's window was closed.
process.on("SIGHUP", end);

// npm runs a script in the project's folder: words name files from the folder in which the user is.
if (env["npm_lifecycle_event"] === "regdata" && env["INIT_CWD"]) process.chdir(env["INIT_CWD"]);

/** A reader that has gone, such as `head` or a closed window, ends no work: it only hears no more. */
function onUnheard({ code, message }: NodeJS.ErrnoException) {
  if (code === "EPIPE" || code === "EIO") return;
  stderr.write(`The output can't be written: ${message}.\n`);
  process.exit(exitCodes.file);
}
stdout.on("error", onUnheard);
stderr.on("error", onUnheard);

function cacheFolder(): string {
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  if (platform === "darwin") return join(homedir(), "Library", "Caches");
  return env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
}

async function askUnseen(question: string): Promise<string | null> {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  stderr.write(question);
  const unseen = new Writable({ write: (_, __, done) => done() });
  const reading = createInterface({ input: stdin, output: unseen, terminal: true });
  try {
    return await new Promise((resolve) => {
      reading.question("", resolve);
      reading.on("close", () => resolve(null));
    });
  } finally {
    reading.close();
    stderr.write("\n");
  }
}

process.exitCode = await runCommand(process.argv.slice(2), {
  env,
  fetch: (input, init) => fetch(input, init),
  print: (text) => void stdout.write(text.endsWith("\n") ? text : `${text}\n`),
  printBytes: (bytes) => void stdout.write(stdout.isTTY ? printable(new TextDecoder().decode(bytes)) : bytes),
  // A line of progress overwrites the last one and brings its own line ending.
  tell: (text) => void stderr.write(/^\r|\n$/.test(text) ? text : `${text}\n`),
  isTerminal: stderr.isTTY === true,
  // A terminal that does not say gives 0.
  columns: () => stderr.columns || 80,
  askUnseen,
  answersFolder: join(cacheFolder(), "regdata"),
  signal: ending.signal,
  streams: { input: stdin, output: stdout },
});
