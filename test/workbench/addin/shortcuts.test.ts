import { expect, it } from "vitest";
import { readShortcuts } from "../../../workbench/addin/shortcuts";

const action = (id: string) => ({ id, type: "ExecuteFunction", name: `Does ${id}` });
const file = (...shortcuts: [string, object][]) => ({
  actions: ["open", "close"].map(action),
  shortcuts: shortcuts.map(([name, key]) => ({ action: name, key })),
});

it("keys of a file are read, one for the web before the usual one", () => {
  const read = readShortcuts(
    file(
      ["open", { default: "Ctrl+Alt+Shift+D", mac: "Command+Shift+D" }],
      ["close", { default: "Ctrl+Shift+E", web: "Alt+Shift+2" }],
    ),
  );
  expect(read).toEqual([
    { action: "open", key: "Ctrl+Alt+Shift+D" },
    { action: "close", key: "Alt+Shift+2" },
  ]);
});

it.each([
  ["of an action that is not listed", file(["leave", { default: "Ctrl+Alt+D" }])],
  ["that are typed in cells", file(["open", { default: "Shift+D" }])],
  ["that two actions share", file(["open", { default: "Ctrl+D" }], ["close", { default: "Ctrl+D" }])],
  ["of which one action has two", file(["open", { default: "Ctrl+D" }], ["open", { default: "Ctrl+E" }])],
  ["of a Mac by default", file(["open", { default: "Command+Shift+D" }])],
  ["of actions of another type", { actions: [{ ...action("open"), type: "ShowTaskpane" }], shortcuts: [] }],
])("keys %s are refused", (_, json) => {
  expect(() => readShortcuts(json)).toThrow();
});
