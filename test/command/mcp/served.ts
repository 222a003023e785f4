import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { onTestFinished, vi } from "vitest";
import { runCommand } from "../../../command/run-command";
import { baseUrl, recordedService } from "../../recorded-service";
import { key, playFolder, type PlayOptions } from "../played-io";

/** The answer to a tool's call. */
export interface Called {
  structured: Record<string, unknown>;
  text: string;
  /** Null if the call succeeded. */
  failure: { kind: string; sentence: string; detail: string | null; nextStep: string } | null;
}

export async function callWith(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<Called> {
  const answer = await client.callTool({ name, arguments: given });
  const [content] = answer.content as { text: string }[];
  const meta = answer._meta as { "regdata/failure"?: Called["failure"] } | undefined;
  return {
    structured: (answer.structuredContent ?? {}) as Record<string, unknown>,
    text: content?.text ?? "",
    failure: answer.isError ? (meta?.["regdata/failure"] ?? null) : null,
  };
}

/** `regdata mcp` in this process with a client, and the reference service as `fetch`. Without `folders` it has one of its own. */
export async function serve({
  folders,
  words = [],
  ...options
}: PlayOptions & { folders?: string[]; words?: string[] } = {}) {
  const folder = await playFolder();
  const { fetch, requests } = options.fetch
    ? { fetch: options.fetch, requests: [] }
    : recordedService(options);
  // The command defines these globals and leaves them in its process.
  vi.stubGlobal("Excel", undefined);
  vi.stubGlobal("Office", undefined);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const all: Buffer[] = [];
  output.on("data", (bytes: Buffer) => all.push(bytes));
  let told = "";
  const ended = runCommand(
    ["mcp", ...(folders ?? [folder]).flatMap((each) => ["--folder", each]), ...words],
    {
      ...{ fetch, isTerminal: false, streams: { input, output } },
      env: options.env ?? { REGDATA_SERVICE: baseUrl, REGDATA_KEY: key },
      print: (text) => void (told += `printed: ${text}`),
      printBytes: () => void (told += "printed bytes"),
      tell: (text) => void (told += text),
      askUnseen: () => Promise.reject(new Error("nobody may be asked here")),
      answersFolder: join(folder, ".answers"),
      signal: options.signal ?? new AbortController().signal,
    },
  );
  const client = new Client({ name: "test", version: "1" });
  // The same transport seen from the other end.
  await client.connect(new StdioServerTransport(output, input));
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  return {
    folder,
    path: (name: string) => join(folder, name),
    client,
    requests,
    call: (name: string, given: Record<string, unknown> = {}) => callWith(client, name, given),
    /** All bytes of the standard output, and all that was told on the standard error. */
    output: () => Buffer.concat(all).toString(),
    told: () => told,
    /** Writes a line to the standard input. */
    send: (line: string) => void input.write(`${line}\n`),
    /** Ends the standard input, and gives the exit code. */
    async end() {
      input.end();
      return ended;
    },
  };
}
