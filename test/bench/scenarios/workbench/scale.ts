import type { Page } from "@playwright/test";
import { type Block, described } from "../../pane/blocks";
import { bytesAtRest, measuringArgs } from "../../pane/memory";
import { type BusyMs, profiled } from "../../pane/profile";
import { insert, measuredPage, open, refreshImports, takeBlocks } from "../../pane/open-book";
import { addTypes, inWorkbench, pasteGeoids } from "../../pane/served-workbench";
import { readReferenceData } from "../../service/reference-data";
import { finding } from "../../result";
import type { Scenario } from "../../scenario";
import { spreadOverStates } from "../../play/work";

const size = {
  formulas: { geoids: 1_000, types: 10 },
  matrix: { ahjs: 30_000, types: 15 },
  imports: 200,
  /** A few imports are refreshed, each many times. */
  refreshed: { imports: 10, times: 100 },
};
const most = { blockMs: 200, memoryGrowth: 1.1 };
const port = 3_028;

/**
 * Measures the built add-in in the workbench with more than any real workbook has: time, memory that stays, and whether anything is
 * stuck. Run after a build.
 */
export const scale: Scenario = async ({ credentials, progress }) => {
  const { ahjs, types } = await readReferenceData(credentials);
  const geoids = (count: number) => spreadOverStates(ahjs, count).flatMap(({ geoid }) => geoid ?? []);
  const typeIds = (count: number) => types.slice(0, count).map(({ id }) => id);
  const selections = [
    { name: "Fifteen", typeIds: typeIds(size.matrix.types) },
    { name: "Two", typeIds: typeIds(2) },
  ];
  const storage = { "regdata.selections": JSON.stringify({ version: 1, selections }) };
  const stages: Stage[] = [];
  const memory: Memory[] = [];

  await inWorkbench(
    { key: credentials.key, port, storage, browserArgs: measuringArgs },
    async ({ browser, url }) => {
      const page = await measuredPage(browser, 600_000);
      const stage = async (name: string, work: () => Promise<unknown>) => {
        progress(name);
        const done = await measured(page, name, work);
        stages.push(done);
        progress(stageLine(done));
      };
      const remembered = async (name: string, work: () => Promise<unknown>) => {
        const before = await bytesAtRest(page);
        await work();
        const after = await bytesAtRest(page);
        const done = { name, before: before.addIn, after: after.addIn, grid: after.grid - before.grid };
        memory.push(done);
        progress(memoryLine(done));
      };
      /** Does the same work twice: memory that the second run adds to the first has leaked. */
      const twice = async (name: string, work: () => Promise<unknown>) => {
        await work();
        await remembered(name, work);
      };

      await open(page, url);
      const rows = formulaRows(geoids(size.formulas.geoids), typeIds(size.formulas.types));
      const count = (size.formulas.geoids * size.formulas.types).toLocaleString("en-US");
      await stage(`${count} formulas entered at once`, () => enterFormulas(page, rows));
      await open(page, url);
      await stage("the same after a restart", () => enterFormulas(page, rows));
      await twice("formulas", async () => {
        await clearFormulas(page, rows);
        await enterFormulas(page, rows);
      });
      await clearFormulas(page, rows);

      const pane = page.frameLocator("iframe");
      await pasteGeoids(pane, geoids(size.matrix.ahjs));
      await addTypes(pane, "Fifteen", size.matrix.types);
      const matrix = `${size.matrix.ahjs.toLocaleString("en-US")} jurisdictions x ${size.matrix.types} types`;
      await remembered("imports, once what is kept is cleared", async () => {
        await stage(matrix, () => insert(page, pane));
        await twice("the same import again", () => insert(page, pane));
        await pane.getByRole("button", { name: "Settings" }).click();
        await pane.getByText("For support", { exact: true }).click();
        for (const name of ["Clear…", "Clear"]) await pane.getByRole("button", { name, exact: true }).click();
        await pane.getByRole("button", { name: "Clear…" }).waitFor();
      });

      const fillBook = async (imports: number) => {
        await pasteGeoids(pane, geoids(10));
        await addTypes(pane, "Two", 2);
        await stage(`${imports} imports`, async () => {
          for (let made = 0; made < imports; made += 1) await insert(page, pane, `A${made * 12 + 1}`);
        });
        await pane.getByRole("tab", { name: "In this workbook" }).click();
      };
      const refreshAll = () => refreshImports(pane);

      await open(page, url);
      await fillBook(size.imports);
      await stage(`${size.imports} imports refreshed`, refreshAll);

      await open(page, url);
      const { imports, times } = size.refreshed;
      await fillBook(imports);
      await refreshAll();
      await remembered("refreshes", () =>
        stage(`${imports * times} refreshes`, async () => {
          for (let round = 0; round < times; round += 1) await refreshAll();
        }),
      );
    },
  );

  const blocks = stages.flatMap((each) => each.blocks).sort((one, other) => other.ms - one.ms);
  const grown = memory.filter(({ before, after }) => after > before * most.memoryGrowth);
  return finding(
    "scale",
    { size: size.matrix.ahjs * size.matrix.types, ms: stages.reduce((sum, { ms }) => sum + ms, 0) },
    [
      {
        text: `no block beyond ${most.blockMs} ms`,
        met: blocks.every(({ ms }) => ms <= most.blockMs),
        miss: `The longest: ${described(blocks.slice(0, 8))}.`,
      },
      {
        text: "memory returns to within 10 %",
        met: grown.length === 0,
        miss: grown.map(memoryLine).join("; "),
      },
    ],
    [...stages.map(stageLine), ...memory.map(memoryLine)],
  );
};

