import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          // Shared machines: what takes a second alone takes six beside a browser.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: "test/e2e/start-workbench.ts",
          // One browser at a time: the machines are small, and a busy one makes waiting tests fail.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
