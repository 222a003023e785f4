/** The main job, by what is seen: connect, ten formulas, a comparison matrix, and a refresh after a month of changes. */
import { until } from "./program";
import { askedByFormulas, imported, type Sample } from "./sample-answers";
import { screenOf } from "./screen";
import type { Tab } from "./tab";

export interface Job {
  url: string;
  key: string;
  /** The sample service's answers when the job begins, and after `publish`. */
  before: Sample;
  after: Sample;
  /** The service's answers change. */
  publish(): void;
  /** Told of each step that is done. */
  done(step: string, seconds: number): void;
}

/** Rejects with the step and what was otherwise there. */
export async function doMainJob(tab: Tab, { url, key, before, after, publish, done }: Job): Promise<void> {
  const screen = screenOf(tab);

  await step("the workbench opens", async () => {
    await tab.open(url);
    await until("the page has set itself up", () => tab.run(() => "workbench" in window));
    await tab.run(() => window.workbench.ready);
  });

  await step("the pane connects", async () => {
    await screen.fill(/^Service address/, new URL(url).origin);
    await screen.fill(/^API key/, key);
    await screen.press("button", /^Connect$/);
    await screen.shows(/Paste a list/);
  });

  await step("ten formulas are answered", async () => {
    await screen.pressFirstCell();
    await screen.selects("A1");
    for (const [index, { geoid, typeId }] of askedByFormulas.entries()) {
      await tab.type(`=REGDATA.VALUE("${geoid}",${typeId})`);
      await tab.run(closingSuggestions);
      await tab.type("\n");
      // A key that comes at once after Enter would still go into the same cell.
      await screen.selects(`A${index + 2}`);
    }
    await formulasShow(before);
  });

  await step("a comparison matrix is imported", async () => {
    await screen.press("button", /^Paste a list$/);
    await screen.fill(/^Names or geoIDs/, imported.geoids.join(" "));
    await screen.press("button", /^Add the list$/);
    await screen.shows(new RegExp(`${imported.geoids.length} jurisdictions chosen`));
    await screen.openStep("Which questions");
    for (const typeId of imported.typeIds) {
      await screen.fill(/^Search questions/, String(typeId));
      await screen.press("menuitemcheckbox", new RegExp(`\\(${typeId}\\)$`));
    }
    await screen.press("button", /^Insert on a new sheet$/);
    await screen.shows(new RegExp(`${imported.geoids.length} jurisdictions, \\d+ values`));
    await tableShows(before);
  });

  await step("a refresh shows what has changed, and tells it", async () => {
    publish();
    await screen.pressRibbon(/^Refresh all/);
    const changed = imported.geoids.flatMap((geoid) =>
      imported.typeIds.flatMap((typeId) =>
        before.published(geoid, typeId) === after.published(geoid, typeId) ? [] : [{ geoid, typeId }],
      ),
    );
    await screen.shows(new RegExp(`${changed.length} values? changed`));
    for (const { geoid, typeId } of changed) {
      const told = `${after.jurisdiction(geoid)}: ${after.question(typeId)}`;
      await screen.shows(inThisOrder(told, before.published(geoid, typeId), after.published(geoid, typeId)));
    }
    await screen.shows(/formulas refreshed/);
    await tableShows(after);
    await formulasShow(after);
  });

  await step("the workbench has no complaint", async () => {
    same(await tab.run(() => window.workbench.problems), []);
  });

  async function step(name: string, work: () => Promise<void>): Promise<void> {
    const since = performance.now();
    try {
      await work();
    } catch (cause) {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    done(name, (performance.now() - since) / 1_000);
  }

  async function formulasShow(sample: Sample): Promise<void> {
    const address = `Sheet1!A1:A${askedByFormulas.length}`;
    const expected = askedByFormulas.map(({ geoid, typeId }) => [sample.cell(geoid, typeId)]);
    same(await tab.run(settledValues, address), expected);
  }

  /** Rows are told by their geoIDs, which stand in the column before the answers. */
  async function tableShows(sample: Sample): Promise<void> {
    const tables = await tab.run(() => window.workbench.tables());
    const [, ...rows] = await tab.run(settledValues, tables[0]?.address ?? "");
    const shown = rows.map((row) => row.slice(3, 4 + imported.typeIds.length));
    const expected = imported.geoids.map((geoid) => [
      geoid,
      ...imported.typeIds.map((typeId) => sample.cell(geoid, typeId)),
    ]);
    same(shown, expected);
  }
}

function same(shown: unknown, expected: unknown): void {
  if (JSON.stringify(shown) !== JSON.stringify(expected))
    throw new Error(`there is ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`);
}

function inThisOrder(...texts: string[]): RegExp {
  return new RegExp(texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[^]*?"));
}

/** In the page. */
async function settledValues(address: string) {
  await window.workbench.idle();
  return window.workbench.getValues(address);
}

/** In the page: the grid takes Enter for its list of functions until 0.3 s after the last key. */
async function closingSuggestions() {
  await new Promise((done) => setTimeout(done, 500));
}
