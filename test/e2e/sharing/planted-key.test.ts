import { type AddressInfo, createServer } from "node:net";
import { serve } from "@hono/node-server";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { spaceOf } from "../../../src/engine/cache/space";
import { createService } from "../../../reference-service/service";
import { closeBrowser, openWorkbench, type Workbench, workbenchUrl } from "../open-workbench";
import { pasteGeoids, toggleType } from "../imports/import-steps";
import { openStep, openTab, runCollection } from "../pane-steps";
import { keyIn, markupOf, plantedKey, storedBy } from "./planted-key";

/** Answers instead of the service while it is set. */
let answer: ((request: Request) => Response | Promise<Response>) | undefined;
/** Requests that reached the address to which the service's answers lead, and should not have. */
const astray: string[] = [];

const base64Key = Buffer.from(plantedKey).toString("base64");
const echo = `Header X-API-Key: ${plantedKey} or ${encodeURIComponent(plantedKey)} or ${base64Key} is odd <img src=/markup>.`;
const said = "Header X-API-Key: •••• or •••• or •••• is odd <img src=/markup>";
const cors = { "Access-Control-Allow-Origin": "*" };
const failing = (status: number, error: string) => () =>
  Response.json(
    { response_type: "error", description: echo, error, status_code: status },
    { status, headers: cors },
  );

/** Ways to fail that repeat the key, and the sentence for each. */
const failures: [name: string, answer: () => Response, sentence: RegExp][] = [
  ["wrong or expired", failing(401, "API_KEY_INVALID"), /does not accept this API key.*wrong or expired/],
  ["no rights", failing(403, "FORBIDDEN"), /This API key does not give access to this/],
  ["invalid", failing(422, "VALIDATION"), new RegExp(`refused the request.*${said}`)],
  ["failing", failing(500, "INTERNAL"), new RegExp(`The service reported a failure.*${said}`)],
  [
    "a page instead of data",
    () =>
      new Response(`<html><title>${plantedKey}</title>`, {
        headers: { ...cors, "Content-Type": "text/html" },
      }),
    /not what a regulatory data service sends/,
  ],
  [
    "a redirect to another host",
    () => new Response(null, { status: 307, headers: { ...cors, Location: strangerUrl } }),
    /can't be reached/,
  ],
];

let strangerUrl = "";
let serviceUrl = "";
const closing: (() => void)[] = [];

let workbench: Workbench;
/** Every request of the browser. */
const requests: { url: string; headers: Record<string, string>; body: string }[] = [];
const consoleTexts: string[] = [];
/** Texts that left the page or were shown, each with the name of its moment. */
const seen: [moment: string, text: string][] = [];
const sentences: Record<string, string> = {};
let keyField: object = {};
let workbook = "";
let diagnostics = "";
let keptWhileConnected: [string, string][] = [];
let keptWhenForgotten: [string, string][] = [];

const screen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string | RegExp) => workbench.pane.getByRole("button", { name, exact: true });
const look = async (moment: string) => seen.push([moment, await markupOf(workbench.page)]);
const shows = (text: string | RegExp) => screen().getByText(text).first().waitFor();

