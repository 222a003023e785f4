import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { createService } from "../../src/service/service";
import { startWorkbench } from "../../src/workbench/server";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";

/** Serves the built add-in in the workbench for all browser tests, with the sample service behind it. */
export default async function setup({ provide }: TestProject) {
  const service = createService();
  const storage: Record<string, string> = {};
  const workbench = await startWorkbench({
    port: 0,
    addinDir: resolve("dist"),
    pageDir: resolve("build/workbench"),
    setup: { storage },
    mount: (request) => service.fetch(request),
  });
  // The address is known only now; the page asks for the setup later.
  storage[connectionStorageKey] = storedForm({
    baseUrl: new URL(workbench.url).origin,
    key: "demo-national",
  });
  provide("workbenchUrl", workbench.url);
  return workbench.close;
}

declare module "vitest" {
  interface ProvidedContext {
    workbenchUrl: string;
  }
}
