import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { request } from "@playwright/test";
import { expect, it } from "vitest";
import { workbenchUrl } from "../open-workbench";

const dist = resolve("dist");
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(dist.length + 1)
      .replaceAll("\\", "/"),
  );

it("the workbench serves the add-in byte for byte, but for the address of office.js", async () => {
  const context = await request.newContext({ ignoreHTTPSErrors: true });
  expect(files).toContain("taskpane.html");
  for (const name of files) {
    const response = await context.get(`${workbenchUrl()}addin/${name}`);
    const built = readFileSync(join(dist, name));
    const expected =
      name === "taskpane.html"
        ? Buffer.from(
            built
              .toString("utf8")
              .replace(
                '"https://officeapis.public.onecdn.static.microsoft/1/office.js"',
                '"/office-js/office.js"',
              ),
          )
        : built;
    expect((await response.body()).equals(expected), name).toBe(true);
  }
  await context.dispose();
});

it("office.js is Microsoft's, unchanged", async () => {
  const context = await request.newContext({ ignoreHTTPSErrors: true });
  for (const name of ["office.js", "excel-web-16.00.js"]) {
    const response = await context.get(`${workbenchUrl()}office-js/${name}`);
    const installed = readFileSync(resolve("node_modules/@microsoft/office-js/dist", name));
    expect((await response.body()).equals(installed), name).toBe(true);
  }
  await context.dispose();
});
