import { expect, it, vi } from "vitest";
import { createOtherWorkbooks } from "../../src/settings/other-workbooks";

it("another workbook of the browser hears which space was forgotten, and nothing else that is posted", async () => {
  // The name is the same in all versions of the add-in, because workbooks with different versions may be open.
  const channel = new BroadcastChannel("regdata.forgotten");
  const heard: string[] = [];
  createOtherWorkbooks()?.onForgotten((space) => heard.push(space));
  createOtherWorkbooks()?.tellForgotten("fingerprint-1");
  channel.postMessage({ space: "no text" });
  channel.postMessage(7);
  channel.postMessage("fingerprint-2");
  await vi.waitFor(() => expect(heard.sort()).toEqual(["fingerprint-1", "fingerprint-2"]));
  channel.close();
});

it("a browser without channels has no other workbooks to tell", () => {
  const present = Object.getOwnPropertyDescriptor(globalThis, "BroadcastChannel")!;
  Reflect.deleteProperty(globalThis, "BroadcastChannel");
  expect(createOtherWorkbooks()).toBeUndefined();
  Object.defineProperty(globalThis, "BroadcastChannel", present);
});