function watch(page: Page) {
  page.on("console", (message) => consoleTexts.push(`${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) =>
    consoleTexts.push(`${error.message} ${error.stack} ${String(error.cause)}`),
  );
}

beforeAll(async () => {
  const stranger = createServer((socket) => {
    socket.on("data", (data) => astray.push(String(data)));
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  const service = createService({ keys: { [plantedKey]: "demo-west" } });
  const server = await new Promise<ReturnType<typeof serve>>((listening) => {
    const started = serve(
      {
        fetch: (request) =>
          request.method !== "OPTIONS" && answer ? answer(request) : service.fetch(request),
        port: 0,
        hostname: "127.0.0.1",
        overrideGlobalObjects: false,
      },
      () => listening(started),
    );
  });
  closing.push(
    () => stranger.close(),
    () => server.close(),
  );
  strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
  serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  workbench = await openWorkbench({ key: null });
  const { page } = workbench;
  const context = page.context();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  watch(page);
  context.on("page", watch);
  const noting: Promise<unknown>[] = [];
  context.on("request", (request) => {
    const body = request.postData() ?? "";
    noting.push(request.allHeaders().then((headers) => requests.push({ url: request.url(), headers, body })));
  });
  // The page's own files were loaded before the test listened, so it is opened once more, with everything noted.
  await workbench.reopen();

  await connect();
  await work();
  await failAtWork();
  workbook = JSON.stringify(await page.evaluate(() => window.workbench.save()));
  keptWhileConnected = await storedBy(page);
  await forget();
  await Promise.all(noting);
});

afterAll(async () => {
  await workbench.close();
  await closeBrowser();
  for (const close of closing) close();
});

async function connect() {
  const { pane } = workbench;
  const address = pane.getByLabel("Service address");
  const key = pane.getByLabel("API key");
  keyField = await key.evaluate((field: HTMLInputElement) => ({
    type: field.type,
    autocomplete: field.autocomplete,
    value: field.value,
    spellcheck: field.spellcheck,
    masked: getComputedStyle(field).getPropertyValue("-webkit-text-security"),
  }));
  await address.fill("http://another.test");
  await key.fill(plantedKey);
  await button("Connect").click();
  await pane.getByText(/Only https/).waitFor();
  await address.fill(serviceUrl);
  sentences["the key's field after an address that it can't be sent to"] = await key.inputValue();
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => (refuse = resolve));
  answer = () => refused.then(failing(401, "API_KEY_INVALID"));
  await button("Connect").click();
  await button("Checking the key…").waitFor();
  await address.fill("https://another.test", { timeout: 500 }).catch(() => undefined);
  refuse();
  await pane.getByText(/does not accept this API key/).waitFor();
  sentences["the address after one was typed while the key was on its way"] = await address.inputValue();
  // The other failures hit while the add-in works.
  for (const [name, failure, sentence] of failures.slice(1, 3)) {
    answer = failure;
    await key.fill(plantedKey);
    await button("Connect").click();
    await pane.getByText(sentence).waitFor();
    seen.push([`the form's failure: ${name}`, await pane.locator("main").innerText()]);
  }
  answer = undefined;
  await address.fill("https://another.test");
  sentences["the key's field for another address"] = await key.inputValue();
  await address.fill(serviceUrl);
  await key.fill(plantedKey);
  await button("Connect").click();
  await pane.getByRole("tab", { name: "Get data" }).waitFor();
  await look("connected");
}

/** Uses formulas, an import with its sources, its refresh and summary, a refresh and a freeze of formulas, settings, and help. */
async function work() {
  const { page, pane } = workbench;
  await workbench.setFormulas("A1:A4", [
    ['=REGDATA.VALUE("06001", 1056)'],
    ['=REGDATA.CITATION("06001", 1056)'],
    ['=REGDATA.AHJ("06037", "name")'],
    ["=REGDATA.COLLECTIONS()"],
  ]);
  await workbench.setFormulas("H1", [['=REGDATA.MATRIX({"06001";"06037"}, {1056,1001})']]);
  expect(await workbench.values("A1")).not.toEqual([["#N/A"]]);

  await pasteGeoids(workbench, ["06001", "06037", "32003"]);
  await toggleType(workbench, 1056);
  await openStep(workbench, "Where in the workbook");
  await screen().getByRole("combobox", { name: "Citations" }).selectOption("On a Sources sheet");
  await button("Insert on a new sheet").click();
  await shows(/Inserted: 3 jurisdictions/);
  await look("imported");

  await openTab(workbench, "Get data");
  await runCollection(workbench, "Residential solar");
  await look("a collection");
  await openTab(workbench, "In this workbook");
  await button("Refresh Minimum Permit Fee").click();
  await shows("Nothing has changed.");
  await screen().getByText("Summary", { exact: true }).click();
  await screen().getByRole("list", { name: "Summary of Minimum Permit Fee" }).waitFor();
  await look("refreshed, with a summary");

  await openTab(workbench, "In this workbook");
  await screen().getByLabel("Formulas in").selectOption({ label: "the workbook" });
  await button("Refresh").click();
  await shows(/formulas refreshed/);
  await button("Freeze").click();
  await shows(/frozen: the cells hold plain values now/);
  await look("frozen");
  await openTab(workbench, "Source");
  await workbench.select("Sheet1!A1");
  await look("a cell");

  await openTab(workbench, "Settings");
  await shows(/key ••••Q7~x/);
  await screen().getByText("For support", { exact: true }).click();
  await button("Copy diagnostics").click();
  await pane.getByRole("region", { name: "About" }).getByRole("status").waitFor();
  diagnostics = await page.evaluate(() => navigator.clipboard.readText());
  await screen().getByText("What is copied").click();
  await look("settings");

  const [help] = await Promise.all([
    page.context().waitForEvent("page"),
    page.evaluate(() => window.workbench.press("RegData.Help")),
  ]);
  await help.waitForURL(/help\/help\.html/);
  seen.push(["help", await markupOf(help)]);
  await help.close();
}

/** Lets the same service fail, formula by formula and in the pane. */
async function failAtWork() {
  const { page } = workbench;
  await openTab(workbench, "In this workbook");
  for (const [at, [name, failure, sentence]] of failures.entries()) {
    answer = failure;
    const cell = `Sheet1!Z${at + 1}`;
    // The formulas are entered together, for each asks several times if the service cannot be reached.
    await workbench.setFormulas(cell, [[`=REGDATA.VALUE("06059", ${1001 + at})`]]);
    await button("Refresh Minimum Permit Fee").click();
    await shows(sentence);
    expect(String(await workbench.values(cell))).toMatch(/^#(N\/A|VALUE!)$/);
    sentences[name] = (await workbench.errorMessage(cell)) ?? "";
    await look(`failing: ${name}`);
  }
  answer = undefined;
  seen.push(["problems", JSON.stringify(await workbench.problems())]);
  seen.push(["addresses", JSON.stringify(page.frames().map((frame) => frame.url()))]);
}

async function forget() {
  await openTab(workbench, "Settings");
  await button(/^Forget 127/).click();
  await button("Forget it").click();
  await workbench.pane.getByLabel("Service address").waitFor();
  // The cache is erased in the background.
  const fingerprint = await spaceOf(serviceUrl, plantedKey);
  const isLeft = async () => JSON.stringify(await storedBy(workbench.page)).includes(fingerprint);
  await vi
    .waitUntil(async () => !(await isLeft()), { timeout: 10_000, interval: 200 })
    .catch(() => undefined);
  keptWhenForgotten = await storedBy(workbench.page);
  await look("forgotten");
}

describe("a planted key", () => {
  it("goes to the address it was entered for, in its header, and nowhere else", () => {
    const carrying = requests.filter((request) => keyIn(JSON.stringify(request)));
    expect(carrying.length).toBeGreaterThan(10);
    for (const { url, headers, body } of carrying) {
      const { "x-api-key": key, ...others } = headers;
      expect(new URL(url).origin).toBe(serviceUrl);
      expect(key).toBe(plantedKey);
      expect(keyIn(JSON.stringify({ url, others, body }))).toBeNull();
    }
  });

  it("follows no redirect", () => {
    expect(astray).toEqual([]);
  });

  it("is typed unseen into an empty field that no browser fills, reads or offers to save", () => {
    expect(keyField).toEqual({
      type: "text",
      autocomplete: "one-time-code",
      value: "",
      spellcheck: false,
      masked: "disc",
    });
  });

  it("is asked for again for another address, once it was sent", () => {
    expect(sentences["the key's field after an address that it can't be sent to"]).toBe(plantedKey);
    expect(sentences["the address after one was typed while the key was on its way"]).toBe(serviceUrl);
    expect(sentences["the key's field for another address"]).toBe("");
  });

  it("is in no saved workbook: no cell, no setting, no custom XML", () => {
    expect(workbook).toContain("Minimum Permit Fee");
    expect(keyIn(workbook)).toBeNull();
  });

  it("is in no screen, attribute or field once connected, whatever the service repeats", () => {
    expect(seen.length).toBeGreaterThan(15);
    for (const [moment, text] of seen) expect(keyIn(text), moment).toBeNull();
  });

  it("is in no cell's message; a wrong or expired key is told apart from missing rights", () => {
    for (const [name, , sentence] of failures) {
      expect(sentences[name], name).toMatch(sentence);
      expect(keyIn(sentences[name] ?? ""), name).toBeNull();
    }
  });

  it("is in no line of the console and no error", () => {
    expect(consoleTexts.length).toBeGreaterThan(0);
    expect(consoleTexts.filter(keyIn)).toEqual([]);
  });

  it("is in no diagnostics text, nor is the address's path", () => {
    expect(diagnostics).toContain("RegData for Excel");
    expect(keyIn(diagnostics)).toBeNull();
  });

  it("is kept in one item of the add-in's own storage, and of no other's", () => {
    const holding = keptWhileConnected.filter(([, content]) => keyIn(content));
    expect([...new Set(holding.map(([place]) => place))]).toEqual([
      "localStorage _OfficeRuntime_Storage_regdata.connection",
    ]);
  });

  it("is forgotten in one click, with all answers that were fetched with it and its fingerprint", async () => {
    const fingerprint = await spaceOf(serviceUrl, plantedKey);
    expect(JSON.stringify(keptWhileConnected)).toContain(fingerprint);
    for (const [place, content] of keptWhenForgotten) {
      expect(keyIn(content), place).toBeNull();
      expect(content, place).not.toContain(fingerprint);
    }
    const answers = keptWhenForgotten.filter(([place]) => place === "IndexedDB regdata shards");
    expect(answers.map(([, content]) => content)).toEqual(answers.map(() => "[[],[]]"));
    expect(answers.length).toBeGreaterThan(0);
  });
});

describe("a session", () => {
  it("asks its own address and the service, and no third party", () => {
    const own = new URL(workbenchUrl()).origin;
    expect([...new Set(requests.map(({ url }) => new URL(url).origin))].sort()).toEqual(
      [own, serviceUrl].sort(),
    );
    expect(requests.some(({ url }) => url.includes("/help/"))).toBe(true);
  });

  it("shows markup of the service as text", () => {
    const shown = seen.filter(([, text]) => text.includes("&lt;img src=/markup&gt;"));
    expect(shown.map(([moment]) => moment)).toEqual(["failing: invalid", "failing: failing"]);
    expect(requests.filter(({ url }) => url.includes("/markup"))).toEqual([]);
  });
});
