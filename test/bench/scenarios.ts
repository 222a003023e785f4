import type { Scenario } from "./scenario";
import { refreshWorkbook } from "./scenarios/command/refresh-workbook";
import { repairWorkbook } from "./scenarios/command/repair-workbook";
import { xlsxFile } from "./scenarios/command/xlsx-file";
import { find } from "./scenarios/find";
import { formulasCold } from "./scenarios/formulas-cold";
import { formulasDirectoryKnown } from "./scenarios/formulas-directory-known";
import { formulasFromMemory } from "./scenarios/formulas-from-memory";
import { formulasInChromium } from "./scenarios/formulas-in-chromium";
import { formulasOneStateCold } from "./scenarios/formulas-one-state-cold";
import { formulasSparse } from "./scenarios/formulas-sparse";
import { growth } from "./scenarios/growth";
import { matrixPlan } from "./scenarios/matrix-plan";
import { manyUsers } from "./scenarios/many-users";
import { map } from "./scenarios/workbench/map";
import { memoryPerAnswer } from "./scenarios/memory-per-answer";
import { national } from "./scenarios/workbench/national";
import { pane } from "./scenarios/workbench/pane";
import { queue } from "./scenarios/queue";
import { rateLimited } from "./scenarios/rate-limited";
import { relay } from "./scenarios/relay";
import { restartFromDisk } from "./scenarios/restart-from-disk";
import { store } from "./scenarios/store";
import { scale } from "./scenarios/workbench/scale";

/** The benches by name, in the order in which they run. */
export const scenarios = {
  "formulas-cold": formulasCold,
  "formulas-one-state-cold": formulasOneStateCold,
  "formulas-directory-known": formulasDirectoryKnown,
  "formulas-sparse": formulasSparse,
  "formulas-from-memory": formulasFromMemory,
  "formulas-in-chromium": formulasInChromium,
  "restart-from-disk": restartFromDisk,
  "memory-per-answer": memoryPerAnswer,
  store,
  "matrix-plan": matrixPlan,
  find,
  pane,
  map,
  growth,
  queue,
  "rate-limited": rateLimited,
  relay,
  "many-users": manyUsers,
  "refresh-workbook": refreshWorkbook,
  "repair-workbook": repairWorkbook,
  "xlsx-file": xlsxFile,
  scale,
  national,
} as const satisfies Record<string, Scenario>;

export type BenchName = keyof typeof scenarios;

export function isBenchName(name: string): name is BenchName {
  return Object.hasOwn(scenarios, name);
}
