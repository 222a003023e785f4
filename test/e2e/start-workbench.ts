import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { createService } from "../../reference-service/service";
import { startWorkbench } from "../../workbench/workbench-server";

const closing: (() => Promise<void>)[] = [];

/**
 * Serves the built add-in in the workbench for the browser tests, with the sample service behind it: for each worker its
 * own, so that what one test sends spares or uses up nothing of another's.
 */
export async function setup({ config, provide }: TestProject) {
  const workers = Array.from({ length: config.maxWorkers });
  provide("workbenchUrls", await Promise.all(workers.map(serve)));
}

async function serve(): Promise<string> {
  const service = createService();
  const { url, close } = await startWorkbench({
    port: 0,
    addinDir: resolve("dist"),
    pageDir: resolve("build/workbench"),
    mount: (request) => service.fetch(request),
  });
  closing.push(close);
  // "localhost" may be looked up on the network, which takes ten seconds where nobody answers.
  return url.replace("localhost", "127.0.0.1");
}

export async function teardown() {
  await Promise.all(closing.map((close) => close()));
}

declare module "vitest" {
  interface ProvidedContext {
    /** One for each worker. */
    workbenchUrls: string[];
  }
}
