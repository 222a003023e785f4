/** A tab by WebDriver BiDi, which a browser speaks itself, without a driver program between. */
import * as bidi from "selenium-webdriver/bidi/index.js";
import { saying, startProgram } from "./program";
import { keysOf, scriptFor, type Tab, viewport } from "./tab";

// The package gives the class itself, which its types do not know.
type Connection = bidi.Index;
const Connection = (bidi as unknown as { default: typeof bidi.Index }).default;

/** Starts a browser that says on its streams at which address it listens. */
export async function openByBidi({ browser, args }: { browser: string; args: string[] }): Promise<Tab> {
  const running = startProgram(browser, args);
  try {
    const address = await saying(running, browser, /WebDriver BiDi listening on (ws:\S+)/);
    const connection = new Connection(`${address}/session`);
    await connection.waitForConnection();
    const send = senderTo(connection);
    const { capabilities } = await send("session.new", {
      capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
    });
    // The tab that Firefox starts with never gets the keyboard's focus, and its pages hear of no focus at all.
    const { context } = await send("browsingContext.create", { type: "tab" });
    return {
      version: capabilities.browserVersion,
      async open(url) {
        await send("browsingContext.setViewport", { context, viewport });
        await send("browsingContext.navigate", { context, url, wait: "complete" });
      },
      async run(work, ...args) {
        const evaluated = await send("script.evaluate", {
          expression: scriptFor(work, args),
          target: { context },
          awaitPromise: true,
        });
        if (evaluated.type === "exception") throw new Error(evaluated.exceptionDetails.text);
        return JSON.parse(evaluated.result.value);
      },
      async click({ x, y }) {
        const move = { type: "pointerMove", x: Math.round(x), y: Math.round(y) };
        const button = (type: string) => ({ type, button: 0 });
        const actions = [move, button("pointerDown"), button("pointerUp")];
        await send("input.performActions", {
          context,
          actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }],
        });
      },
      async type(text) {
        const actions = keysOf(text).flatMap((value) =>
          ["keyDown", "keyUp"].map((type) => ({ type, value })),
        );
        await send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
      },
      async picture() {
        const { data } = await send("browsingContext.captureScreenshot", { context });
        return Buffer.from(data, "base64");
      },
      async close() {
        await connection.close().catch(() => undefined);
        await running.stop();
      },
    };
  } catch (failure) {
    await running.stop();
    throw failure;
  }
}

/** The parts of the answers that are read, by command. */
interface Results {
  "session.new": { capabilities: { browserVersion: string } };
  "browsingContext.create": { context: string };
  "browsingContext.setViewport": unknown;
  "browsingContext.navigate": unknown;
  "browsingContext.captureScreenshot": { data: string };
  "input.performActions": unknown;
  "script.evaluate":
    | { type: "success"; result: { value: string } }
    | { type: "exception"; exceptionDetails: { text: string } };
}

type Answer<Result> = { type: "success"; result: Result } | { type: "error"; error: string; message: string };

function senderTo(connection: Connection) {
  return async <Method extends keyof Results>(
    method: Method,
    params: Record<string, unknown>,
  ): Promise<Results[Method]> => {
    const answer = (await connection.send({ method, params })) as Answer<Results[Method]>;
    if (answer.type === "error") throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    return answer.result;
  };
}
