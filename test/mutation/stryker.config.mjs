// See scripts/mutation.ts.
const { MUTATED_FILES = "", MUTATION_REPORT, MUTATION_TESTS = "" } = process.env;

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export const config = {
  mutate: MUTATED_FILES.split(","),
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.mts", related: false },
  coverageAnalysis: "perTest",
  // Constants are made when a module is read: each such mutant would run every test of the folder.
  ignoreStatic: true,
  // Many a mutant's tests wait, for something that it no longer does. So there are more runs than cores, and each may take that much longer.
  concurrency: 4,
  timeoutFactor: 5,
  // A file's own tests take seconds, so an endless loop is ended sooner there.
  timeoutMS: MUTATION_TESTS.includes("**") ? 20_000 : 5_000,
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: MUTATION_REPORT },
  ignorePatterns: ["/dist", "/build", "/docs", "/reports", "/assets"],
  allowConsoleColors: false,
  disableTypeChecks: false,
};
export default config;
