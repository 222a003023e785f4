import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The folder under mutation, see scripts/mutation.ts: held by its own tests, without what others notice of it. */
const folder = process.env.MUTATED_FOLDER;

/** Files without the reference service first: making its geography takes longer than most tests, and one failure is enough. */
class CheapFirst extends BaseSequencer {
  override sort(files: TestSpecification[]) {
    const cost = ({ moduleId }: TestSpecification) =>
      /recorded-service|service\/service|open-excel/.test(readFileSync(moduleId, "utf8")) ? 1 : 0;
    return Promise.resolve([...files].sort((one, other) => cost(one) - cost(other)));
  }
}

export default defineConfig({
  test: {
    include: [`test/${folder}/**/*.test.ts`],
    // Random cases would kill a mutant on one day and not on another.
    exclude: ["test/**/*propert*.test.ts"],
    // One thread for each mutant, which all its test files share, costs less than one for each file. Tests of the cache
    // replace a module, those of the transport the clock under a real connection: neither may reach another file.
    isolate: folder === "cache" || folder === "transport",
    sequence: { sequencer: CheapFirst },
    // A mutant that waits for ever fails its test before Stryker has to end the whole process.
    testTimeout: 10_000,
  },
});
