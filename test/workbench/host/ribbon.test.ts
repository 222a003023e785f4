import { describe, expect, it } from "vitest";
import type { ContextualTab } from "../../../workbench/host/contextual-tabs";
import { createDocument } from "../../../workbench/host/office-document";
import { createObjectEvents } from "../../../workbench/host/objects/object-events";
import { createRichApi } from "../../../workbench/host/rich-api";
import type { ContextualTabs, Shell } from "../../../workbench/host/objects/object-model";
import { createLoggedSpreadsheet } from "../logged-spreadsheet";

/** Sends the request that office.js makes of `Office.ribbon.requestUpdate`: paths to the ribbon (1), a tab (2) and a control (3). */
async function request(action: object, enableButton?: Shell["enableButton"], more: Partial<Shell> = {}) {
  const spreadsheet = createLoggedSpreadsheet();
  const shell = {
    ...{ paneVisible: () => true, showPane() {}, takeFocus() {}, report() {}, undoStackCleared() {} },
    ...(enableButton && { enableButton }),
    ...more,
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

describe("contextual tabs", () => {
  const images = [16, 32, 80].map((size) => ({
    size,
    sourceLocation: `https://contoso.example/${size}.png`,
  }));
  const superTip = { title: "Write", description: "Writes." };
  const button = { type: "Button", id: "Write", label: "Write", actionId: "write", superTip, icon: images };
  const group = { id: "Group", label: "Data", icon: images, controls: [button] };
  const tab = { id: "Contoso.Tab", label: "Contoso", groups: [group] };
  const write = { id: "write", type: "ExecuteFunction", functionName: "writeData" };
  const good = { actions: [write], tabs: [tab] };

  const create = (definition: unknown) => ({
    ...{ ActionType: 3, Name: "ExecuteRequestCreate", ObjectPathId: 1 },
    ArgumentInfo: { Arguments: [JSON.stringify(definition)] },
  });
  const show = (isVisible: unknown) => ({
    ...{ ActionType: 3, Name: "SetVisibility", ObjectPathId: 2, ArgumentInfo: { Arguments: [isVisible] } },
  });
  /** A ribbon that keeps what it is told. */
  function ribbon(page: string | null = "https://contoso.example/pane.html") {
    const told = { tabs: [] as ContextualTab[], shown: [] as string[], problems: [] as string[] };
    let made = false;
    const contextualTabs: ContextualTabs = {
      page,
      create(tabs) {
        if (made) return false;
        made = true;
        told.tabs = tabs;
        return true;
      },
      show: (id, isVisible) =>
        told.tabs.some((one) => one.id === id) && Boolean(told.shown.push(`${id} ${isVisible}`)),
    };
    return {
      told,
      ask: (action: object) =>
        request(action, undefined, { contextualTabs, report: (problem) => void told.problems.push(problem) }),
    };
  }

  it("are made with buttons and menus, and shown and hidden by their ids (contextual-tabs.md)", async () => {
    const { told, ask } = ribbon();
    const menu = {
      ...button,
      id: "Menu",
      type: "Menu",
      items: [{ ...button, id: "Item", type: "MenuItem", enabled: false }],
    };
    expect(
      await ask(create({ ...good, tabs: [{ ...tab, groups: [{ ...group, controls: [button, menu] }] }] })),
    ).toBeUndefined();
    expect(told.tabs).toMatchObject([
      {
        id: "Contoso.Tab",
        label: "Contoso",
        groups: [
          {
            label: "Data",
            controls: [
              {
                id: "Write",
                functionName: "writeData",
                isDisabled: false,
                icon: "https://contoso.example/32.png",
              },
              { id: "Menu", items: [{ id: "Item", functionName: "writeData", isDisabled: true }] },
            ],
          },
        ],
      },
    ]);
    expect(await ask(show(true))).toBeUndefined();
    expect(await ask(show(false))).toBeUndefined();
    expect(told.shown).toEqual(["Contoso.Tab true", "Contoso.Tab false"]);
  });

  it("are made once: a second call is refused (contextual-tabs.md)", async () => {
    const { ask } = ribbon();
    await ask(create(good));
    expect((await ask(create(good)))?.Code).toBe("InvalidOperation");
  });

  it("need a shared runtime (contextual-tabs.md)", async () => {
    expect((await ribbon(null).ask(create(good)))?.Code).toBe("InvalidOperation");
  });

  it("are not shown by visible: true alone, which the developer is told (OfficeDev/office-js#3476)", async () => {
    const { told, ask } = ribbon();
    await ask(create({ ...good, tabs: [{ ...tab, visible: true }] }));
    expect(told.shown).toEqual([]);
    expect(told.problems).toEqual([expect.stringMatching(/Contoso\.Tab is not shown by its visible: true/)]);
  });

  it("open the pane by an action ShowTaskpane", async () => {
    const { told, ask } = ribbon();
    await ask(create({ ...good, actions: [{ id: "write", type: "ShowTaskpane", title: "Pane" }] }));
    expect(told.tabs[0]?.groups[0]?.controls).toMatchObject([
      { functionName: null, page: "https://contoso.example/pane.html" },
    ]);
  });

  it("that do not exist are neither shown nor hidden", async () => {
    expect((await ribbon().ask(show(true)))?.Code).toBe("ItemNotFound");
  });

  const withControl = (change: object) => ({
    ...good,
    tabs: [{ ...tab, groups: [{ ...group, controls: [{ ...button, ...change }] }] }],
  });
  it.each<[string, unknown, RegExp]>([
    ["actions", { tabs: [tab] }, /actions/],
    ["a tab", { ...good, tabs: [] }, /tabs has no tab/],
    [
      "fewer than 21 tabs",
      { ...good, tabs: Array.from({ length: 21 }, (_, at) => ({ ...tab, id: `${at}` })) },
      /more than 20 tabs/,
    ],
    ["a label of a tab", { ...good, tabs: [{ ...tab, label: undefined }] }, /tabs\.0\.label/],
    ["a group", { ...good, tabs: [{ ...tab, groups: [] }] }, /has no group/],
    ["a control", { ...good, tabs: [{ ...tab, groups: [{ ...group, controls: [] }] }] }, /has no control/],
    ["a known action", { ...good, actions: [{ ...write, type: "ExecuteAction" }] }, /actions\.0\.type/],
    ["a function's name", { ...good, actions: [{ ...write, functionName: undefined }] }, /functionName/],
    ["an action that is defined", withControl({ actionId: "other" }), /Write has the action other/],
    ["a control of a known type", withControl({ type: "MobileButton" }), /type/],
    ["an id of up to 125 characters", withControl({ id: "x".repeat(126) }), /more than 125 characters/],
    ["a superTip with a description", withControl({ superTip: { title: "Write" } }), /superTip\.description/],
    ["an icon of 80 pixels", withControl({ icon: images.slice(0, 2) }), /lacks an image of 16, 32 or 80/],
    [
      "sizes that icons have",
      withControl({ icon: [...images, { size: 17, sourceLocation: "x" }] }),
      /no size of an icon/,
    ],
    [
      "one control of an id",
      { ...good, tabs: [{ ...tab, groups: [{ ...group, controls: [button, button] }] }] },
      /two controls have the id Write/,
    ],
    ["one group of an id", { ...good, tabs: [{ ...tab, groups: [group, group] }] }, /two groups/],
    [
      "one tab of an id",
      {
        ...good,
        tabs: [tab, { ...tab, groups: [{ ...group, id: "B", controls: [{ ...button, id: "B" }] }] }],
      },
      /two tabs/,
    ],
    [
      "one action without sourceLocation",
      { ...good, actions: [write, { id: "a", type: "ShowTaskpane" }, { id: "b", type: "ShowTaskpane" }] },
      /two actions of type ShowTaskpane/,
    ],
  ])(
    "without %s are not made, in silence, and the developer is told (OfficeDev/office-js#2847)",
    async (_what, definition, problem) => {
      const { told, ask } = ribbon();
      expect(await ask(create(definition))).toBeUndefined();
      expect(told.tabs).toEqual([]);
      expect(told.problems).toEqual([expect.stringMatching(problem)]);
      expect((await ask(show(true)))?.Code).toBe("ItemNotFound");
    },
  );
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
