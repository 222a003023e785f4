import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeBrowser, sharedBrowser } from "../open-workbench";
import { layoutFlaws } from "./layout-flaws";

let page: Page;
beforeAll(async () => {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 320, height: 300 } });
  page = await context.newPage();
});
afterAll(closeBrowser);

async function flawsOf(body: string): Promise<string[]> {
  await page.setContent(`<!doctype html><body style="margin: 0; font: 16px sans-serif">${body}`);
  return page.evaluate(layoutFlaws, "body");
}

describe("the rule of the screens", () => {
  it.each([
    [
      "a control under a text",
      '<button>Under</button><p style="position: absolute; top: 0; margin: 0">Over</p>',
    ],
    [
      "a control beside the page",
      '<button style="position: absolute; left: -90px; width: 80px">Out</button>',
    ],
    [
      "a control in a part that can't be scrolled",
      '<div style="height: 20px; overflow: hidden"><p>One</p><input></div>',
    ],
    ["a page that is too wide", '<div style="width: 400px; height: 9px"></div>'],
    ["a page that is too high", '<div style="height: 400px"></div>'],
    [
      "a part that scrolls sideways",
      '<div style="overflow-x: auto; width: 90px"><p style="width: 190px">Wide</p></div>',
    ],
    [
      "a text that is cut off",
      '<p style="width: 40px; overflow: hidden; white-space: nowrap">A long sentence</p>',
    ],
    ["a text over a text", '<p style="margin: 0">One</p><p style="margin: -15px 0 0">Two</p>'],
    ["a placeholder that is cut off", '<input style="width: 30px" placeholder="A long example">'],
  ])("finds %s", async (_, body) => {
    expect(await flawsOf(body)).not.toEqual([]);
  });

  it.each([
    [
      "a control below the edge of a part that scrolls",
      '<div style="height: 50px; overflow: auto"><p>1<p>2<p>3<p><button>Down</button></div>',
    ],
    [
      "a link of several lines",
      '<p>Some words before <a href="#">a link that goes on for quite a number of words</a> and after</p>',
    ],
    [
      "a cut text that a title tells",
      '<p title="A long sentence" style="width: 40px; overflow: hidden; white-space: nowrap">A long sentence</p>',
    ],
    [
      "a text that is only heard",
      '<p style="position: absolute; clip-path: inset(50%); width: 1px; overflow: hidden">Heard</p>',
    ],
    [
      "controls under a menu that is open",
      '<button>Under</button><div role="menu" style="position: absolute; top: 0; background: white"><a role="menuitem" href="#">An item</a></div>',
    ],
  ])("lets pass %s", async (_, body) => {
    expect(await flawsOf(body)).toEqual([]);
  });
});
