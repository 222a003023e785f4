/**
 * What the sample workbook holds at its start: geoIDs down, questions across, a formula in each cell between, and
 * hints where to go on.
 */
const jurisdictions = [
  ["06001", "Alameda County, CA"],
  ["06037", "Los Angeles County, CA"],
  ["04013", "Maricopa County, AZ"],
  ["32003", "Clark County, NV"],
  ["41051", "Multnomah County, OR"],
  ["53033", "King County, WA"],
  ["24510", "Baltimore city, MD"],
  ["22071", "Orleans Parish, LA"],
];
const questions = [
  [1002, "Residential code"],
  [1076, "Structural letter required"],
  [1057, "Re-inspection fee"],
  [1090, "Roof snow load"],
  [1151, "Storage setback"],
];

const idRow = 5;
const columns = ["C", "D", "E", "F", "G"];

const cells = [
  {
    address: "A1",
    rows: [
      ["Change a geoID or a type id, and its answers follow. Point at an error to read what it means."],
      ["To fill a table: select the geoIDs A6:A13, then choose Take selected cells in the pane."],
      ["More formulas, for an empty place: '=REGDATA.MATRIX(A6:A13, C5:G5)' or '=REGDATA.CARD(A6, G5)'."],
    ],
  },
  {
    address: `A${idRow - 1}`,
    rows: [
      ["", "", ...questions.map(([, name]) => name ?? "")],
      ["geoID", "Jurisdiction", ...questions.map(([id]) => id ?? "")],
      ...jurisdictions.map(([geoid, name], index) => [
        `'${geoid}`,
        name ?? "",
        ...columns.map((column) => `=REGDATA.VALUE($A${idRow + 1 + index}, ${column}$${idRow})`),
      ]),
    ],
  },
];

export const exampleSheet = { cells, columnWidths: [70, 170, 130, 170, 120, 110, 130] };
