import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** One more than a small machine of a build service has processors: a worker often waits for its browser or its server. */
const maxWorkers = 3;

/** Nothing is slower on a busy machine than what is right: these limits only end what would never end. */
const limits = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 30_000 } } };
/** After each test, everything that it replaced is as it was. */
const restored = { restoreMocks: true, unstubGlobals: true, setupFiles: "test/async/page-pauses.ts" };

/** Real connections, which do not go with a clock that another file plays, and a clock that takes all timers. */
const alone = [
  "test/deployment/{nginx,servers}.test.ts",
  "test/reference-service/geography/gazetteer.test.ts",
  "test/reference-service/reference-server.test.ts",
  "test/engine/transport/redirect.test.ts",
  "test/workbench/host/workbench-server.test.ts",
];

/** The journeys that every change takes in a browser, thirty at most: `npm test` has no other tests there. */
const journeys = [
  "cells/{formula-refresh,formulas}",
  "hostile/{killed,pane}",
  "layout/chrome",
  "imports/{beside,fill,find,imports,refresh,whole-job}",
  "pane/screens",
  "sharing/{share,sharing}",
].map((files) => `test/e2e/${files}.test.ts`);

/** Random histories, and people who type meanwhile: they take minutes, and a change seldom meets them first. */
const plays = ["test/truth/**/*.test.ts", "test/reliability/people/people.test.ts"];

/** Tests on the built add-in in the workbench. `allLooks` is true if each screen is tried in all of layout/looks.ts. */
const inBrowser = (name: string, include: string[], allLooks: boolean) => ({
  test: {
    name,
    include,
    globalSetup: "test/e2e/start-workbench.ts",
    maxWorkers,
    provide: { allLooks },
    // A worker keeps its browser, and the pages that open-workbench.ts has emptied, from file to file.
    isolate: false,
    ...limits,
  },
});

/**
 * Long files begin first, so that no worker is left alone with one at the end: the browser's files before all
 * others. Projects come one after the other: a worker that keeps its modules ends where another project's file is next.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) =>
      /whole-job|fixed-service|lookup\/quirks|test\/reliability|workbench\/grid|office-apis/.test(moduleId);
    const projects = ["browser", "journeys", "plays", "alone", "node"];
    const place = (file: TestSpecification) =>
      2 * projects.indexOf(file.project.name) + (isLong(file) ? 0 : 1);
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", ...plays, ...alone],
          maxWorkers,
          // A worker makes the reference service's geography once for all its files.
          isolate: false,
          ...restored,
          ...limits,
        },
      },
      {
        test: {
          name: "alone",
          include: alone,
          maxWorkers,
          ...restored,
          ...limits,
        },
      },
      {
        test: {
          name: "plays",
          include: plays,
          maxWorkers,
          setupFiles: "test/async/page-pauses.ts",
          ...limits,
        },
      },
      inBrowser("journeys", journeys, false),
      inBrowser("browser", ["test/e2e/**/*.test.ts"], true),
    ],
  },
});