interface Stage {
  name: string;
  ms: number;
  busy: BusyMs;
  /** The blocks that the add-in's own scripts caused. */
  blocks: Block[];
}

/** Bytes in use once garbage is collected; `grid` is the growth of the spreadsheet. */
interface Memory {
  name: string;
  before: number;
  after: number;
  grid: number;
}

async function measured(page: Page, name: string, work: () => Promise<unknown>): Promise<Stage> {
  await takeBlocks(page);
  const session = await page.context().newCDPSession(page);
  const startMs = Date.now();
  let endMs = startMs;
  const busy = await profiled(session, async () => {
    await work();
    endMs = Date.now();
  });
  await session.detach();
  // Chromium reports a long frame some time after it has ended.
  await page.waitForTimeout(500);
  return { name, ms: endMs - startMs, busy, blocks: await takeBlocks(page) };
}

function formulaRows(geoids: readonly string[], typeIds: readonly number[]): string[][] {
  return geoids.map((geoid) => typeIds.map((typeId) => `=REGDATA.VALUE("${geoid}",${typeId})`));
}

/** Fails if a cell waits for ever, or shows an error other than that there is no value. */
async function enterFormulas(page: Page, rows: string[][]): Promise<void> {
  const others = await page.evaluate(async (formulas) => {
    const { workbench } = window;
    workbench.setFormulas("A1", formulas);
    await workbench.idle();
    const last = workbench.getValues(`A1:J${formulas.length}`).flat();
    return last.filter((value) => String(value).startsWith("#") && value !== "#N/A");
  }, rows);
  if (others.length > 0) throw new Error(`${others.length} formulas show ${String(others[0])}`);
}

async function clearFormulas(page: Page, rows: string[][]): Promise<void> {
  await page.evaluate(
    async (formulas) => {
      window.workbench.setFormulas("A1", formulas);
      await window.workbench.idle();
    },
    rows.map((row) => row.map(() => "")),
  );
}

function stageLine({ name, ms, busy, blocks }: Stage): string {
  const longest = Math.max(0, ...blocks.map((block) => block.ms));
  const seconds = (of: number) => `${(of / 1_000).toFixed(1)} s`;
  return (
    `${name}: ${seconds(ms)}; the add-in busy ${seconds(busy.addIn)}, office.js ${seconds(busy.officeJs)}, ` +
    `the grid and the browser ${seconds(busy.rest)}; longest block ${longest.toFixed(0)} ms`
  );
}

function memoryLine({ name, before, after, grid }: Memory): string {
  const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return `memory, ${name}: ${mb(before)}, then ${mb(after)}; the grid grew by ${mb(grid)}`;
}
