import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { quirkNames } from "../../reference-service/quirks/quirks";

const server = fileURLToPath(new URL("../../reference-service/reference-server.ts", import.meta.url));
const workbench = fileURLToPath(new URL("../../scripts/start.ts", import.meta.url));
const running: ChildProcess[] = [];
const sharing: ChildProcess[] = [];

function start(...options: string[]) {
  return startWith({ running }, ...options);
}

function startWith(
  {
    heapMegabytes,
    script = server,
    running,
  }: { heapMegabytes?: number; script?: string; running: ChildProcess[] },
  ...options: string[]
) {
  const memory = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`];
  const child = spawn(process.execPath, [...memory, "--import", "tsx", script, ...options]);
  running.push(child);
  let [output, errors] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output, errors }));
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => output.includes("\n") && resolve(output.trimEnd()));
    void ended.then(() => reject(new Error(errors)));
  });
  listening.catch(() => undefined);
  return { child, ended, listening };
}

/** A server that several tests share until one of them ends it; the next one to ask starts another. */
function shared(...[how, ...options]: [{ heapMegabytes?: number }, ...string[]]) {
  let current: ReturnType<typeof startWith> | undefined;
  const started = () => (current ??= startWith({ ...how, running: sharing }, "--port", "0", ...options));
  return {
    started,
    listening: () => started().listening,
    async end(signal: NodeJS.Signals) {
      const { child, ended, listening } = started();
      await listening;
      child.kill(signal);
      current = undefined;
      return ended;
    },
  };
}

/** A server with no more memory than a matrix of all counties and all types must make do with. */
const plain = shared({ heapMegabytes: 112 });
const other = shared({}, "--limits", "7,20,30", "--quirks", "string-ids, page-size-20");

const addressIn = (line: string) => line.replace("listening on ", "");
const headers = { "X-API-Key": "demo-national" };

async function killAll(children: ChildProcess[]) {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "close");
  }
}
afterEach(() => killAll(running));
afterAll(() => killAll(sharing));

describe("npm run service", () => {
  it("prints `listening on http://127.0.0.1:N` when ready, and answers there", async () => {
    const line = await plain.listening();
    expect(line).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(`${addressIn(line)}/v1/categories`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("X-RateLimit-Remaining")).toBe("999999");
    expect(await response.json()).toMatchObject({ response_type: "success" });
  });

  it("sends a matrix as a whole", async () => {
    const line = await plain.listening();
    const ahj_ids = Array.from({ length: 500 }, (_, at) => 15_001 + at);
    const response = await fetch(`${addressIn(line)}/v1/reports/matrix`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ ahj_ids, data_point_type_ids: [1001, 1045, 1089] }),
    });
    const { data } = (await response.json()) as { data: { rows: { ahj: { id: number } }[] } };
    expect(data.rows.map(({ ahj }) => ahj.id)).toEqual(ahj_ids);
  });

  it("takes addresses of many thousand characters", async () => {
    const address = addressIn(await plain.listening());
    for (const count of [1_300, 3_000, 8_000]) {
      const ids = Array.from({ length: count }, (_, at) => 10_001 + at).join(",");
      const response = await fetch(`${address}/v1/data-points?page_size=1&ahj_ids=${ids}`, { headers });
      expect(response.status, `${ids.length} characters`).toBe(200);
    }
  });

  it("needs little memory for matrices of all counties and all types, two at a time", async () => {
    const address = addressIn(await plain.listening());
    const request = {
      method: "POST",
      headers,
      body: JSON.stringify({
        ahj_ids: Array.from({ length: 3_231 }, (_, at) => 10_057 + at),
        data_point_type_ids: Array.from({ length: 334 }, (_, at) => 1_001 + at),
      }),
    };
    const lengthOfAnswer = async () => {
      let length = 0;
      for await (const part of (await fetch(`${address}/v1/reports/matrix`, request)).body!)
        length += part.length;
      return length;
    };
    const [one, other] = await Promise.all([lengthOfAnswer(), lengthOfAnswer()]);
    expect(one).toBeGreaterThan(50_000_000);
    expect(other).toBe(one);
  });

  it("--limits MINUTE,HOUR,DAY sets the limits of every organization", async () => {
    const address = addressIn(await other.listening());
    for (const key of ["demo-national", "demo-limited"]) {
      const response = await fetch(`${address}/v1/categories`, { headers: { "X-API-Key": key } });
      expect(response.headers.get("X-RateLimit-Remaining")).toBe("6");
    }
  });

  it("--quirks NAME,NAME gives it other readings of docs/interface.md", async () => {
    const address = addressIn(await other.listening());
    const response = await fetch(`${address}/v1/ahjs`, { headers });
    expect(await response.json()).toMatchObject({
      data: { items: [{ id: "10001" }, ...Array<object>(19).fill({})], pagination: { page_size: 20 } },
    });
  });

  it("an unknown quirk ends it with a sentence that lists the known ones", async () => {
    const { code, output, errors } = await start("--quirks", "string-ids,colour").ended;
    expect(code).toBe(1);
    expect(output).toBe("");
    expect(errors.trim()).toBe(
      `--quirks: There is no quirk "colour". The quirks are ${quirkNames.join(", ")}.`,
    );
  });

  it("says in a sentence that the port is in use, and exits with 1", async () => {
    const { port } = new URL(addressIn(await plain.listening()));
    const { code, errors } = await start("--port", port).ended;
    expect(code).toBe(1);
    expect(errors.trim()).toBe(`Port ${port} is in use. Choose another one with --port.`);
  });

  it("a client that goes away in the middle of its request leaves nothing in the log, and SIGTERM ends it", async () => {
    const address = addressIn(await plain.listening());
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    socket.write(
      "POST /v1/reports/matrix HTTP/1.1\r\nHost: service\r\nX-API-Key: demo-national\r\nContent-Length: 5000\r\n\r\n{",
    );
    // An answer to a later request shows that the first one has arrived; a second one shows that its end has, too.
    await fetch(`${address}/v1/categories`, { headers });
    const closed = once(socket, "close");
    socket.destroy();
    await closed;
    await fetch(`${address}/v1/categories`, { headers });
    expect(await plain.end("SIGTERM")).toMatchObject({
      ...{ code: 0, errors: "", output: `listening on ${address}\n` },
    });
  });

  it("shuts down on SIGINT", async () => {
    expect((await other.end("SIGINT")).code).toBe(0);
  });
});

describe("npm start", () => {
  it("an unknown quirk ends it with a sentence that lists the known ones", async () => {
    const { code, errors } = await startWith(
      { script: workbench, running },
      "--no-open",
      "--quirks",
      "colour",
    ).ended;
    expect(code).toBe(1);
    expect(errors.trim()).toBe(
      `--quirks: There is no quirk "colour". The quirks are ${quirkNames.join(", ")}.`,
    );
  });

  it("--quirks does not go with --service", async () => {
    const options = ["--no-open", "--quirks", "string-ids", "--service", "https://api.test", "--key", "k"];
    const { code, errors } = await startWith({ script: workbench, running }, ...options).ended;
    expect(code).toBe(1);
    expect(errors.trim()).toBe("--quirks is for the sample service and does not go with --service.");
  });
});
