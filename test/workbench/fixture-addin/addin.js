// A small add-in in plain JavaScript, so that the workbench's tests do not depend on the real one.
const seen = (window.seen = { grids: 0, cancelled: 0, ready: null });

CustomFunctions.associate("ADD", (a, b) => a + (b ?? 100));
CustomFunctions.associate("GRID", async (rows, columns) => {
  seen.grids++;
  return Array.from({ length: rows }, (_row, row) =>
    Array.from({ length: columns }, (_cell, column) => row * 10 + column),
  );
});
CustomFunctions.associate("FAIL", (how, invocation) => {
  const error = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable, "No answer yet");
  if (how === "returned") return error;
  if (how === "thrown") throw error;
  if (how === "plain") throw new Error("plain text is dropped");
  invocation.onCanceled = () => seen.cancelled++;
  return new Promise(() => {});
});

Office.actions.associate("stamp", async (event) => {
  await Excel.run(async (context) => {
    context.workbook.getSelectedRange().values = [["stamped"]];
    await context.sync();
  });
  event.completed();
});

Office.onReady((info) => {
  seen.ready = { host: info.host, platform: info.platform, visibility: info.addin?.visibilityMode };
});
