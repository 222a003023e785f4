import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { createService } from "../../src/service/service";
import { startWorkbench } from "../../src/workbench/server";

let close: (() => Promise<void>) | undefined;

/** Serves the built add-in in the workbench for all browser tests, with the sample service behind it. */
export async function setup({ provide }: TestProject) {
  const service = createService();
  const workbench = await startWorkbench({
    port: 0,
    addinDir: resolve("dist"),
    pageDir: resolve("build/workbench"),
    mount: (request) => service.fetch(request),
  });
  provide("workbenchUrl", workbench.url);
  close = workbench.close;
}

export async function teardown() {
  await close?.();
}

declare module "vitest" {
  interface ProvidedContext {
    workbenchUrl: string;
  }
}
