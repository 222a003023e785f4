/**
 * What the sample workbook holds at its start: geoIDs down, type ids across, and formulas for all that depends on them, the
 * names too, so that no label is left wrong where an id is changed; and hints where to go on.
 */
const geoids = ["06001", "06037", "04013", "32003", "41051", "53033", "24510", "22071"];
/** Residential code, structural letter, re-inspection fee, roof snow load, storage setback. */
const typeIds = [1002, 1076, 1057, 1090, 1151];

const idRow = 5;
const firstRow = idRow + 1;
const columns = ["C", "D", "E", "F", "G"];

const cells = [
  {
    address: "A1",
    rows: [
      ["Change a geoID or a type id, and names and answers follow. Point at an error to read what it means."],
      ["To fill a table: select the geoIDs A6:A13, then choose Take selected cells in the pane."],
      ["More formulas, for an empty place: '=REGDATA.MATRIX(A6:A13, C5:G5)' or '=REGDATA.CARD(A6, G5)'."],
    ],
  },
  {
    address: `A${idRow - 1}`,
    rows: [
      ["", "", ...columns.map((column) => `=REGDATA.VALUE($A${firstRow}, ${column}$${idRow}, "question")`)],
      ["geoID", "Jurisdiction", ...typeIds],
      ...geoids.map((geoid, index) => {
        const cell = `$A${firstRow + index}`;
        const name = `=REGDATA.AHJ(${cell})&", "&REGDATA.AHJ(${cell}, "state_code")`;
        return [`'${geoid}`, name, ...columns.map((column) => `=REGDATA.VALUE(${cell}, ${column}$${idRow})`)];
      }),
    ],
  },
];

export const exampleSheet = { cells, columnWidths: [70, 170, 130, 170, 120, 110, 130] };
