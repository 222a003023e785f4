import * as z from "zod/mini";
import { createGrid } from "../grid/grid";
import { createXlsxFiles } from "../files/xlsx-files";
import { buttonsOf, readManifest } from "../addin/read-manifest";
import type { Command, Manifest } from "../addin/read-manifest";
import { createFunctionBridge } from "../host/custom-functions";
import { readFunctions } from "../host/function-metadata";
import { requirementSets } from "../host/launch";
import type { ExcelVersion } from "../host/launch";
import { createDocument } from "../host/office-document";
import type { Shell } from "../host/objects/object-model";
import { openAddin } from "./addin-frame";
import { createCellsApi } from "./cells-api";
import { element } from "./element";
import { offerFiles } from "./file-actions";
import { createPane } from "./pane-frame";
import type { Problems } from "./problems";
import { createRequests } from "./requests";
import { showRibbon } from "./ribbon";
import { startRuntimes } from "./runtimes";
import type { Runtimes } from "./runtimes";
import { listenForShortcuts, readShortcuts } from "../addin/shortcuts";
import { fillWorkbook, setupFile } from "./setup";
import type { Setup } from "./setup";
import type { WorkbenchApi } from "./workbench-api";

const savedWorkbook = z.object({ grid: z.unknown(), document: z.unknown() });

/** Before the keys of `OfficeRuntime.storage` in the browser's local storage (excel-web-16.00.debug.js). */
const STORAGE_PREFIX = "_OfficeRuntime_Storage_";
const FILLED_KEY = "workbench.filled";

/** Puts grid, ribbon, pane and host together and starts the add-in, whose end of starting is not waited for. */
export async function startWorkbench({ report, list, forget }: Problems): Promise<WorkbenchApi> {
  const setup = await readSetup();
  const { base, root } = setup.addin;
  const manifest = readManifest(setup.addin.manifest);
  for (const problem of manifest.unsupported) report(problem);
  /** The manifest's addresses are those of production; here what lies below `root` is given out by the workbench's server. */
  const local = (url: string) =>
    new URL(url.startsWith(root) ? base + url.slice(root.length) : url, location.href);
  /** Reports a file that can't be read. As in Excel, the pane opens nevertheless. */
  const without = (file: string) => (cause: unknown) =>
    report(`The add-in starts without ${file}. ${(cause as Error).message}`);
  const { functions: told } = manifest;
  const namespace = told?.namespace ?? "";
  const functions = told
    ? await loadJson(local(told.metadata))
        .then((json) => readFunctions(json, namespace, report))
        .catch(without("its functions"))
    : [];

  const spreadsheet = createGrid(element("grid"));
  const file = createDocument();
  const empty = { grid: spreadsheet.save(), document: file.save() };
  /** The Excel to simulate, as the setup and the page's address describe it. */
  const excel = { ...setup.excel, isReadOnly: false, report };
  const bridge = createFunctionBridge(spreadsheet, functions ?? [], excel);
  spreadsheet.registerFunctions(functions ?? [], bridge);
  const names = new Set(functions?.map(({ name }) => name.toUpperCase()));
  spreadsheet.explainNames((formula) => explainName(formula, namespace, names, list));

  const pane = createPane(manifest.displayName, (visible) => addin.paneVisibilityChanged(visible));
  const press = async ({ id, functionName, page }: Command) => {
    if (functionName !== null) return addin.runCommand(id, functionName);
    addin.showPage(page);
    pane.show(true);
    addin.focusPane();
  };
  const pressed = (command: Command) =>
    void press(command).catch((cause: unknown) => report((cause as Error).message));
  const ribbon = showRibbon(element("ribbon"), manifest.groups, (url) => local(url).href, pressed);
  for (const { label, items } of manifest.cellMenus)
    spreadsheet.addToCellMenu(
      label,
      items.map((item) => ({ label: item.label, choose: () => pressed(item) })),
    );
  if (manifest.shortcuts !== null) {
    await loadJson(local(manifest.shortcuts))
      .then((json) => listenForShortcuts(readShortcuts(json), (action) => addin.runAction(action)))
      .catch(without("its keys"));
  }
  let undoStackCleared = 0;
  const shell: Shell = {
    undoStackCleared: () => void (undoStackCleared += 1),
    paneVisible: () => pane.visible,
    showPane: pane.show,
    enableButton: ribbon.enable,
    contextualTabs: { page: manifest.sharedRuntime, create: ribbon.createTabs, show: ribbon.showTab },
    noteRequest: createRequests(),
    takeFocus: (to) => (to === "grid" ? focusGrid() : element("pane-close").focus()),
    report,
  };
  element("note").textContent = setup.note ?? "";
  document.title = `${manifest.displayName} – Workbench`;

  const files = createXlsxFiles(
    { spreadsheet, document: file },
    { id: manifest.id, namespace, version: manifest.version },
    manifest.displayName,
  );
  const openSaved = (saved: unknown) => {
    const { grid, document } = savedWorkbook.parse(saved);
    files.forget();
    file.open(document);
    spreadsheet.open(grid);
  };
  const openPage = () => {
    ribbon.removeTabs();
    return startRuntimes(manifest, (page, runtime, where) =>
      openAddin(
        element(where === "pane" ? "addin" : "hidden-runtimes"),
        local(page),
        {
          appId: manifest.id,
          addinName: manifest.displayName,
          conversationId: crypto.randomUUID(),
          hostOrigin: location.origin,
          ...excel,
          paneVisible: pane.visible,
          runtime,
        },
        { spreadsheet, document: file, functions: bridge, shell, functionNamespace: namespace },
      ),
    );
  };

  const cells = createCellsApi(spreadsheet);
  const begin = ({ addin: _, storage, workbook, excel: version, ...filling }: Setup) => {
    const query = new URLSearchParams(location.search);
    excel.excelApi = query.get("excelApi") ?? version.excelApi;
    excel.customFunctionsRuntime = query.get("customFunctionsRuntime") ?? version.customFunctionsRuntime;
    excel.undo = version.undo;
    excel.isReadOnly = query.has("readOnly");
    fillStorage(storage);
    if (workbook) openSaved(workbook);
    fillWorkbook(filling, { spreadsheet, file });
    for (const { set, version: wanted } of lacking(manifest, excel))
      report(`manifest.xml requires ${set} ${wanted}: the simulated Excel would not offer the add-in.`);
    return openPage();
  };
  let addin: Runtimes = begin(setup);
  addin.ready.catch((cause: unknown) => report(String(cause)));

  const restart = async (openAnother: () => void) => {
    addin.close();
    openAnother();
    addin = openPage();
    await addin.ready;
  };
  const openXlsx: WorkbenchApi["openXlsx"] = async (bytes, name) =>
    restart(files.read(Uint8Array.from(bytes), name));
  offerFiles({ open: openXlsx, save: files.save }, spreadsheet, report);

  return {
    ready: addin.ready,
    ...cells,
    save: () => ({ grid: spreadsheet.save(), document: file.save() }),
    open: (saved) => restart(() => openSaved(saved)),
    openXlsx,
    saveXlsx: () => files.save().bytes,
    close: () => addin.close(),
    async startAgain() {
      addin.close();
      openSaved(empty);
      pane.show(true);
      undoStackCleared = 0;
      forget();
      addin = begin(await readSetup());
      await addin.ready;
    },
    pane,
    async press(controlId) {
      const commands = [...buttonsOf(manifest.groups), ...manifest.cellMenus.flatMap(({ items }) => items)];
      const command = commands.find(({ id }) => id === controlId) ?? ribbon.contextualButton(controlId);
      if (!command) throw new Error(`Neither the ribbon nor the cells' menu has ${controlId}.`);
      if (!ribbon.isEnabled(controlId)) throw new Error(`${controlId} is disabled.`);
      await press(command);
    },
    protect(sheetName, isProtected) {
      const sheet = spreadsheet.sheets().find(({ name }) => name === sheetName);
      if (!sheet) throw new Error(`There is no sheet ${sheetName}.`);
      if (isProtected) file.protectedSheets.add(sheet.id);
      else file.protectedSheets.delete(sheet.id);
    },
    setCalculationMode(mode) {
      file.calculationMode = mode;
    },
    failNext: (code, times = 1, target = "workbook", after = 0) => addin.fail(code, times, target, after),
    endDuring: (after = 0) => addin.cut(after),
    problems: list,
    get undoStackCleared() {
      return undoStackCleared;
    },
  };
}

