import { HostError, notModelled } from "./host-error";
import { readContextualTabs } from "./contextual-tabs";
import { text } from "./objects/object-model";
import type { Classes, Ref } from "./objects/object-model";

/** The services beside the workbook, by the full name under which office.js asks for them. */
export const services: Record<string, Ref> = {
  "Microsoft.ExcelServices.CustomFunctions": { type: "CustomFunctions" },
  "Microsoft.AppRuntime.AppRuntimeService": { type: "AppRuntimeService" },
  "Microsoft.AppRuntime.AppRuntimePersistenceService": { type: "AppRuntimePersistenceService" },
  "Microsoft.InternalService.AddinInternalService": { type: "AddinInternalService" },
  "Microsoft.DynamicRibbon.DynamicRibbon": { type: "DynamicRibbon" },
};

/**
 * Switches inside office.js's custom-function runtime: 1 = cut refused results to size, 2 = hand results over
 * every 200 ms instead of 500 ms, 4 = cap the pause between two.
 */
const functionFeatures = [1, 2, 4];

export const serviceClasses: Classes<
  | "CustomFunctions"
  | "AppRuntimeService"
  | "AppRuntimePersistenceService"
  | "AddinInternalService"
  | "DynamicRibbon"
  | "RibbonButton"
  | "RibbonTab"
> = {
  CustomFunctions: (_self, { functions }) => ({
    calls: {
      _SetOsfControlContainerReadyForCustomFunctions: () => functions.ready(),
      _GetEnabledFeatures: () => functionFeatures,
      SetInvocationArrayResults: (results) => functions.settle(results),
    },
  }),
  /** Said of ribbon commands, before the functions are ready. */
  AddinInternalService: (_self, { actionsReady }) => ({
    calls: {
      NotifyActionHandlerReady() {
        actionsReady?.();
        return null;
      },
    },
  }),
  /** `Office.ribbon.requestUpdate` and `requestCreateControls`. */
  DynamicRibbon: (_self, { shell }) => ({
    objects: {
      GetButton: (id) => ({ type: "RibbonButton", controlId: text(id) }),
      GetTab: (id) => ({ type: "RibbonTab", tabId: text(id) }),
    },
    calls: {
      ExecuteRequestCreate(json) {
        const { contextualTabs } = shell;
        if (!contextualTabs) throw notModelled("Office.ribbon.requestCreateControls");
        const { page } = contextualTabs;
        // "Adding custom contextual tabs requires your add-in to use the shared runtime" (contextual-tabs.md).
        if (page === null) throw new HostError("InvalidOperation", "contextual tabs need a shared runtime");
        const { tabs, hints } = tabsOf(json, page, shell.report);
        // "If it's called again, an error is thrown" (contextual-tabs.md).
        if (!contextualTabs.create(tabs))
          throw new HostError(
            "InvalidOperation",
            "Office.ribbon.requestCreateControls is called a second time",
          );
        for (const hint of hints) shell.report(hint);
      },
    },
  }),
  RibbonButton: ({ controlId }, { shell }) => ({
    id: controlId,
    properties: {
      Id: { get: () => controlId },
      Enabled: {
        set(value) {
          if (typeof value !== "boolean") throw new HostError("InvalidArgument", "true or false expected");
          const { enableButton } = shell;
          if (!enableButton) throw notModelled("Office.ribbon.requestUpdate");
          // "The IDs must match those declared in the manifest" (disable-add-in-commands.md).
          if (!enableButton(controlId, value))
            throw new HostError("ItemNotFound", `the ribbon has no button ${controlId}`);
        },
      },
    },
  }),
  RibbonTab: ({ tabId }, { shell }) => ({
    id: tabId,
    properties: { Id: { get: () => tabId } },
    calls: {
      SetVisibility(visible) {
        if (typeof visible !== "boolean") throw new HostError("InvalidArgument", "true or false expected");
        if (!shell.contextualTabs)
          throw notModelled("Office.ribbon.requestUpdate of the visibility of a contextual tab");
        // "Used only with contextual tabs" (Tab.visible in @types/office-js).
        if (!shell.contextualTabs.show(tabId, visible))
          throw new HostError("ItemNotFound", `there is no contextual tab ${tabId}`);
      },
    },
  }),
  /** `Office.addin.showAsTaskpane` and `hide`. */
  AppRuntimeService: (_self, { shell }) => ({
    calls: {
      GetAppRuntimeState: () => (shell.paneVisible() ? "Visible" : "Background"),
      SetAppRuntimeState(state) {
        if (state !== "Visible" && state !== "Background")
          throw new HostError("InvalidArgument", String(state));
        shell.showPane(state === "Visible");
      },
    },
  }),
  /** `Office.addin.getStartupBehavior` and `setStartupBehavior`: of this document, from its next opening on. */
  AppRuntimePersistenceService: (_self, { document }) => ({
    calls: {
      GetAppRuntimeStartState: () => (document.loadsAtOpening ? "Background" : "Inactive"),
      SetAppRuntimeStartState(state) {
        if (state !== "Inactive" && state !== "Background")
          throw new HostError("InvalidArgument", String(state));
        document.loadsAtOpening = state === "Background";
      },
    },
  }),
};

/**
 * Excel says nothing to the add-in of a definition that breaks the schema: there are no tabs then, and later updates fail
 * (OfficeDev/office-js#2847). The developer is told here.
 */
function tabsOf(json: unknown, page: string, report: (problem: string) => void) {
  try {
    return readContextualTabs(text(json), page);
  } catch (cause) {
    report(`Office.ribbon.requestCreateControls makes no tab: ${(cause as Error).message}.`);
    return { tabs: [], hints: [] };
  }
}
