import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
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
const helpFolder = join(root, "src/help/pages");
const manifestFile = join(root, "manifest.xml");
const { readFunctions } = await tsImport("./src/help/documented-functions.ts", import.meta.url);
const { suggestions, suggestionsFor } = await tsImport(
  "./src/workbook/formula-text/argument-suggestions.ts",
  import.meta.url,
);
const { functionPages, pathOf } = await tsImport("./src/help/function-pages.ts", import.meta.url);
const { writtenEntries, writtenPages } = await tsImport("./src/help/written-pages.ts", import.meta.url);
const { checkTypes } = await tsImport("./scripts/check-types.ts", import.meta.url);
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const { allFailureKinds } = await tsImport("./src/sheet-failure-kinds.ts", import.meta.url);
const deployment = (name) => tsImport(`./deployment/${name}.ts`, import.meta.url);
const { plainBuild, readBuildSettings } = await deployment("build-settings");
const { contentSecurityPolicy } = await deployment("content-security-policy");
const { countyShapes } = await deployment("county-shapes");
const { inEnvironment } = await deployment("environment");
const { helpPageFor } = await deployment("help-page");
const { licenseList } = await deployment("licenses");
const { manifestFor } = await deployment("manifest-for");
const { escaped } = await deployment("markup");

const typescript = {
  test: /\.tsx?$/,
  exclude: /node_modules/,
  // checkTypes looks at the types meanwhile, on another processor.
  use: { loader: "ts-loader", options: { transpileOnly: true } },
};

/** Emits files besides the scripts. `make` gets `emit(name, text)` and the compilation. */
function emitting(name, dependencies, make) {
  return {
    apply(compiler) {
      compiler.hooks.thisCompilation.tap(name, (compilation) => {
        for (const file of dependencies) compilation.fileDependencies.add(file);
        const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
        const emit = (path, text) => compilation.emitAsset(path, new webpack.sources.RawSource(text));
        compilation.hooks.processAssets.tapPromise({ name, stage }, () => make(emit, compilation));
      });
    },
  };
}

/** The help: pages that are written by hand, and those of the JSDoc that Excel shows. */
const helpPages = (settings) => {
  const writtenFiles = writtenEntries.map(({ path }) => join(helpFolder, path));
  return emitting("helpPages", [functionsFile, ...writtenFiles], async (emit) => {
    const functions = readFunctions(await readFile(functionsFile, "utf8"));
    const textOf = (path) => readFileSync(join(helpFolder, path), "utf8");
    for (const page of [
      ...writtenPages(textOf, functions, allFailureKinds),
      ...functionPages(functions, allFailureKinds),
    ]) {
      emit(`help/${page.path}`, helpPageFor(page, settings));
    }
  });
};

const manifestOf = (settings) =>
  emitting("manifest", [manifestFile], async (emit) => {
    emit("manifest.xml", manifestFor(await readFile(manifestFile, "utf8"), settings, version));
  });

/** The list of functions that another plugin has made, with the pages that Excel's help leads to. */
const functionsMetadata = ({ addInAddress, environment, dataTypes }) =>
  emitting("functionsMetadata", [], async (_, compilation) => {
    // Then the other plugin has said what is wrong.
    if (!compilation.getAsset("functions.json")) return;
    compilation.updateAsset("functions.json", (metadata) => {
      const { functions, ...allowed } = JSON.parse(inEnvironment(metadata.source(), environment));
      for (const each of functions) {
        each.helpUrl = new URL(`help/${pathOf(each.name)}`, addInAddress).href;
        // With the type "any" numbers and blanks arrive as they are; @customenum would declare the arguments as text.
        each.parameters.forEach((parameter, place) => {
          const customEnumId = suggestionsFor(each.name, place);
          if (customEnumId !== undefined) Object.assign(parameter, { customEnumId });
        });
      }
      // Together with allowErrorForDataTypeAny, the flag for data types crashes Excel 2021 (OfficeDev/office-js#4385).
      deepStrictEqual(allowed, { allowCustomDataForDataTypeAny: true });
      const list = { ...(dataTypes ? allowed : {}), functions, enums: suggestions };
      return new webpack.sources.RawSource(JSON.stringify(list, null, 2));
    });
  });

/**
 * Lists every package in a script, and webpack, whose own few lines are in each. license-webpack-plugin 4.0.2 would leave
 * out packages whose ES modules webpack has joined to another's, such as idb and stylis.
 */
const licenses = emitting("licenses", [], async (emit, { chunks, chunkGraph }) => {
  const modules = [...chunks].flatMap((chunk) => [...chunkGraph.getChunkModules(chunk)]);
  const files = modules
    .flatMap((module) => module.modules ?? [module])
    .map(({ resource }) => resource)
    .filter((resource) => resource?.includes("node_modules"));
  emit("third-party-licenses.txt", licenseList([...files, fileURLToPath(import.meta.resolve("webpack"))]));
});

/** The names of the add-in's own sources, those of the environment. */
const environmentNames = ({ environment }) => ({
  apply(compiler) {
    compiler.hooks.compilation.tap("environmentNames", (compilation) => {
      const { processResult } = webpack.NormalModule.getCompilationHooks(compilation);
      processResult.tap("environmentNames", ([source, ...others], { resource }) => [
        resource?.startsWith(join(root, "src")) ? inEnvironment(source.toString(), environment) : source,
        ...others,
      ]);
    });
  },
});

