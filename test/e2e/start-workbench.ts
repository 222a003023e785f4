import { resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { quirkNames } from "../../src/service/quirks";
import { createService, type Service } from "../../src/service/service";
import { startWorkbench } from "../../src/workbench/server";

const closing: (() => Promise<void>)[] = [];

/** Serves the built add-in in the workbench for all browser tests, with the sample service behind it. */
export async function setup({ provide }: TestProject) {
  provide("workbenchUrl", await serve(createService()));
  provide("quirkyWorkbenchUrl", await serve(createService({ quirks: quirkNames })));
}

async function serve(service: Service): Promise<string> {
  const { url, close } = await startWorkbench({
    port: 0,
    addinDir: resolve("dist"),
    pageDir: resolve("build/workbench"),
    mount: (request) => service.fetch(request),
  });
  closing.push(close);
  return url;
}

export async function teardown() {
  await Promise.all(closing.map((close) => close()));
}

declare module "vitest" {
  interface ProvidedContext {
    workbenchUrl: string;
    /** The same before a service that has every quirk. */
    quirkyWorkbenchUrl: string;
  }
}
