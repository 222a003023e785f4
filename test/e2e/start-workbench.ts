import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { createService } from "../../reference-service/service";
import { startWorkbench } from "../../workbench/workbench-server";

const closing: (() => Promise<void>)[] = [];

/**
 * Serves the built add-in in the workbench for the browser tests, with the sample service behind it. Each worker has its own, so that one
 * test's requests neither warm nor use up anything of another's.
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
  // "localhost" may be looked up on the network, which takes ten seconds if nobody answers.
  return url.replace("localhost", "127.0.0.1");
}

export async function teardown() {
  await Promise.all(closing.map((close) => close()));
}

declare module "vitest" {
  interface ProvidedContext {
    /** The workbenches' addresses, one for each worker. */
    workbenchUrls: string[];
    /** True if each screen is tried in all looks, not in the narrowest alone. */
    allLooks: boolean;
  }
}