/** The shapes of the map's counties, in place of all that us-atlas has. */
const packedShapes = {
  apply(compiler) {
    const atlas = fileURLToPath(import.meta.resolve("us-atlas/counties-10m.json"));
    compiler.hooks.compilation.tap("packedShapes", (compilation) => {
      const { processResult } = webpack.NormalModule.getCompilationHooks(compilation);
      processResult.tap("packedShapes", ([source, ...others], { resource }) => [
        resource === atlas ? JSON.stringify(countyShapes(JSON.parse(source.toString()))) : source,
        ...others,
      ]);
    });
  },
};

/** A green build without functions or with a manifest that is not the one meant would only show in Excel. */
const checkBuild = (settings, output) => ({
  apply(compiler) {
    compiler.hooks.afterEmit.tapPromise("checkBuild", async () => {
      const { id, displayName, supportUrl, appDomains, defaultSettings } =
        await OfficeAddinManifest.readManifestFile(join(output, "manifest.xml"));
      deepStrictEqual(
        { id, displayName, supportUrl, appDomains, page: defaultSettings.sourceLocation },
        {
          id: settings.id,
          displayName: settings.displayName,
          supportUrl: settings.supportAddress,
          appDomains: [new URL(settings.addInAddress).origin],
          page: `${settings.addInAddress}taskpane.html`,
        },
      );
      const { functions } = JSON.parse(await readFile(join(output, "functions.json"), "utf8"));
      if (functions.length === 0) throw new Error("functions.json lists no function");
      for (const { name, result } of functions) {
        if (result.dimensionality !== "matrix") throw new Error(`${name} does not declare its rows`);
      }
      const documented = readFunctions(await readFile(functionsFile, "utf8")).map(shownByExcel);
      const shown = inEnvironment(JSON.stringify(documented), settings.environment);
      deepStrictEqual(functions.map(shownByExcel), JSON.parse(shown));
      for (const name of settings.environment === "" ? [] : await readdir(output)) {
        if (!name.endsWith(".js")) continue;
        const left = /["'`](REGDATA|regdata)["'`.:]/.exec(await readFile(join(output, name), "utf8"));
        if (left) throw new Error(`${name} has ${left[0]}, which is not of ${settings.environment}`);
      }
    });
  },
});

/** The functions as the pane describes them. */
function functionsText({ environment }) {
  const functions = readFunctions(readFileSync(functionsFile, "utf8"));
  return inEnvironment(JSON.stringify(functions.map(shownByExcel)), environment);
}

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

/** The add-in as it is shipped. */
const addIn = (settings, output, types) => ({
  mode: "production",
  entry: { main: "./src/main.ts" },
  output: {
    path: output,
    filename: "[name].[contenthash].js",
    hashDigestLength: 8,
    // Scripts lie beside their page.
    publicPath: "",
    // Else webpack looks for the global object with `new Function`, which the security policy forbids.
    environment: { globalThis: true },
    clean: true,
  },
  resolve: { extensions: [".ts", ".tsx", ".js"] },
  module: { rules: [typescript] },
  // third-party-licenses.txt has the licenses that Terser would extract, or leave in the scripts.
  optimization: {
    minimizer: [
      new TerserPlugin({
        extractComments: false,
        // Later passes remove what earlier ones have made needless.
        terserOptions: { ecma: 2020, compress: { passes: 3 }, format: { comments: false } },
      }),
    ],
  },
  // The compiled sources depend on the environment, on TypeScript's configuration, and on how shapes are packed.
  cache: {
    type: "filesystem",
    name: "add-in",
    version: settings.environment,
    buildDependencies: {
      sources: ["deployment/county-shapes.ts", "deployment/environment.ts", "tsconfig.json"].map((path) =>
        join(root, path),
      ),
    },
  },
  performance: { hints: false },
  plugins: [
    ...(types === "unchecked"
      ? []
      : [checkTypes(join(root, "tsconfig.src.json"), join(root, "node_modules/.cache/src.tsbuildinfo"))]),
    new CustomFunctionsMetadataPlugin({ input: functionsFile, output: "functions.json" }),
    new HtmlWebpackPlugin({
      template: "./src/taskpane/taskpane.html",
      filename: "taskpane.html",
      scriptLoading: "blocking",
      inject: "head",
      minify: false,
      title: inEnvironment("RegData for Excel", settings.environment),
      officeScript: settings.officeScript,
      policy: escaped(
        contentSecurityPolicy(settings.service?.isFixed ? new URL(settings.service.baseUrl).origin : null),
      ),
    }),
    new CopyPlugin({
      patterns: [
        { from: "assets/*.png", to: "assets/[name][ext]" },
        { from: "src/help/help.css", to: "help/[name][ext]" },
        { from: "src/shortcuts.json", to: "[name][ext]" },
        { from: "docs/images/*.webp", to: "help/images/[name][ext]" },
      ],
    }),
    new webpack.DefinePlugin({
      addInVersion: JSON.stringify(version),
      presetServiceOfBuild: JSON.stringify(settings.service),
      dataTypesOfBuild: JSON.stringify(settings.dataTypes),
      functionsOfBuild: webpack.DefinePlugin.runtimeValue(() => functionsText(settings), {
        fileDependencies: [functionsFile],
      }),
    }),
    environmentNames(settings),
    packedShapes,
    manifestOf(settings),
    functionsMetadata(settings),
    helpPages(settings),
    licenses,
    checkBuild(settings, output),
  ],
});

/**
 * `--env settings=FILE` builds for a company's settings (docs/deploy.md), `--env output=FOLDER` to elsewhere. `--env types=unchecked` is for
 * whoever checks types in another way.
 */
export default ({ settings, output = "dist", types = "checked" } = {}) =>
  addIn(settings ? readBuildSettings(resolve(settings)) : plainBuild, resolve(root, output), types);
