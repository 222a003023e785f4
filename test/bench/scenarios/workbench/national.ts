import type { Page } from "@playwright/test";
import { described } from "../../pane/blocks";
import { bytesAtRest, bytesOf, measuringArgs } from "../../pane/memory";
import { insert, measuredPage, open, refreshImports, takeBlocks } from "../../pane/open-book";
import { addTypes, inWorkbench, pasteGeoids, type ServedWorkbench } from "../../pane/served-workbench";
import { finding } from "../../result";
import type { Scenario } from "../../scenario";
import { readReferenceData } from "../../service/reference-data";
import { spreadOverStates } from "../../play/work";

const size = { ahjs: 30_000, types: 53, formulasASecond: 10 };
/** How many other imports are in the workbook. Each takes a second to make, so there are few where blocks are measured. */
const imports = { forMemory: 200, forBlocks: 20 };
const most = { mb: 400, formulaMs: 2_000, blockMs: 50, storeMb: 80, growth: 1.1 };
/** The share of the import's requests that are answered before the network is cut off. */
const answeredShare = 0.7;
const port = 3_031;

/**
 * Imports the whole country, 30,000 jurisdictions x 53 types, in the workbench: it is cut off, tried again and refreshed, while formulas
 * are entered every second and other imports are in the workbook. It runs twice, since measuring memory collects garbage, which would
 * count as blocks. Run after a build.
 */
export const national: Scenario = async ({ credentials, progress }) => {
  const { ahjs, types, residentialTypes } = await readReferenceData(credentials);
  const geoids = spreadOverStates(ahjs, size.ahjs).flatMap(({ geoid }) => geoid ?? []);
  const selections = [{ name: "Two", typeIds: residentialTypes.slice(0, 2).map(({ id }) => id) }];
  const storage = { "regdata.selections": JSON.stringify({ version: 1, selections }) };
  const cells = geoids.length * size.types;

  async function play({ browser, url }: ServedWorkbench, others: number, isMemoryMeasured: boolean) {
    const page = await measuredPage(browser, 600_000);
    const network = await watchMatrices(page);
    await open(page, url);
    const pane = page.frameLocator("iframe");

    progress(`${others} imports`);
    await pasteGeoids(pane, geoids.slice(0, 10));
    await addTypes(pane, "Two", 2);
    for (let made = 0; made < others; made += 1) await insert(page, pane, `Z${made * 12 + 1}`);

    progress("the country, cut off");
    // The pasted geoIDs include the ones that are chosen already.
    await pasteGeoids(pane, geoids);
    await addTypes(pane, "Residential solar", size.types);
    const before = (await bytesAtRest(page)).addIn / 1e6;
    await takeBlocks(page);
    network.matrices.length = 0;
    network.cutAfterCells(cells * answeredShare);
    const memory = isMemoryMeasured ? sampleMemory(page) : undefined;
    const formulas = enterFormulas(page, geoids.slice(0, 200), types.at(-1)?.id ?? 0);
    await pane.getByRole("button", { name: "Insert on a new sheet" }).click();
    const said = await pane.getByText(/[\d,]+ of [\d,]+ jurisdictions are complete/).innerText();
    const came = network.answered().ahjs;
    const told = Number(/([\d,]+) of/.exec(said)?.[1]?.replaceAll(",", "") ?? NaN);
    const cutBlocks = await takeBlocks(page);

    progress("tried again");
    network.cutAfterCells(Infinity);
    network.matrices.length = 0;
    const startMs = Date.now();
    await insert(page, pane);
    const ms = Date.now() - startMs;
    const again = network.answered();
    const importBlocks = await takeBlocks(page);
    const waited = await formulas.end();

    progress("refreshed, with the others");
    network.matrices.length = 0;
    await pane.getByRole("tab", { name: "In this workbook" }).click();
    await refreshImports(pane);
    const refreshed = network.matrices.length;
    const largest = await memory?.end();
    const refreshBlocks = await takeBlocks(page);
    const after = (await bytesAtRest(page)).addIn / 1e6;
    await page.close();
    return {
      ...{ said, came, told, again, ms, waited, refreshed },
      memory: { before, largest: largest ?? NaN, after },
      blocks: { "cut off": cutBlocks, "tried again": importBlocks, refreshed: refreshBlocks },
    };
  }

  return inWorkbench({ key: credentials.key, port, storage, browserArgs: measuringArgs }, async (served) => {
    const { said, came, told, again, ms, waited, refreshed, memory } = await play(
      served,
      imports.forMemory,
      true,
    );
    progress("once more, without measuring memory");
    const { blocks } = await play(served, imports.forBlocks, false);

    const longest = Object.values(blocks)
      .flat()
      .sort((one, other) => other.ms - one.ms);
    const p95Ms = waited.toSorted((one, other) => one - other)[Math.floor(waited.length * 0.95)] ?? Infinity;
    const mostAfterMb = memory.before * most.growth + most.storeMb;
    return finding(
      "national",
      { size: cells, requests: again.requests, ms, memoryMb: memory.largest },
      [
        {
          text: "says rightly what had come",
          met: told === came,
          miss: `It says ${told} jurisdictions, ${came} had come.`,
        },
        {
          text: "asks only for the rest",
          met: again.ahjs === geoids.length - came,
          miss: `It asks for ${again.ahjs} more, ${geoids.length - came} were left.`,
        },
        {
          text: `at most ${most.mb} MB`,
          met: memory.largest <= most.mb,
          miss: `${memory.largest.toFixed(0)} MB at the most.`,
        },
        {
          text: `afterwards at most ${mostAfterMb.toFixed(0)} MB`,
          met: memory.after <= mostAfterMb,
          miss: `${memory.after.toFixed(0)} MB, ${memory.before.toFixed(0)} before.`,
        },
        {
          text: `formulas within ${most.formulaMs} ms (95 of 100)`,
          met: p95Ms <= most.formulaMs,
          miss: `${p95Ms.toFixed(0)} ms.`,
        },
        {
          text: `no block beyond ${most.blockMs} ms`,
          met: longest.every((block) => block.ms <= most.blockMs),
          miss: `The longest: ${described(longest.slice(0, 6))}.`,
        },
      ],
      [
        `${came.toLocaleString("en-US")} jurisdictions had come when it was cut off; "${said.split("\n")[0]}"`,
        `tried again: ${again.requests} requests, ${(ms / 1_000).toFixed(1)} s`,
        `${waited.length} formulas meanwhile, 95 of 100 within ${p95Ms.toFixed(0)} ms, the slowest ${Math.max(...waited).toFixed(0)}`,
        `memory: ${memory.before.toFixed(0)} MB before, ${memory.largest.toFixed(0)} at the most, ${memory.after.toFixed(0)} after`,
        `refreshed with ${imports.forMemory} others: ${refreshed} requests`,
        ...Object.entries(blocks).map(
          ([when, some]) =>
            `longest blocks, ${when}: ${described(some.toSorted((one, other) => other.ms - one.ms).slice(0, 4)) || "none beyond a frame"}`,
        ),
      ],
    );
  });
};

