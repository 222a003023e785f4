import { HostError } from "./host-error";
import { readOnly, text } from "./object-model";
import type { Classes, Ref } from "./object-model";

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
  | "RibbonTab"
  | "RibbonButton"
> = {
  CustomFunctions: (_self, { runtime }) => ({
    calls: {
      _SetOsfControlContainerReadyForCustomFunctions: () => runtime.functionsReady(),
      _GetEnabledFeatures: () => functionFeatures,
      SetInvocationArrayResults: (results) => runtime.settle(results),
    },
  }),
  AddinInternalService: (_self, { runtime }) => ({
    calls: { NotifyActionHandlerReady: () => runtime.actionsReady() },
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
  /** `Office.addin.setStartupBehavior`. */
  AppRuntimePersistenceService: (_self, { document }) => ({
    calls: {
      GetAppRuntimeStartState: () => (document.loadsWithDocument ? "Background" : "Inactive"),
      SetAppRuntimeStartState: (state) => void (document.loadsWithDocument = state !== "Inactive"),
    },
  }),
  /** `Office.ribbon.requestUpdate`. */
  DynamicRibbon: () => ({
    objects: {
      GetTab: (id) => ({ type: "RibbonTab", controlId: text(id) }),
      GetButton: (id) => ({ type: "RibbonButton", controlId: text(id) }),
    },
  }),
  RibbonTab: ({ controlId }, { shell }) => ({
    id: controlId,
    properties: { Id: readOnly(() => controlId) },
    calls: { SetVisibility: (visible) => shell.updateControl(controlId, { visible: visible === true }) },
  }),
  RibbonButton: ({ controlId }, { shell }) => ({
    id: controlId,
    properties: {
      Id: readOnly(() => controlId),
      Enabled: {
        get: () => true,
        set: (enabled) => shell.updateControl(controlId, { enabled: enabled === true }),
      },
    },
  }),
};
