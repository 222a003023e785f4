/** The version of Excel that the workbench simulates. */
export interface ExcelVersion {
  /** The highest requirement set ExcelApi that is reported, such as "1.15". */
  excelApi: string;
  /** The highest requirement set CustomFunctionsRuntime that is reported, such as "1.4". */
  customFunctionsRuntime: string;
  /** The platform whose list of calls that can't be undone applies. See undo.ts. */
  undo: "web" | "desktop";
}

/** An Excel of today, on the web. */
export const newestExcel: ExcelVersion = { excelApi: "1.20", customFunctionsRuntime: "1.4", undo: "web" };

export type RuntimeKind = "shared" | "functions" | "plain";

/** The facts about its host that office.js reads before it loads anything else. */
export interface Launch extends ExcelVersion {
  /** The add-in's id in its manifest. */
  appId: string;
  addinName: string;
  /** Never used twice: office.js keeps the settings of a conversation in the session's storage. */
  conversationId: string;
  /** This page's origin. office.js demands https and the add-in's own host name. */
  hostOrigin: string;
  paneVisible: boolean;
  /** The part of the add-in that runs in the page: all of it (default), only functions, or only a pane or commands. */
  runtime?: RuntimeKind;
  /** The pause between two requests to the workbook. Default: none. */
  msBetweenRequests?: number | undefined;
  /** The workbook is open for reading only. */
  isReadOnly?: boolean;
}

const LOCALE = "en-US";
const HOST_VERSION = "16.0.0.0";

/** The numbers of office.js's host flags, application names, client modes and display modes. */
const SHARED_RUNTIME = 1;
const CUSTOM_FUNCTIONS = 2;
const runtimeFlags: Record<RuntimeKind, number> = {
  shared: SHARED_RUNTIME | CUSTOM_FUNCTIONS,
  functions: CUSTOM_FUNCTIONS,
  plain: 0,
};
const EXCEL_ON_THE_WEB = 16;
const ClientMode = { readOnly: 0, readWrite: 1 } as const;
const DisplayMode = { hidden: 1, taskpane: 2 } as const;

function hostInfo({ conversationId, runtime = "shared" }: Launch): string {
  return ["Excel", "Web", "16.01", LOCALE, conversationId, "", "", runtimeFlags[runtime]].join("$");
}

/** The address to load: the add-in's page with the host's description in its query. */
export function launchUrl(page: URL, launch: Launch): string {
  const url = new URL(page);
  url.searchParams.set("_host_Info", hostInfo(launch));
  return url.href;
}

/** The name that the frame must have before it is inserted. */
export function frameName(launch: Launch): string {
  return JSON.stringify({
    baseFrameName: launch.conversationId,
    hostInfo: hostInfo(launch),
    xdmInfo: [launch.conversationId, launch.appId, launch.hostOrigin].join("|"),
    serializerVersion: "1",
  });
}

/** The answer to office.js's first question: document, settings and what this host can do. */
export function appContext(launch: Launch, settings: Iterable<[name: string, json: string]>): object {
  return {
    _id: launch.appId,
    _appInstanceId: launch.conversationId,
    _correlationId: launch.conversationId,
    _addinName: launch.addinName,
    _appName: EXCEL_ON_THE_WEB,
    _appVersion: 16,
    _appMinorVersion: 0,
    _hostFullVersion: HOST_VERSION,
    _appUILocale: LOCALE,
    _dataLocale: LOCALE,
    _docUrl: `${launch.hostOrigin}/Workbook.xlsx`,
    _clientMode: launch.isReadOnly ? ClientMode.readOnly : ClientMode.readWrite,
    _osfControlType: 1,
    _reason: "documentOpened",
    _initialDisplayMode: launch.paneVisible ? DisplayMode.taskpane : DisplayMode.hidden,
    _settings: [...settings],
    _requirementMatrix: JSON.stringify(requirementSets(launch)),
  };
}

/** The requirement sets that `Office.context.requirements` reports. */
export function requirementSets({
  excelApi,
  customFunctionsRuntime,
}: Pick<ExcelVersion, "excelApi" | "customFunctionsRuntime">): Record<string, string> {
  return {
    ExcelApi: excelApi,
    AddinCommands: "1.1",
    Settings: "1.1",
    SharedRuntime: "1.1",
    RibbonApi: "1.2",
    // Office.js's own, by which it knows whether contextual tabs can be made.
    DynamicRibbon: "1.2",
    CustomFunctionsRuntime: customFunctionsRuntime,
    // Without it office.js does not say that a request waits for the end of a cell's editing.
    DelayForCellEdit: "1.1",
    // Office.js's own, which decides how results come back (see services.ts).
    CustomFunctions: "1.9",
  };
}
