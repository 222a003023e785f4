import { expect, it } from "vitest";
import { createDocument } from "../../../workbench/host/office-document";
import { createObjectEvents } from "../../../workbench/host/objects/object-events";
import { createRichApi } from "../../../workbench/host/rich-api";
import type { Shell } from "../../../workbench/host/objects/object-model";
import { createLoggedSpreadsheet } from "../logged-spreadsheet";

/** Sends the request that office.js makes of `Office.ribbon.requestUpdate`: paths to the ribbon (1), a tab (2) and a control (3). */
async function request(action: object, enableButton?: Shell["enableButton"]) {
  const spreadsheet = createLoggedSpreadsheet();
  const shell = {
    ...{ paneVisible: () => true, showPane() {}, takeFocus() {}, report() {}, undoStackCleared() {} },
    ...(enableButton && { enableButton }),
  };
  const api = createRichApi({
    ...{ spreadsheet, document: createDocument(), shell },
    events: createObjectEvents(
      spreadsheet,
      () => {},
      () => false,
    ),
    functions: { ready() {}, settle() {} },
  });
  const method = (Name: string, id: string) => ({
    ...{ ObjectPathType: 3, Name, ParentObjectPathId: 1, ArgumentInfo: { Arguments: [id] } },
  });
  const body = {
    Actions: [{ Id: 1, ...action }],
    ObjectPaths: {
      1: { ObjectPathType: 2, Name: "Microsoft.DynamicRibbon.DynamicRibbon" },
      2: method("GetTab", "Contoso.Tab"),
      3: method("GetButton", "Contoso.Run"),
    },
  };
  return (await api.execute(JSON.stringify(body))).Error;
}
const enable = (isEnabled: unknown) => ({
  ...{ ActionType: 4, Name: "Enabled", ObjectPathId: 3, ArgumentInfo: { Arguments: [isEnabled] } },
});

it("a control is enabled and disabled by its id (disable-add-in-commands.md)", async () => {
  const told: unknown[] = [];
  const ribbon = (id: string, isEnabled: boolean) => Boolean(told.push([id, isEnabled]));
  expect(await request(enable(false), ribbon)).toBeUndefined();
  expect(told).toEqual([["Contoso.Run", false]]);
});

it("a control that the manifest does not declare is not found", async () => {
  expect((await request(enable(true), () => false))?.Code).toBe("ItemNotFound");
});

it.each([
  ["without a ribbon", enable(true), "Office.ribbon.requestUpdate"],
  [
    "of a contextual tab",
    { ActionType: 3, Name: "SetVisibility", ObjectPathId: 2, ArgumentInfo: { Arguments: [true] } },
    "Office.ribbon.requestUpdate of the visibility of a contextual tab",
  ],
  [
    "that makes contextual tabs",
    { ActionType: 3, Name: "ExecuteRequestCreate", ObjectPathId: 1, ArgumentInfo: { Arguments: ["{}"] } },
    "Office.ribbon.requestCreateControls",
  ],
])("an update %s fails by name", async (_case, action, name) => {
  expect(await request(action)).toMatchObject({
    Code: "ApiNotFound",
    Message: expect.stringContaining(name),
  });
});
