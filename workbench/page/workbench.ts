import * as z from "zod/mini";
import { createGrid } from "../grid/grid";
import { createXlsxFiles } from "../files/xlsx-files";
import { createFunctionBridge, readFunctions } from "../host/custom-functions";
import { createDocument } from "../host/office-document";
import type { Shell } from "../host/objects/object-model";
import { openAddin } from "./addin-frame";
import type { AddinFrame } from "./addin-frame";
import { createCellsApi } from "./cells-api";
import { element } from "./element";
import { readManifest } from "./read-manifest";
import type { Command } from "./read-manifest";
import { offerFiles } from "./file-actions";
import { createPane } from "./pane-frame";
import type { Problems } from "./problems";
import { showRibbon } from "./ribbon";
import { listenForShortcuts, readShortcuts } from "./shortcuts";
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
  const base = new URL(setup.addinBase, location.href);
  const manifest = readManifest(await (await load(new URL("manifest.xml", base))).text());
  /** The manifest's addresses are those of production; here the add-in lies below `addinBase`. */
  const local = (url: string) =>
    new URL(url.startsWith(manifest.base) ? url.slice(manifest.base.length) : url, base);
  const { metadata, namespace } = manifest.functions;
  const functions = readFunctions(await (await load(local(metadata))).json(), namespace, report);

  const spreadsheet = createGrid(element("grid"));
  const file = createDocument();
  const empty = { grid: spreadsheet.save(), document: file.save() };
  /** What it plays is said by the setup and the page's address, whenever it begins. */
  const excel = { ...setup.excel, isReadOnly: false, report };
  const bridge = createFunctionBridge(spreadsheet, functions, excel);
  spreadsheet.registerFunctions(functions, bridge);

  const pane = createPane(manifest.displayName, (visible) => addin.session.paneVisibilityChanged(visible));
  const press = async ({ id, functionName }: Command) => {
    if (functionName !== null) return addin.session.runCommand(id, functionName);
    pane.show(true);
    addin.element.focus();
  };
  showRibbon(element("ribbon"), manifest.groups, (url) => local(url).href, press);
  for (const { label, items } of manifest.cellMenus)
    spreadsheet.addToCellMenu(
      label,
      items.map((item) => ({ label: item.label, choose: () => void press(item) })),
    );
  if (manifest.shortcuts !== null) {
    const shortcuts = readShortcuts(await (await load(local(manifest.shortcuts))).json());
    listenForShortcuts(shortcuts, (action) => addin.session.runAction(action));
  }
  let undoStackCleared = 0;
  const shell: Shell = {
    undoStackCleared: () => void (undoStackCleared += 1),
    paneVisible: () => pane.visible,
    showPane: pane.show,
    takeFocus: (to) => (to === "grid" ? focusGrid() : element("pane-close").focus()),
    report,
  };
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
  const openPage = () =>
    openAddin(
      element("addin"),
      local(manifest.page),
      {
        appId: manifest.id,
        addinName: manifest.displayName,
        conversationId: crypto.randomUUID(),
        hostOrigin: location.origin,
        ...excel,
        paneVisible: pane.visible,
      },
      { spreadsheet, document: file, functions: bridge, shell },
    );

  const cells = createCellsApi(spreadsheet);
  const begin = ({ storage, workbook, excel: version, ...filling }: Setup) => {
    const query = new URLSearchParams(location.search);
    excel.excelApi = query.get("excelApi") ?? version.excelApi;
    excel.customFunctionsRuntime = query.get("customFunctionsRuntime") ?? version.customFunctionsRuntime;
    excel.undo = version.undo;
    excel.isReadOnly = query.has("readOnly");
    fillStorage(storage);
    if (workbook) openSaved(workbook);
    fillWorkbook(filling, { spreadsheet, file });
    return openPage();
  };
  let addin: AddinFrame = begin(setup);
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
      const commands = [
        ...manifest.groups.flatMap(({ buttons }) => buttons),
        ...manifest.cellMenus.flatMap(({ items }) => items),
      ];
      const command = commands.find(({ id }) => id === controlId);
      if (!command) throw new Error(`Neither the ribbon nor the cells' menu has ${controlId}.`);
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
    failNext: (code, times = 1, target = "workbook", after = 0) =>
      addin.session.fail(code, times, target, after),
    async endDuring(after = 0) {
      await addin.session.cut(after);
      addin.close();
    },
    problems: list,
    get undoStackCleared() {
      return undoStackCleared;
    },
  };
}

/**
 * Once for each setup: what the user changes or forgets afterwards stays so, until the server is started with
 * another setup.
 */
function fillStorage(storage: Record<string, string>): void {
  const filling = JSON.stringify(storage);
  if (localStorage.getItem(FILLED_KEY) === filling) return;
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(STORAGE_PREFIX + key, value);
  localStorage.setItem(FILLED_KEY, filling);
}

async function readSetup(): Promise<Setup> {
  return setupFile.parse(await (await load("/workbench/setup.json")).json());
}

async function load(address: string | URL): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${String(address)} was answered with status ${response.status}.`);
  return response;
}

/** The grid is a canvas; what takes its keys lies inside. */
function focusGrid(): void {
  element("grid").querySelector<HTMLElement>("[contenteditable=true], canvas")?.focus();
}
