import { deepStrictEqual } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import CopyPlugin from "copy-webpack-plugin";
import CustomFunctionsMetadataPlugin from "custom-functions-metadata-plugin";
import HtmlWebpackPlugin from "html-webpack-plugin";
import TerserPlugin from "terser-webpack-plugin";
import { tsImport } from "tsx/esm/api";
import webpack from "webpack";

const root = fileURLToPath(new URL(".", import.meta.url));
const { OfficeAddinManifest } = createRequire(import.meta.url)("office-addin-manifest");

const functionsFile = join(root, "src/functions/functions.ts");
const helpFile = join(root, "src/help/help.html");
const { readFunctions } = await tsImport("./src/help/documented-functions.ts", import.meta.url);
const { functionPages, overviewPage, pathOf } = await tsImport(
  "./src/help/function-pages.ts",
  import.meta.url,
);
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const { failureKinds } = await tsImport("./src/errors.ts", import.meta.url);

const typescript = {
  test: /\.tsx?$/,
  exclude: /node_modules/,
  // `npm run typecheck` checks the types of the whole project at once.
  use: { loader: "ts-loader", options: { transpileOnly: true, compilerOptions: { noEmit: false } } },
};

/** The help, of the JSDoc that Excel shows. */
const helpPages = {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap("helpPages", (compilation) => {
      for (const file of [functionsFile, helpFile]) compilation.fileDependencies.add(file);
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tapPromise({ name: "helpPages", stage }, async () => {
        const functions = readFunctions(await readFile(functionsFile, "utf8"));
        const template = await readFile(helpFile, "utf8");
        const overview = overviewPage(template, functions, failureKinds);
        for (const { path, html } of [overview, ...functionPages(functions, failureKinds)]) {
          compilation.emitAsset(`help/${path}`, new webpack.sources.RawSource(html));
        }
      });
    });
  },
};

/**
 * Fluent's index taken as a module with effects is the one door to all of Fluent: every script goes through it, and what
 * lies behind is joined. Else webpack opens a door to each component that a second script uses (8 kB gzipped).
 */
const fluentIndex = { test: /@fluentui[\\/]react-components[\\/]lib[\\/]index\.js$/, sideEffects: true };

/** A green build without functions or with a manifest that can't be read would only show in Excel. */
const checkBuild = {
  apply(compiler) {
    compiler.hooks.afterEmit.tapPromise("checkBuild", async () => {
      const manifest = await OfficeAddinManifest.readManifestFile(join(root, "dist/manifest.xml"));
      if (!manifest.id) throw new Error("dist/manifest.xml has no id");
      const metadata = join(root, "dist/functions.json");
      const { functions } = JSON.parse(await readFile(metadata, "utf8"));
      if (functions.length === 0) throw new Error("functions.json lists no function");
      const documented = readFunctions(await readFile(functionsFile, "utf8"));
      deepStrictEqual(functions.map(shownByExcel), documented.map(shownByExcel));
      for (const each of functions) {
        each.helpUrl = new URL(`help/${pathOf(each.name)}`, manifest.defaultSettings.sourceLocation).href;
      }
      // Without what the generator adds for data types: on Excel 2021 it broke every function of a workbook
      // (OfficeDev/office-js#3504).
      await writeFile(metadata, JSON.stringify({ functions }, null, 2));
    });
  },
};

function shownByExcel({ name, description, parameters }) {
  return {
    name,
    description,
    parameters: parameters.map(({ name, description, optional = false }) => ({
      name,
      description,
      optional,
    })),
  };
}

/** Tried one by one for what is smallest after gzip. */
const terserOptions = {
  ecma: 2020,
  module: true,
  compress: { passes: 5, inline: 1, sequences: false, unsafe_arrows: true },
};

/** The add-in as it is shipped. */
const addIn = {
  name: "add-in",
  mode: "production",
  entry: { main: "./src/main.ts" },
  output: {
    path: join(root, "dist"),
    filename: "[name].[contenthash:8].js",
    publicPath: "auto",
    // Else webpack looks for the global object with `new Function`, which the security policy forbids.
    environment: { globalThis: true },
    clean: true,
  },
  resolve: { extensions: [".ts", ".tsx", ".js"] },
  module: { rules: [typescript, fluentIndex] },
  // Scripts only: pages and help stay readable.
  optimization: {
    minimizer: [new TerserPlugin({ test: /\.js$/, terserOptions })],
    // The pane in one script: it compresses better, and modules that are joined lose what nothing uses.
    splitChunks: false,
  },
  cache: { type: "filesystem", name: "add-in" },
  performance: { hints: false },
  plugins: [
    new CustomFunctionsMetadataPlugin({ input: functionsFile, output: "functions.json" }),
    new HtmlWebpackPlugin({
      template: "./src/taskpane/taskpane.html",
      filename: "taskpane.html",
      scriptLoading: "blocking",
      inject: "head",
      minify: false,
    }),
    new CopyPlugin({
      patterns: [
        { from: "manifest.xml", to: "manifest.xml" },
        { from: "assets/*.png", to: "assets/[name][ext]" },
        { from: "src/help/{help.css,support.html}", to: "help/[name][ext]" },
      ],
    }),
    new webpack.DefinePlugin({ addInVersion: JSON.stringify(version) }),
    helpPages,
    checkBuild,
  ],
};

/** The workbench's page; it loads the add-in's files from its own server, as Excel would. */
const workbench = {
  name: "workbench",
  mode: "production",
  entry: { workbench: "./src/workbench/page/main.ts" },
  output: { path: join(root, "build/workbench"), filename: "[name].js", clean: true },
  resolve: { extensions: [".ts", ".tsx", ".js"] },
  module: {
    rules: [typescript, { test: /\.css$/, type: "css/auto" }],
  },
  experiments: { css: true },
  // Read by people who look for a fault, from the next process: small does not matter, quick to build does.
  optimization: { minimize: false },
  cache: { type: "filesystem", name: "workbench" },
  performance: { hints: false },
  plugins: [
    new HtmlWebpackPlugin({ template: "./src/workbench/page/index.html", scriptLoading: "blocking" }),
  ],
};

export default [addIn, workbench];
