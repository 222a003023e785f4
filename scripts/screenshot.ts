/** Takes all pictures of README, guide and help anew, or only the named ones. Run it after a build. */
import { writeFileSync } from "node:fs";
import { besideList } from "./pictures/beside-list";
import { changes, changesSheet } from "./pictures/changes";
import { citations } from "./pictures/citations";
import { comparison } from "./pictures/comparison";
import { histogramIn, mapIn } from "./pictures/drawn-summary";
import { formulaBuilder } from "./pictures/formula-builder";
import { openStudio, type Scene } from "./pictures/scene";
import { sideBySide } from "./pictures/side-by-side";
import { wholeState } from "./pictures/whole-state";

interface Picture {
  /** Brings the workbench into the state that the picture shows. */
  setUp(scene: Scene): Promise<void>;
  /** The whole page; sheet and pane without the ribbon; or only the pane. */
  of: "page" | "work" | "pane";
}

/** The pictures by their file names in docs/images. */
const pictures: Record<string, Picture> = {
  workbench: { setUp: comparison, of: "page" },
  "beside-list": { setUp: besideList, of: "work" },
  "side-by-side": { setUp: sideBySide, of: "work" },
  "whole-state": { setUp: wholeState, of: "pane" },
  changes: { setUp: changes, of: "work" },
  "changes-sheet": { setUp: changesSheet, of: "work" },
  citations: { setUp: citations, of: "work" },
  "formula-builder": { setUp: formulaBuilder, of: "work" },
  summary: { setUp: histogramIn("light"), of: "pane" },
  "summary-dark": { setUp: histogramIn("dark"), of: "pane" },
  "summary-contrast": { setUp: histogramIn("high contrast"), of: "pane" },
  map: { setUp: mapIn("light"), of: "pane" },
  "map-dark": { setUp: mapIn("dark"), of: "pane" },
  "map-contrast": { setUp: mapIn("high contrast"), of: "pane" },
};

const mostBytes = 150_000;

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pictures);
const studio = await openStudio();
for (const name of names) {
  const picture = pictures[name];
  if (!picture) throw new Error(`There is no picture ${name}, but ${Object.keys(pictures).join(", ")}.`);
  const scene = await studio.open();
  await picture.setUp(scene);
  const path = `docs/images/${name}.webp`;
  const image = await studio.asWebp(await scene.page.screenshot({ clip: await clipOf(scene, picture.of) }));
  await scene.page.close();
  writeFileSync(path, image);
  console.log(`${path}, ${Math.round(image.length / 1_000)} kB`);
  if (image.length > mostBytes) console.error(`That is more than ${mostBytes / 1_000} kB.`);
}
await studio.close();

async function clipOf({ page }: Scene, of: Picture["of"]) {
  const whole = { x: 0, y: 0, width: 0, height: 0, ...page.viewportSize() };
  const pane = (await page.locator("#pane").boundingBox()) ?? whole;
  if (of === "pane") return pane;
  return of === "page" ? whole : { ...whole, y: pane.y, height: whole.height - pane.y };
}
