const folder = process.env.MUTATED_FOLDER;

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export const config = {
  mutate: [`src/${folder}/**/*.ts`],
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.mts", related: false },
  coverageAnalysis: "perTest",
  // Constants made when a module is read: each such mutant would run every test of the folder.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 20_000,
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: `reports/mutation/${folder}.json` },
  ignorePatterns: ["/dist", "/build", "/docs", "/reports", "/assets"],
  allowConsoleColors: false,
  disableTypeChecks: false,
};
export default config;