/**
 * Writes a setup's values into the add-in's storage, once for each setup. The user's later changes stay, until the server starts with
 * another setup.
 */
function fillStorage(storage: Record<string, string>): void {
  const filling = JSON.stringify(storage);
  if (localStorage.getItem(FILLED_KEY) === filling) return;
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(STORAGE_PREFIX + key, value);
  localStorage.setItem(FILLED_KEY, filling);
}

async function readSetup(): Promise<Setup> {
  return setupFile.parse(await loadJson("/workbench/setup.json"));
}

async function loadJson(address: string | URL): Promise<unknown> {
  const response = await fetch(address).catch((cause: unknown) => {
    throw new Error(`${String(address)} could not be fetched.`, { cause });
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${String(address)} was answered with status ${response.status}. ${text}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${String(address)} is no JSON.`, { cause });
  }
}

/** The reason why a formula that calls the add-in's functions is #NAME?; null where it calls none that is missing. */
function explainName(
  formula: string,
  namespace: string,
  names: ReadonlySet<string>,
  problems: readonly string[],
): string | null {
  if (namespace === "") return null;
  const called = [...formula.matchAll(/([\p{L}_][\p{L}\p{N}_.]*)\(/gu)].map(([, name = ""]) =>
    name.toUpperCase(),
  );
  const missing = called.find((name) => name.startsWith(`${namespace.toUpperCase()}.`) && !names.has(name));
  if (missing === undefined) return null;
  return (
    problems.find((problem) => problem.toUpperCase().startsWith(`${missing} IS `)) ??
    `functions.json has no function ${missing}.`
  );
}

/** The requirement sets that a manifest requires and this Excel does not report. */
function lacking({ requirements }: Manifest, excel: ExcelVersion): Manifest["requirements"] {
  // "The technique of specifying the requirement sets in the manifest doesn't currently work for RibbonApi 1.2" (contextual-tabs.md).
  const reported: Record<string, string> = { ...requirementSets(excel), RibbonApi: "1.1" };
  const number = (version: string) => version.split(".").map(Number);
  return requirements.filter(({ set, version }) => {
    const [major = 0, minor = 0] = number(reported[set] ?? "0");
    const [wantedMajor = 0, wantedMinor = 0] = number(version);
    return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
  });
}

/** Focuses the element inside the grid that receives its keys: the grid itself is a canvas. */
function focusGrid(): void {
  element("grid").querySelector<HTMLElement>("[contenteditable=true], canvas")?.focus();
}