interface SentMatrix {
  ahjs: number;
  cells: number;
}

/** Watches the requests for matrices, and can cut off the network once enough cells were asked for. */
async function watchMatrices(page: Page) {
  const matrices: SentMatrix[] = [];
  let mostCells = Infinity;
  await page.route("**/v1/reports/matrix", async (route) => {
    const { ahj_ids, data_point_type_ids } = route.request().postDataJSON() as Record<string, number[]>;
    const ahjs = ahj_ids?.length ?? 0;
    const cells = ahjs * (data_point_type_ids?.length ?? 0);
    const asked = matrices.reduce((sum, each) => sum + each.cells, 0);
    const isImport = data_point_type_ids?.length === size.types;
    if (isImport && asked > mostCells) return route.abort();
    if (isImport) matrices.push({ ahjs, cells });
    return route.continue();
  });
  return {
    matrices,
    cutAfterCells: (cells: number) => void (mostCells = cells),
    answered: () => ({
      requests: matrices.length,
      ahjs: matrices.reduce((sum, { ahjs }) => sum + ahjs, 0),
    }),
  };
}

/** The largest of samples that are taken once a second, in MB. */
function sampleMemory(page: Page) {
  let isOver = false;
  let largest = 0;
  const sampling = (async () => {
    while (!isOver) {
      largest = Math.max(largest, (await bytesOf(page, { isForced: false })).addIn);
      await page.waitForTimeout(1_000);
    }
  })();
  return {
    async end() {
      isOver = true;
      await sampling;
      return largest / 1e6;
    },
  };
}

/** Enters some formulas each second into a sheet of their own, and notes how long each took to be answered. */
function enterFormulas(page: Page, geoids: readonly string[], typeId: number) {
  let isOver = false;
  const waited: number[] = [];
  const entering = (async () => {
    for (let second = 0; !isOver; second += 1) {
      const some = Array.from(
        { length: size.formulasASecond },
        (_, index) => geoids[(second * size.formulasASecond + index) % geoids.length] ?? "",
      );
      const formulas = some.map((geoid, index) => [
        `=REGDATA.VALUE("${geoid}",${typeId - ((second + index) % 5)})`,
      ]);
      const ms = await page.evaluate(enterAndWait, { row: second * size.formulasASecond + 1, formulas });
      waited.push(...ms);
      await page.waitForTimeout(Math.max(0, 1_000 - Math.max(...ms)));
    }
  })();
  return {
    async end() {
      isOver = true;
      await entering;
      return waited;
    },
  };
}

/** Runs in the page, because the tool that drives the page adds time of its own. */
async function enterAndWait({ row, formulas }: { row: number; formulas: string[][] }): Promise<number[]> {
  const { workbench } = window;
  const startMs = performance.now();
  workbench.setFormulas(`Sheet1!A${row}`, formulas);
  const waited = formulas.map(() => 0);
  while (waited.includes(0) && performance.now() - startMs < 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const values = workbench.getValues(`Sheet1!A${row}:A${row + formulas.length - 1}`).flat();
    values.forEach((value, index) => {
      if (waited[index] === 0 && value !== "#BUSY!") waited[index] = performance.now() - startMs;
    });
  }
  return waited.map((ms) => ms || 60_000);
}
