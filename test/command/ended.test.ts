import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createPlayer, filesIn, key, playFolder } from "./played-io";

const root = resolve(import.meta.dirname, "..", "..");

/** A service that takes requests and never answers. */
async function silentService(): Promise<{ address: string; asked: Promise<unknown> }> {
  const server = createServer(() => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const asked = once(server, "request");
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

it.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
  "a process that is ended by %s while it asks leaves the file as it was, and no key behind",
  async (signal) => {
    const folder = await playFolder();
    const book = join(folder, "fees.xlsx");
    const run = createPlayer(folder);
    await run(["matrix", "--where", "06001", "--question", "1056", "-o", book]);
    const before = await readFile(book);
    const { address, asked } = await silentService();
    const words = [
      "refresh",
      book,
      "--other-service",
      "--service",
      address,
      "--answers",
      join(folder, "other"),
    ];
    const child = spawn(
      process.execPath,
      // Node runs the command with tsx as a loader: tsx's own process in between would pass signals on as well.
      ["--import", "tsx", "command/regdata.ts", ...words],
      {
        cwd: root,
        env: { ...process.env, REGDATA_KEY: key },
      },
    );
    const ended = once(child, "exit");
    let told = "";
    child.stderr.on("data", (text) => (told += String(text)));
    await Promise.race([asked, ended]);
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    expect([code, told]).toEqual(
      signal === "SIGKILL" ? [null, ""] : [130, expect.stringContaining("Ended. Nothing was written.")],
    );
    expect(await readFile(book)).toEqual(before);
    const files = await filesIn(folder);
    expect([...files].filter(([, bytes]) => Buffer.from(bytes).includes(key)).map(([name]) => name)).toEqual(
      [],
    );
    // A dead command's lock blocks the workbook for half a minute. A command that ended in good order has left no lock.
    const after = await run(["freeze", book]);
    expect(after.code).toBe(signal === "SIGKILL" ? 4 : 0);
    await writeFile(book, before);
  },
);
