// A small add-in in plain JavaScript, so that the workbench's tests do not depend on the real one.
const seen = (window.seen = { grids: 0, cancelled: 0, echoed: [], ready: null });

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

// Gives as many rows and columns as its argument has, and notes the argument.
CustomFunctions.associate("ECHO", (values) => {
  seen.echoed.push(values);
  return values;
});

const date = { type: "Double", basicValue: 46204, numberFormat: "yyyy-mm-dd" };
const height = {
  type: "Double",
  basicValue: 35,
  numberFormat: '0.0" ft"',
  properties: { Citation: { type: "String", basicValue: "R301.2" }, "In force": date },
};
const county = {
  type: "Entity",
  text: "Ventura County",
  properties: {
    Code: { type: "String", basicValue: "06111", propertyMetadata: { sublabel: "FIPS" } },
    Since: { ...date, type: "FormattedNumber" },
    Unlisted: { type: "Boolean", basicValue: true },
  },
  layouts: {
    card: {
      title: "County",
      subTitle: { property: "Code" },
      sections: [{ layout: "List", properties: ["Since", "Code"] }],
    },
  },
  provider: { description: "Sample data" },
};
const results = {
  county,
  date,
  height,
  "formatted number": { ...date, type: "FormattedNumber" },
  text: { type: "String", basicValue: "06111" },
  "cited text": { type: "String", basicValue: "R-3", properties: height.properties },
  "truth value": { type: "Boolean", basicValue: true },
  nothing: { type: "Empty" },
};
CustomFunctions.associate("TYPED", (what) => results[what]);
CustomFunctions.associate("TYPEDROWS", () => [
  ["Place", county],
  [height, date],
  [1, 2],
]);

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
