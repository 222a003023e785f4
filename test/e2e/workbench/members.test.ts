import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Frame } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {} from "../../../workbench/page/workbench-api";
import { startWorkbench } from "../../../workbench/workbench-server";
import { memberCases } from "../../workbench/members/all-cases";
import { playCase } from "../../workbench/members/member-case";
import { drawSeldom } from "../../../scripts/browser";
import { closeBrowser, ready, sharedBrowser } from "../open-workbench";

const certificateDir = mkdtempSync(join(tmpdir(), "workbench-certificate-"));
let server: Awaited<ReturnType<typeof startWorkbench>>;
let addin: Frame;

beforeAll(async () => {
  server = await startWorkbench({
    port: 0,
    addinDir: resolve("test/workbench/fixture-addin"),
    pageDir: resolve("build/workbench"),
    certificateDir,
  });
  const context = await (await sharedBrowser()).newContext({ ignoreHTTPSErrors: true });
  await context.addInitScript(drawSeldom);
  const page = await context.newPage();
  await page.goto(server.url);
  await ready(page);
  addin = page.frames().find((frame) => new URL(frame.url()).pathname.startsWith("/addin/"))!;
});

afterAll(async () => {
  await closeBrowser();
  await server?.close();
  rmSync(certificateDir, { recursive: true });
});

describe("on the grid", () => {
  it.each(memberCases)("$name ($source)", async ({ work, expected }) => {
    const source = `(context) => (${playCase.toString()})(context, ({ ${asMethod(work)} }).work, ${setSelectedData})`;
    const given = await addin.evaluate(
      // eslint-disable-next-line no-eval -- the test's own functions, of which only their text gets into the page.
      (text) => Excel.run((0, eval)(text) as (context: Excel.RequestContext) => Promise<never>),
      source,
    );
    expect(given).toEqual(expected);
  });
});

/** The source text of a `SetSelectedData`, which uses the page's own office.js. */
const setSelectedData = `(data) => new Promise((resolve) =>
  Office.context.document.setSelectedDataAsync(data, ({ error }) => resolve(error ? error.code : 0)))`;

/** A method's source text is valid only inside an object. */
function asMethod(work: (...given: never[]) => unknown): string {
  const text = work.toString();
  return /^(async )?work\(/.test(text) ? text : `work: ${text}`;
}
