import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import CopyPlugin from "copy-webpack-plugin";
import CustomFunctionsMetadataPlugin from "custom-functions-metadata-plugin";
import HtmlWebpackPlugin from "html-webpack-plugin";
import TerserPlugin from "terser-webpack-plugin";

const root = fileURLToPath(new URL(".", import.meta.url));
const { OfficeAddinManifest } = createRequire(import.meta.url)("office-addin-manifest");

const typescript = {
  test: /\.tsx?$/,
  exclude: /node_modules/,
  // `npm run typecheck` checks the types of the whole project at once.
  use: { loader: "ts-loader", options: { transpileOnly: true, compilerOptions: { noEmit: false } } },
};

/** A green build without functions or with a manifest that can't be read would only show in Excel. */
const checkBuild = {
  apply(compiler) {
    compiler.hooks.afterEmit.tapPromise("checkBuild", async () => {
      const metadata = join(root, "dist/functions.json");
      const { functions } = JSON.parse(await readFile(metadata, "utf8"));
      if (functions.length === 0) throw new Error("functions.json lists no function");
      // Without what the generator adds for data types: on Excel 2021 it broke every function of a workbook
      // (OfficeDev/office-js#3504).
      await writeFile(metadata, JSON.stringify({ functions }, null, 2));
      const manifest = await OfficeAddinManifest.readManifestFile(join(root, "dist/manifest.xml"));
      if (!manifest.id) throw new Error("dist/manifest.xml has no id");
    });
  },
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
    clean: true,
  },
  resolve: { extensions: [".ts", ".tsx", ".js"] },
  module: { rules: [typescript] },
  // Scripts only: pages and help stay readable.
  optimization: {
    minimizer: [new TerserPlugin({ test: /\.js$/, terserOptions: { ecma: 2020, compress: { passes: 3 } } })],
    // The pane in one script: it compresses better, and modules that are joined lose what nothing uses.
    splitChunks: false,
  },
  cache: { type: "filesystem", name: "add-in" },
  performance: { hints: false },
  plugins: [
    new CustomFunctionsMetadataPlugin({ input: "./src/functions/functions.ts", output: "functions.json" }),
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
        { from: "src/help/*.{html,css}", to: "help/[name][ext]" },
      ],
    }),
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
