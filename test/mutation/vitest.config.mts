import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The tests of the folder under mutation (see scripts/mutation.ts): they must catch each mutant, not the tests of its callers. */
const { MUTATION_TESTS: tests = "" } = process.env;
/** Tests outside the folder that count as its own: code that works in a sheet is tested through Excel. */
const alsoHeldBy: Record<string, string[]> = { "workbook/sheet/**/*.test.ts": ["excel/**/*.test.ts"] };

/** Runs test files without the reference service first: one failure is enough, and making its geography takes longer than most tests. */
class CheapFirst extends BaseSequencer {
  override sort(files: TestSpecification[]) {
    const cost = ({ moduleId }: TestSpecification) =>
      /recorded-service|reference-service\/service|open-excel/.test(readFileSync(moduleId, "utf8")) ? 1 : 0;
    return Promise.resolve([...files].sort((one, other) => cost(one) - cost(other)));
  }
}

export default defineConfig({
  test: {
    include: [tests, ...(alsoHeldBy[tests] ?? [])].map((path) => `test/${path}`),
    exclude: [
      // Random cases would kill a mutant on one day and not on another.
      "test/**/*propert*.test.ts",
      // Real connections do not work with the clock that other files of the same thread play.
      "test/engine/transport/redirect.test.ts",
      // Every quirk with every kind of question takes longest, and would again for each mutant.
      "test/engine/lookup/quirks.test.ts",
    ],
    // One thread for each mutant, which all its test files share, costs less than one for each file.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    setupFiles: "test/async/page-pauses.ts",
    sequence: { sequencer: CheapFirst },
    // A mutant that waits for ever fails its test before Stryker has to end the whole process.
    testTimeout: 20_000,
  },
});
