import { defineConfig } from "vitest/config";

/** The folder under mutation, see scripts/mutation.ts: held by its own tests, without what others notice of it. */
const folder = process.env.MUTATED_FOLDER;

export default defineConfig({
  test: {
    include: [`test/${folder}/**/*.test.ts`],
    // Random cases would kill a mutant on one day and not on another.
    exclude: ["test/**/*propert*.test.ts"],
    // One thread for each mutant, which all its test files share: a thread of its own for each costs more than the tests.
    isolate: false,
    // A mutant that waits for ever fails its test before Stryker has to end the whole process.
    testTimeout: 10_000,
  },
});
