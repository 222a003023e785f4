import { expect, it, vi } from "vitest";
import { createSavedImportsControl } from "../../../../src/taskpane/refresh/saved-imports-control";
import { createShareControl } from "../../../../src/taskpane/share/share-control";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../../src/taskpane/refresh/refresh-work";
import { pass, playExcel } from "../../../functions/excel";
import { openImport, type OpenedImport } from "./opened-import";

playExcel();

/** Opens a workbook whose service holds answers back while `isHeld` is true. */
async function openHeld() {
  const held = { is: false, letGo: () => {} };
  let until = Promise.resolve();
  const opened = await openImport({
    excelApi: "1.13",
    intercept: async (request) => {
      if (held.is && request.url.includes("matrix")) await until;
      return undefined;
    },
  });
  return {
    ...opened,
    hold() {
      held.is = true;
      until = new Promise((resolve) => (held.letGo = resolve));
    },
    letGo() {
      held.is = false;
      held.letGo();
    },
  };
}

/** Opens such a workbook with an import, and the list of its imports. */
async function openWithImport() {
  const opened = await openHeld();
  opened.control.insertOnNewSheet(opened.order());
  await opened.reaches("done");
  const imports = createSavedImportsControl(opened.excel.app, opened.session);
  return { ...opened, imports, replaces: await opened.toReplace() };
}
const matrices = ({ answersAsked }: OpenedImport) => answersAsked().length;

it("the workbook is not prepared to be shared while an import is under way, and is afterwards", async () => {
  const opened = await openHeld();
  const share = createShareControl(opened.excel.app, opened.session);
  const prepare = () => share.prepare({ freezes: false, writesSources: false });
  opened.hold();
  opened.control.insertOnNewSheet(opened.order());
  expect(opened.excel.app.jobs.isExcluded("workbook")).toBe(true);
  prepare();
  await pass(5_000);
  expect(share.work.getState()).toMatchObject({
    ...{ status: "failed" },
    failure: { kind: "cancelled", detail: "An import is running." },
  });
  opened.letGo();
  await opened.reaches("done");
  expect(opened.excel.app.jobs.isExcluded("workbook")).toBe(false);
  prepare();
  await pass(30_000);
  expect(share.work.getState().status).toBe("done");
});

it("no import begins while the workbook is prepared to be shared", async () => {
  const opened = await openHeld();
  const share = createShareControl(opened.excel.app, opened.session);
  share.prepare({ freezes: true, writesSources: false });
  opened.control.insertOnNewSheet(opened.order());
  expect(opened.state()).toEqual({ status: "idle" });
  await pass(30_000);
  expect(matrices(opened)).toBe(0);
  opened.control.insertOnNewSheet(opened.order());
  await opened.reaches("done");
});

it("an import that is being replaced is not refreshed, by a button or the ribbon, while a new one keeps nothing waiting", async () => {
  const opened = await openWithImport();
  const { control, order, session, replaces, imports } = opened;
  const types = (await session.lookup.catalogue.types()).slice(0, 3);
  opened.hold();
  control.replace({ ...order({ question: { kind: "matrix", ahjs: opened.ahjs, types } }), replaces });
  await pass(5_000);
  const asked = matrices(opened);
  imports.refresh([replaces.kept]);
  await pass(5_000);
  expect(imports.getState().refreshes.size).toBe(0);
  expect(matrices(opened)).toBe(asked);
  const pressed = { name: "refreshAll" as const };
  expect(opened.excel.app.jobs.isPutOff(pressed)).toBe(true);
  opened.letGo();
  await opened.reaches("done");
  // A screen that looks at the press only now must not carry it out.
  expect(opened.excel.app.jobs.isPutOff(pressed)).toBe(true);
  expect(opened.excel.app.jobs.isPutOff({ name: "refreshAll" })).toBe(false);

  opened.hold();
  control.insertOnNewSheet(
    order({ sheetName: "Another", question: { kind: "matrix", ahjs: opened.ahjs, types: opened.types } }),
  );
  expect(opened.excel.app.jobs.isExcluded("imports")).toBe(false);
  opened.letGo();
  await opened.reaches("done");
});

it("an import is not replaced while it is refreshed", async () => {
  const opened = await openWithImport();
  const { control, order, replaces, imports } = opened;
  // A refresh takes answers that came a moment ago as they are.
  vi.setSystemTime(Date.now() + 86_400_000);
  opened.hold();
  imports.refresh([replaces.kept]);
  await pass(5_000);
  control.replace({ ...order(), replaces });
  expect(opened.state().status).toBe("done");
  opened.letGo();
  await pass(30_000);
  expect(imports.getState().isRefreshing).toBe(false);
  control.replace({ ...order(), replaces: await opened.toReplace() });
  await opened.reaches("done");
});
