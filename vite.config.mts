import { defineConfig } from "vite";

/** `vite build`: the workbench's page. It loads the add-in's files from its own server, as Excel would. */
export default defineConfig({
  root: "workbench/page",
  base: "./",
  logLevel: "warn",
  build: {
    outDir: "../../build/workbench",
    emptyOutDir: true,
    // Read by people who look for a fault, from the next process: small does not matter, quick to build does.
    minify: false,
    chunkSizeWarningLimit: Infinity,
    modulePreload: false,
    rolldownOptions: {
      onwarn(warning, show) {
        // "use client" tells servers something; there is none.
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") show(warning);
      },
    },
  },
});
