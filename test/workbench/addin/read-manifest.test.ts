import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buttonsOf, readManifest } from "../../../workbench/addin/read-manifest";

const manifestOf = (addin: string) =>
  readFileSync(join(import.meta.dirname, "..", addin, "manifest.xml"), "utf8");
const ownPages = manifestOf("own-pages-addin");
const shared = manifestOf("fixture-addin");
const at = (path: string) => `https://addins.example/team/own/${path}`;

describe("a manifest", () => {
  it("of a shared runtime has one page for pane, commands and functions", () => {
    const page = "https://addin.example/sample/taskpane.html";
    expect(readManifest(shared)).toMatchObject({
      ...{ displayName: "Sample add-in", pane: page, sharedRuntime: page, unsupported: [] },
      functions: {
        metadata: "https://addin.example/sample/functions.json",
        namespace: "SAMPLE",
        page,
      },
    });
  });

  it("without one has pages of their own for functions and commands, and a page for each button", () => {
    const manifest = readManifest(ownPages);
    expect(manifest).toMatchObject({
      ...{ sharedRuntime: null, commandsPage: at("src/commands/commands.html"), unsupported: [] },
      functions: { namespace: "OWN", page: at("src/functions/functions.html") },
    });
    expect(buttonsOf(manifest.groups)).toMatchObject([
      { id: "ShowFirst", functionName: null, page: at("src/pane/pane.html"), isDisabled: false },
      { id: "ShowSecond", functionName: null, page: at("src/pane/second.html") },
      { id: "WriteOnce", functionName: "writeOnce" },
      { id: "Locked", functionName: "noSuchFunction", isDisabled: true },
    ]);
  });

  it("for several Office programs is read for Excel", () => {
    const { groups } = readManifest(ownPages);
    expect(groups.map(({ label }) => label)).toEqual(["Own"]);
    expect(groups[0]?.controls.map(({ id }) => id)).toEqual(["OwnMenu", "Locked"]);
  });

  it("shows first the page that its first button shows", () => {
    expect(readManifest(ownPages).pane).toBe(at("src/pane/pane.html"));
    const withoutButtons = ownPages.replaceAll(/<Item id="Show\w+">[\s\S]*?<\/Item>/g, "");
    expect(readManifest(withoutButtons).pane).toBe(at("not-there.html"));
  });

  it("may have a pane and nothing else", () => {
    expect(readManifest(manifestOf("pane-only-addin"))).toMatchObject({
      ...{ pane: "https://addins.example/pane.html", sharedRuntime: null, commandsPage: null },
      ...{ functions: null, groups: [], cellMenus: [] },
      requirements: [
        { set: "ExcelApi", version: "1.4" },
        { set: "RibbonApi", version: "1.2" },
      ],
    });
  });

  it.each([
    [
      "a control of another kind",
      'xsi:type="Menu" id="OwnMenu"',
      'xsi:type="Gallery" id="OwnMenu"',
      /OwnMenu, a Gallery/,
    ],
    ["a place of another kind", "PrimaryCommandSurface", "LaunchEvent", /extension point LaunchEvent/],
    ["another action", 'xsi:type="ExecuteFunction"', 'xsi:type="Navigate"', /action Navigate of WriteOnce/],
    [
      "an address that it lacks",
      'FunctionFile resid="Commands.Url"',
      'FunctionFile resid="None"',
      /FunctionFile/,
    ],
  ])("is read without %s, which is named as not supported", (_what, from, to, problem) => {
    const host = ownPages.indexOf('<Host xsi:type="Workbook">');
    const changed = ownPages.slice(0, host) + ownPages.slice(host).replace(from, to);
    expect(readManifest(changed).unsupported).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ["a control", '<Control xsi:type="Button" id="Locked">', ["OwnMenu"]],
    ["a group", '<Group id="OwnGroup">', []],
  ])("is read without %s that contextual tabs are to replace (contextual-tabs.md)", (_what, element, ids) => {
    expect(ownPages).toContain(element);
    const changed = ownPages.replace(
      element,
      `${element}<OverriddenByRibbonApi>true</OverriddenByRibbonApi>`,
    );
    const { groups } = readManifest(changed);
    expect(groups.flatMap(({ controls }) => controls.map(({ id }) => id))).toEqual(ids);
  });

  it("tells of a button that shows another page than the shared runtime's", () => {
    const changed = shared.replace(
      '<TaskpaneId>Pane</TaskpaneId><SourceLocation resid="Page.Url" />',
      '<TaskpaneId>Pane</TaskpaneId><SourceLocation resid="Script.Url" />',
    );
    expect(readManifest(changed).unsupported).toEqual([
      expect.stringMatching(/^OpenPane shows another page/),
    ]);
  });

  it.each([
    ["that is no XML", "<OfficeApp", /manifest\.xml/],
    ["of something else", "<package/>", /not an Office add-in's manifest/],
    ["of a content add-in", ownPages.replace('"TaskPaneApp"', '"ContentApp"'), /is a ContentApp/],
    [
      "for other programs",
      ownPages.replace('<Host Name="Workbook" />', ""),
      /for Document, not for a Workbook/,
    ],
    ["whose page is no address", shared.replaceAll("https://addin.example", ""), /no address/],
    ["without a namespace", shared.replace('<Namespace resid="Namespace" />', ""), /without a Namespace/],
    ["that never ends", `${shared}${" ".repeat(2 ** 20)}`, /too large/],
  ])("%s is refused with a sentence", (_what, xml, sentence) => {
    expect(() => readManifest(xml)).toThrow(sentence);
  });
});
