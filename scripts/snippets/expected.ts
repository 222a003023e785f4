import type { Expectation } from "./expectations";

/** The amounts of the table of expenses that many snippets begin with, in its fourth column below the header. */
const amounts = [[120], [142], [27], [33], [350], [135], [97]];
/** Products of quantities and prices. */
const totals = [[15], [34.5], [47.8]];
const expenses = { ExpensesTable: "Sample!A1:D8" };
const blue = "#4472C4";
/** The color that HTML calls blue. */
const blueByName = "#0000FF";
/** Chromium's words where a script looks for an element that its page lacks. */
const missingElement = "Cannot read properties of null (reading 'addEventListener')";

/** The states of sheet and page that snippets lead to, as a person has read in them, by the path of the snippet. */
export const expected: Readonly<Record<string, Expectation>> = {
  "01-basics/basic-api-call-es5.yaml": {
    select: { run: "B2:C3" },
    checks: [{ fills: { "Sheet1!B2": "#FFFF00", "Sheet1!D3": null }, said: ["Sheet1!B2:C3"] }],
  },
  "01-basics/basic-api-call.yaml": {
    select: { run: "B2:C3" },
    checks: [{ fills: { "Sheet1!C3": "#FFFF00", "Sheet1!A1": null }, said: ["Sheet1!B2:C3"] }],
  },
  "01-basics/basic-common-api-call.yaml": {
    formulas: { B2: [["Kern"]] },
    select: { run: "B2" },
    checks: [{ said: ['"Kern"'] }],
  },
  "10-chart/chart-axis.yaml": {
    checks: [
      {
        charts: [6],
        said: [
          /vertical axis display unit is: \w+$/,
          /category axis title is: Bicycle parts$/,
          /Number of items$/,
        ],
      },
    ],
  },
  "10-chart/chart-axis-formatting.yaml": {
    checks: [{ charts: [6], tables: { SalesTable: "Sample!A1:E7" } }],
  },
  "10-chart/chart-legend.yaml": {
    checks: [{ tables: { SalesTable: "Sample!A1:E7" }, charts: [6], values: { "Sample!E7": [[8765]] } }],
  },
  "10-chart/chart-title-format.yaml": {
    checks: [{ charts: [5], tables: { SalesTable: "Sample!A1:E7" } }],
  },
  // The snippet's comments rank a format by the order of adding, and Microsoft's types rank the last one first: the colors of texts are
  // checked where the snippet tells the ranks itself.
  "14-conditional-formatting/conditional-formatting-advanced.yaml": {
    checks: [
      {
        after: "apply-conditional-formats-default-priority",
        values: { "Sample!B5:C5": [[-1, 2]] },
        conditional: { "Sample!M3": {}, "Sample!C5": { fontColor: "#FF0000", bold: true } },
      },
      {
        after: "apply-conditional-formats-explicit-priority",
        conditional: {
          "Sample!B5": { fillColor: "#90EE90", fontColor: blueByName, bold: true },
          "Sample!C5": { fontColor: "#FF0000", bold: true },
        },
      },
      {
        after: "apply-conditional-formats-stop-if-true",
        conditional: {
          "Sample!B5": { fillColor: "#90EE90", fontColor: blueByName },
          "Sample!C5": { fontColor: "#FF0000", bold: true },
        },
      },
      { conditional: { "Sample!B5": { fontColor: "#FF0000", bold: true } } },
    ],
  },
  "14-conditional-formatting/conditional-formatting-basic.yaml": {
    checks: [
      {
        after: "apply-color-scale-format",
        conditional: { "Sample!B5": { fillColor: blueByName }, "Sample!I4": { fillColor: "#FF0000" } },
      },
      {
        after: "apply-preset-format",
        conditional: { "Sample!I4": { fillColor: "#FF0000", fontColor: "#FFFFFF" } },
      },
      {
        after: "apply-text-format",
        conditional: { "Sample!D18": { fontColor: "#FF0000" }, "Sample!D17": {} },
      },
      { after: "apply-cell-value-format", conditional: { "Sample!C21": { fontColor: "#FF0000" } } },
      {
        after: "apply-top-bottom-format",
        conditional: { "Sample!E22": { fillColor: "#008000" }, "Sample!B22": {} },
      },
      {
        after: "list-conditional-formats",
        said: [
          ...["ColorScale", "PresetCriteria", "DataBar", "IconSet", "ContainsText", "CellValue"],
          ...["TopBottom", "Custom"],
        ],
      },
      { conditional: { "Sample!I4": {}, "Sample!D18": {}, "Sample!E22": {} } },
    ],
  },
  "16-custom-functions/basic-function.yaml": {
    formulas: { A1: [["=ROUND(SNIPPET.SPHEREVOLUME(3),6)"]] },
    checks: [{ values: { "Sheet1!A1": [[113.097336]] } }],
  },
  "16-custom-functions/custom-functions-errors.yaml": {
    formulas: { A1: [["=SNIPPET.RETURNINVALIDNUMBERERROR(1,2,3)"]] },
    checks: [{ values: { "Sheet1!A1:A3": [[1], ["#NUM!"], [3]] } }],
  },
  "16-custom-functions/invocation-address.yaml": {
    formulas: { B2: [['=SNIPPET.SKUPRICELOOKUP("SKU-001")']] },
    checks: [{ values: { "Sheet1!B2": [[19.99]] }, said: ["Sheet1!B2"] }],
  },
  "16-custom-functions/data-types-custom-functions.yaml": {
    formulas: { A1: [['=SNIPPET.PRODUCTSEARCH("chef",FALSE)']] },
    checks: [
      { texts: { "Sheet1!A1:A3": [["Chef Anton's Cajun Seasoning"], ["Chef Anton's Gumbo Mix"], [""]] } },
    ],
  },
  // Its value grows by 2 again and again.
  "16-custom-functions/streaming-function.yaml": {
    formulas: { A1: [["=SNIPPET.INCREMENT(2,20)"]], A2: [["=AND(A1>0,MOD(A1,2)=0)"]] },
    checks: [{ values: { "Sheet1!A2": [[true]] } }],
  },
  // No other server can be asked here: a function that throws an error of its own shows #VALUE!.
  "16-custom-functions/web-call-function.yaml": {
    formulas: { A1: [["=SNIPPET.GETSTARCOUNT()"]] },
    checks: [{ values: { "Sheet1!A1": [["#VALUE!"]] } }],
  },
  "16-custom-functions/volatile-function.yaml": {
    formulas: { A1: [["=SNIPPET.ROLL6SIDED()"]], A2: [["=AND(A1>=1,A1<=6,A1=INT(A1))"]] },
    checks: [{ values: { "Sheet1!A2": [[true]] } }],
  },
  "18-custom-xml-parts/create-set-get-and-delete-custom-xml-parts.yaml": { checks: [{ sheets: ["Sheet1"] }] },
  "18-custom-xml-parts/test-xml-for-unique-namespace.yaml": {
    checks: [{ sheets: ["Sheet1"] }],
  },
  "26-document/custom-properties.yaml": { checks: [{ said: ["MyKey: MyValue"] }] },
  "26-document/properties.yaml": {
    checks: [
      {
        said: [
          ...["Title: Excel document properties API", "Category: Office Add-ins", "Company: Microsoft"],
          ...["Custom key  : Introduction", "Custom value : Hello", /properties :2$/],
        ],
      },
    ],
  },
  "30-events/data-change-event-details.yaml": {
    checks: [{ tables: expenses, values: { "Sample!D2:D8": amounts } }],
  },
  // The user changes nothing after the handler is there, so that it is not heard.
  "30-events/data-changed.yaml": {
    checks: [
      { tables: { SalesTable: "Sample!A1:E6" }, values: { "Sample!B6:D6": [[5001, 2232, 4763]] } },
      { said: ["is registered"] },
    ],
  },
  // The handlers of the sums do nothing while events are off: the grand total stays blank.
  // Its page lacks two buttons that the script looks for, so that none of the buttons behind them does anything.
  "30-events/event-column-and-row-sort.yaml": {
    mistakes: { start: missingElement },
    checks: [
      {
        values: { "Sample!A2:E2": [["Apples", 5000, 2000, 1000, 7500]] },
        said: ["Adding row handler", "Adding column handler"],
      },
    ],
  },
  "30-events/event-worksheet-single-click.yaml": {
    clickAfter: "register-click-handler",
    checks: [{ said: ["is registered", /^Click detected at A1 \(.*: \d+(\.\d+)?, \d+(\.\d+)?\)$/] }],
  },
  "30-events/events-chart-activated.yaml": {
    mistakes: { start: missingElement },
    checks: [
      {
        tables: { SalesTable: "Sample!A1:E7" },
        charts: [6, 6],
        said: [/^Added handlers/],
      },
    ],
  },
  // Nobody activates a chart.
  "30-events/events-chartcollection-added-activated.yaml": {
    checks: [{ charts: [6], said: [/^A chart has been added with ID: ./] }],
  },
  "30-events/events-disable-events.yaml": {
    checks: [
      { after: "setup", values: { "Sample!A20:A21": [["Sums"], ["Grand Total"]] } },
      {
        values: { "Sample!P21": [[""]] },
        formulas: { "Sample!P20": [["=SUM(Sample!P1:Sample!P19)"]] },
        said: ["currently off"],
      },
    ],
  },
  "30-events/events-formula-changed.yaml": {
    checks: [
      { after: "setup", values: { "Sample!D1": [[8]] } },
      {
        values: { "Sample!D1": [[48]] },
        formulas: { "Sample!D1": [["=A1 * C1"]] },
        said: [/cell D1 changed[^]*previous formula was: =A1 \* B1\.[^]*was: Local\./],
      },
    ],
  },
  "30-events/events-workbook-activated.yaml": { checks: [{ sheets: ["Sheet1"], said: ["Added event"] }] },
  "30-events/events-workbook-and-worksheet-collection.yaml": {
    checks: [
      {
        after: "add-worksheet",
        sheets: ["Sheet1", "Sheet2"],
        said: [/"Sheet2" in position 1/, "onAdded event"],
      },
      { after: "activate-worksheet", said: [/activated worksheet Id/] },
      { after: "delete-worksheet", sheets: ["Sheet1", "Sheet2"], said: [/deactivated worksheet Id/] },
      { after: "move-worksheet", sheets: ["Sheet2", "Sheet1"], said: [/before move: 0/, /after move: 1/] },
      { after: "create-setting", said: ["value is: true"] },
      { said: ["value is: false"] },
    ],
  },
  // Nothing is selected after the handlers are there. The rows of the table push the bound cells six rows down: one for the table of headers alone, five for the rows that it does not have.
  // No event tells of deleted cells here, as it does in Excel; the cells themselves are checked.
  "30-events/events-worksheet.yaml": {
    checks: [
      { after: "setup", tables: { SalesTable: "Sample!A1:F7" }, values: { "Sample!F2": [[22_921]] } },
      { after: "select-range", said: [/changed to: B7:C7$/] },
      {
        after: "recalculate",
        formulas: { "Sample!B2:D2": [[5000, 7000, 6544]], "Sample!F2": [["=SUM(B2:E2)"]] },
        said: ["The worksheet has recalculated.", /address: /],
      },
      {
        after: "delete-data",
        tables: { SalesTable: "Sample!A1:F6" },
        values: {
          "Sample!A5:E6": [
            ["Mirrors", 225, 600, 923, 544],
            ["Spokes", 6005, 7634, 4589, 8765],
          ],
        },
      },
      {
        sheets: ["Sheet1", "NewWorksheetName"],
        said: [/before change: Sample$/, /after change: NewWorksheetName$/],
      },
    ],
  },
  "30-events/selection-changed-events.yaml": {
    checks: [
      {
        values: { "Sample!A21": [["Binding range"]] },
        fills: { "Sample!A21": "#FFFF00", "Sample!D26": "#FFFF00", "Sample!A20": null },
        tables: { SalesTable: "Sample!A1:E7" },
      },
    ],
  },
  "30-events/events-table-changed.yaml": {
    checks: [
      { after: "change-data", values: { "Sample!B7": [[900]] }, said: [/: B7$/] },
      { said: [/: B3:C3/] },
    ],
  },
  "30-events/events-tablecollection-changed.yaml": {
    checks: [{ values: { "Sample!B7": [[900]], "Sample!C15": [[20]] }, said: [/: B7$/, /: C15$/] }],
  },
  "30-events/events-worksheet-protection.yaml": {
    checks: [{ sheets: ["Sheet1", "Sample"], said: [/: true\./] }],
  },
  "34-named-item/update-named-item.yaml": {
    checks: [
      { after: "add-named-item", said: ["Sample!$B$2:$E$7"] },
      {
        fills: {
          "Sample!B2": "#FFFF00",
          "Sample!E7": "#FFFF00",
          "Sample!D14": "#008000",
          "Sample!E14": null,
        },
        said: ["Sample!$B$10:$D$14"],
      },
    ],
  },
  "42-range/cell-properties.yaml": {
    select: { "get-cell-properties": "C2" },
    checks: [
      {
        fills: { "Sample!C2": blueByName, "Sample!B5": blueByName, "Sample!A1": null, "Sample!D3": null },
        said: [/Address: .*C2\nStyle: Normal\nFill Color: #0000FF\nFont Color: #FFFFFF/],
      },
    ],
  },
  "42-range/dynamic-arrays.yaml": {
    checks: [
      { after: "setup", tables: { ExpensesTable: "Sample!A4:D11" } },
      { after: "copy-table-headers", said: ["Sample!G4:J4"] },
      { values: { "Sample!J5:J6": [[27], [97]] }, said: ["Sample!G5:J6"] },
    ],
  },
  "42-range/formatting.yaml": {
    checks: [
      { after: "setup", values: { "Sample!E3:E5": totals }, fills: { "Sample!B2": null } },
      {
        fills: { "Sample!B2": blue, "Sample!E2": blue, "Sample!B3": null },
        texts: { "Sample!E3:E5": [["15.00"], ["34.50"], ["47.80"]] },
      },
    ],
  },
  "42-range/insert-delete-clear-range.yaml": {
    checks: [
      { after: "insert-range", values: { "Sample!C3:C6": [[2], [""], [1], [5]] } },
      { after: "delete-range", values: { "Sample!C3:C5": [[2], [1], [5]], "Sample!E3:E5": totals } },
      {
        values: { "Sample!E2:E5": [[""], [""], [""], [""]] },
        fills: { "Sample!E2": null, "Sample!D2": blue },
      },
    ],
  },
  "42-range/outline.yaml": {
    checks: [
      {
        after: "setup-totals",
        values: { "Sample!G4": [[9000]], "Sample!C6": [[1200]], "Sample!C9:C10": [[20_000], [21_200]] },
      },
      { after: "group-columns", hidden: { "Sample!A4": false }, hiddenColumns: { "Sample!C1": false } },
      {
        after: "collapse-outline",
        hidden: {
          "Sample!A3": false,
          "Sample!A4": true,
          "Sample!A6": true,
          "Sample!A9": true,
          "Sample!A10": false,
        },
        hiddenColumns: { "Sample!B1": false, "Sample!C1": true, "Sample!Q1": true, "Sample!R1": false },
      },
      {
        hidden: { "Sample!A4": false, "Sample!A9": false },
        hiddenColumns: { "Sample!C1": false, "Sample!Q1": false },
      },
    ],
  },
  "42-range/precedents-and-dependents.yaml": {
    checks: [{ said: ["Sample2025Data!E5", "Sample2026Data!E5", "Sample2026Data!F4"] }],
  },
  "42-range/range-areas.yaml": {
    checks: [
      {
        after: "color-specified-ranges",
        fills: { "Sample!D3": "#FFC0CB", "Sample!G5": "#FFC0CB", "Sample!E3": null },
      },
      {
        after: "color-all-formula-ranges",
        fills: { "Sample!F3": "#90EE90", "Sample!J5": "#90EE90", "Sample!C3": null },
      },
      {
        after: "color-all-logical-text-ranges",
        fills: { "Sample!I3": "#FFA500", "Sample!B2": "#FFA500", "Sample!C3": null },
      },
      { said: ["Sample!C3:C5,Sample!E3:E5", ": false", ": 2"] },
    ],
  },
  "42-range/range-auto-fill.yaml": {
    checks: [
      {
        values: {
          "Sample!F4:F7": [[9000], [3700], [23000], [40000]],
          "Sample!K4:K7": [[9500], [""], [""], [""]],
        },
        formulas: { "Sample!P4:P7": [["=SUM(L4:O4)"], ["=SUM(L5:O5)"], ["=SUM(L6:O6)"], ["=SUM(L7:O7)"]] },
        fills: { "Sample!F7": null, "Sample!K7": "#ADD8E6", "Sample!P7": "#ADD8E6" },
      },
    ],
  },
  "42-range/range-copyfrom.yaml": {
    checks: [
      {
        after: "setup",
        values: { "Sample!A1:E1": [[3, 5, 7, "", 15]] },
        fills: { "Sample!E1": "#90EE90" },
      },
      {
        formulas: {
          "Sample!K1": [["=SUM(G1:J1)"]],
          "Sample!K2": [["=SUM(G2:J2)"]],
          "Sample!G3": [[15]],
          "Sample!G4:K4": [[3, 3, 3, 3, 3]],
          "Sample!G5:K5": [["", "", "", "", ""]],
          "Sample!G12:K12": [[3, 5, 7, "", "=SUM(G12:J12)"]],
          "Sample!A1:E1": [["", "", "", "", ""]],
          "Sample!G7:G11": [[3], [5], [7], [""], ["=SUM(G7:G10)"]],
        },
        fills: { "Sample!K5": "#90EE90", "Sample!K2": null, "Sample!E1": null },
      },
    ],
  },
  "42-range/range-find.yaml": { checks: [{ tables: expenses, said: [/^Sample!\$?[A-D]\$?\d$/, "= true"] }] },
  "42-range/range-get-range-edge.yaml": { checks: [{ tables: { ExpensesTable: "Sample!C5:F12" } }] },
  "42-range/range-hyperlink.yaml": {
    checks: [
      {
        after: "create-document-hyperlinks",
        links: { "Orders!A3": "https://www.bing.com?q=Potato", "Orders!A9": "#Apple!A1", "Orders!A2": null },
      },
      { after: "update-hyperlinks", links: { "Orders!A5": "https://wikipedia.org/wiki/Lettuce" } },
      {
        links: { "Orders!A3": null, "Orders!A9": null },
        values: { "Orders!A3:A5": [["Potato"], ["Tomato"], ["Lettuce"]] },
        sheets: ["Sheet1", "Orders", "Apple", "Banana", "Melon"],
      },
    ],
  },
  "42-range/range-merged-ranges.yaml": {
    checks: [{ values: { "Sample!E4:E6": totals }, said: ["Sample!B2:E2", ": 4"] }],
  },
  "42-range/range-relationships.yaml": {
    checks: [
      { after: "setup", tables: { SalesTable: "Sample!A1:E7" }, fills: { "Sample!H2": "#008000" } },
      {
        // The third quarter is the last column with values; each contest is three teams of it.
        charts: [3, 3],
        values: { "Sample!J4": [["ResizedRange(2,-1)"]], "Sample!H2": [["Bounding Rect"]] },
        fills: {
          "Sample!L8": blueByName,
          "Sample!K10": blueByName,
          "Sample!M8": blueByName,
          "Sample!N8": null,
        },
      },
    ],
  },
  "42-range/range-remove-duplicates.yaml": {
    checks: [
      { after: "delete-name", values: { "Sample!D3:D7": [[3], [9], [7], [7], [""]] }, said: ["5 ", "4 "] },
      // Excel's counts include the blank rows that the first removal leaves, which it says in its own dialog.
      { values: { "Sample!D3:D6": [[3], [7], [7], [""]] } },
    ],
  },
  "42-range/range-text-orientation.yaml": { checks: [{ said: [/Sample!B2:E2.* 90/] }] },
  "42-range/selected-range.yaml": { checks: [{ said: ["Sheet1!A1"] }] },
  "42-range/set-get-values.yaml": {
    checks: [
      { after: "set-value", values: { "Sample!C3": [[5]] } },
      { after: "set-formula", formulas: { "Sample!E3": [["=C3 * D3"]] } },
      {
        values: { "Sample!C5:D5": [[10, 1.8]], "Sample!E3:E6": [[37.5], [34.5], [18], [90]] },
        formulas: { "Sample!E6": [["=SUM(E3:E5)"]] },
        said: ["37.5", "=SUM(E3:E5)"],
      },
    ],
  },
  "42-range/style.yaml": {
    checks: [
      { after: "apply-built-in-style", fills: { "Sample!A1": "#FFEB9C", "Sample!A2": null } },
      {
        tables: { SalesTable: "Sample!A1:E7" },
        said: [
          ...["Bold: false", "Italic: false", "Size: 11", "Orientation: 38", "Add indent: true"],
          ...["Wrap text: false", "Include protection: true", "Shrink to fit: true", "Style locked: false"],
          "Successfully deleted",
        ],
      },
    ],
  },
  "42-range/used-range.yaml": { checks: [{ sheets: ["Sheet1", "Sample"] }] },
  "46-table/add-rows-and-columns-to-a-table.yaml": {
    checks: [
      { after: "setup", tables: expenses, values: { "Sample!D2:D8": amounts } },
      {
        after: "add-row",
        tables: { ExpensesTable: "Sample!A1:D11" },
        values: { "Sample!D8:D11": [[97], [120], [142], [27]] },
      },
      { after: "add-column", tables: { ExpensesTable: "Sample!A1:E11" } },
      { tables: { ExpensesTable: "Sample!A1:F11" } },
    ],
  },
  "46-table/convert-range-to-table.yaml": {
    checks: [
      { after: "setup", tables: {}, values: { "Sample!B2:E2": [[5000, 7000, 6544, 4377]] } },
      { tables: { ExpensesTable: "Sample!A1:E7" }, values: { "Sample!E7": [[8765]] } },
    ],
  },
  "46-table/create-table.yaml": {
    checks: [{ tables: expenses, values: { "Sample!D2:D8": amounts, "Sample!A2": [[42_736]] } }],
  },
  "46-table/filter-data.yaml": {
    checks: [
      {
        after: "filter-table",
        hidden: {
          "Sample!A2": true,
          "Sample!A3": true,
          "Sample!A4": false,
          "Sample!A5": false,
          "Sample!A6": true,
          "Sample!A8": false,
        },
      },
      { hidden: { "Sample!A2": false, "Sample!A3": false, "Sample!A6": false }, tables: expenses },
    ],
  },
  "46-table/formatting.yaml": {
    checks: [
      {
        fills: {
          "Sample!A1": "#C70039",
          "Sample!D2": "#DAF7A6",
          "Sample!B3": "#FFC300",
          "Sample!A3": "#FFA07A",
          "Sample!A9": null,
        },
      },
    ],
  },
  "46-table/get-data-from-table.yaml": {
    checks: [{ values: { "Sample!D21:D27": amounts, "Sample!D17": [[142]] }, tables: expenses }],
  },
  "46-table/get-visible-range-of-a-filtered-table.yaml": {
    checks: [
      { after: "get-range", said: [/120.*142.*27.*33.*350.*135.*97/] },
      {
        hidden: { "Sample!A3": true, "Sample!A2": false },
        said: [/^\[\[[^\]]*120\],\[[^\]]*27\],\[[^\]]*33\],\[[^\]]*97\]\]$/],
      },
    ],
  },
  "46-table/import-json-data.yaml": {
    checks: [
      {
        tables: { ExpensesTable: "Sample!A1:D12" },
        values: { "Sample!D2:D12": [[120], [40], [47], [56], [110], [27], [38], [42], [27], [25], [178]] },
      },
    ],
  },
  "46-table/resize-table.yaml": {
    checks: [
      { after: "setup", tables: expenses },
      { tables: { ExpensesTable: "Sample!A1:D20" }, values: { "Sample!D8:D9": [[97], [""]] } },
    ],
  },
  "46-table/sort-data.yaml": {
    checks: [
      { values: { "Sample!D2:D8": [[350], [142], [135], [120], [97], [33], [27]] }, tables: expenses },
    ],
  },
  "50-workbook/create-get-change-delete-settings.yaml": {
    checks: [
      { after: "create-setting", said: ["review: true"] },
      { said: ["review: false", "has been deleted"] },
    ],
  },
  // The culture is that of the United States.
  "50-workbook/culture-info-date-time.yaml": {
    checks: [
      {
        values: {
          "Sample!B2:B6": [["dddd, MMMM d, yyyy"], ["M/d/yyyy"], ["/"], ["h:mm:ss tt"], [":"]],
        },
        said: [/long date format: dddd/],
      },
    ],
  },
  "50-workbook/data-protection.yaml": {
    checks: [{ tables: { SalesTable: "Sample!A1:E7" }, said: ["pass@word1"] }],
  },
  "50-workbook/workbook-built-in-functions.yaml": {
    checks: [{ said: [/in November = 12$/, /January = 37$/] }],
  },
  "50-workbook/workbook-calculation.yaml": {
    checks: [
      { after: "setup", values: { "Sample!F2:F3": [[22_921], [1650]] } },
      { after: "recalculate-single", said: [/^The Range F[2-7] has recalculated\.$/] },
      { after: "recalculate-column", said: [/^The Range F2:F7 has recalculated\.$/] },
      { after: "manual-calculations", said: [/mode: Manual$/] },
      { said: [/mode: Automatic$/] },
    ],
  },
  "50-workbook/workbook-get-active-cell.yaml": { checks: [{ said: ["Sheet1!A1"] }] },
  "54-worksheet/active-worksheet.yaml": {
    checks: [
      { after: "get-active-worksheet", said: ['"Sheet1"'] },
      { sheets: ["Sheet1", "Sheet2"], said: ['"Sheet2"'] },
    ],
  },
  "54-worksheet/add-delete-rename-move-worksheet.yaml": {
    checks: [
      { after: "add-worksheet", sheets: ["Sheet1", "Sheet2"], said: [/"Sheet2".* 1$/] },
      { after: "delete-worksheet", sheets: ["Sheet1"] },
      { sheets: ["Renamed1"] },
    ],
  },
  "54-worksheet/gridlines.yaml": { checks: [{ sheets: ["Sheet1"] }] },
  "54-worksheet/list-worksheets.yaml": { checks: [{ said: ["Sheet1"], sheets: ["Sheet1"] }] },
  "54-worksheet/reference-worksheets-by-relative-position.yaml": {
    checks: [
      {
        sheets: ["Sheet1", "Taxes2014", "Taxes2015", "Taxes2016", "Taxes2017"],
        said: [/2017 was \$2,304\.23/, /2016 was \$2,245\.40/, /2014: 21\.30%/, /2017: 22\.05%/],
      },
    ],
  },
  "54-worksheet/tab-color.yaml": { checks: [{ said: ['"Sheet1"'] }] },
  // Half of the twenty rows have at least 1,230 crates. Two of three kinds of fruit do not end with an e.
  "54-worksheet/worksheet-auto-filter.yaml": {
    checks: [
      {
        after: "add-percent-auto-filter",
        hidden: {
          "Sample!A1": false,
          "Sample!A2": false,
          "Sample!A5": true,
          "Sample!A6": false,
          "Sample!A7": true,
        },
      },
      {
        after: "add-custom-auto-filter",
        hidden: {
          "Sample!A2": false,
          "Sample!A3": true,
          "Sample!A6": true,
          "Sample!A14": false,
          "Sample!A13": true,
        },
      },
      { after: "randomize-data", hidden: { "Sample!A2": false, "Sample!A5": true, "Sample!A14": false } },
      {
        after: "clear-single-auto-filter",
        hidden: { "Sample!A2": false, "Sample!A3": true, "Sample!A5": false, "Sample!A10": true },
      },
      { hidden: { "Sample!A3": false, "Sample!A10": false, "Sample!A21": false } },
    ],
  },
  "54-worksheet/worksheet-copy.yaml": {
    checks: [
      { after: "setup", tables: { SalesTable: "Sample!A1:E7" } },
      {
        sheets: ["Sheet1", "Sample", "Sample (2)"],
        values: { "'Sample (2)'!B2:E2": [[5000, 7000, 6544, 4377]], "'Sample (2)'!E7": [[8765]] },
        said: ["'Sample (2)'"],
      },
    ],
  },
  "54-worksheet/worksheet-find-all.yaml": {
    checks: [
      {
        fills: {
          "Sample!B2": "#008000",
          "Sample!C3": "#008000",
          "Sample!B6": null,
          "Sample!D4": "#FFFF00",
          "Sample!C6": "#FFFF00",
          "Sample!D2": null,
        },
        said: ["canceled"],
      },
    ],
  },
  "54-worksheet/worksheet-freeze-panes.yaml": {
    checks: [
      { after: "get-location", said: ["Sample!A1:K5"] },
      { values: { "Sample!F3:F5": [[10], [17.5], [7.5]], "Sample!K3:K5": [[20], [3.75], [28]] } },
    ],
  },
  "54-worksheet/worksheet-page-layout.yaml": {
    checks: [{ sheets: ["Sheet1", "Print"], values: { "Print!D2:E2": [[300, 2000]] } }],
  },
  "54-worksheet/worksheet-range-cell.yaml": {
    checks: [
      {
        values: { "Sample!E3:E5": totals },
        fills: { "Sample!B2": blue },
        said: [/"Sample!B2:E5"/, /"Sample!B2:C5"/, /"Sample!E2"/, /"Sample!(1:1048576|A:XFD)"/],
      },
    ],
  },
  // Its first button does nothing, so that the only sheet stays.
  "54-worksheet/worksheet-visibility.yaml": { checks: [{ sheets: ["Sheet1"] }] },
  "90-scenarios/currency-converter.yaml": {
    checks: [
      {
        // 5,000 ringgits, 12,000 yuan, 3,200 pounds and 850,000 yen by the rates that the snippet has.
        tables: { TransactionTable: "Sample!A1:F5" },
        texts: { "Sample!F2:F5": [["1400"], ["2220"], ["4064"], ["5185"]] },
      },
    ],
  },
  "90-scenarios/multiple-property-set.yaml": {
    checks: [
      { after: "set-multiple-properties-with-object", fills: { "Sample!E2": blue, "Sample!B7": null } },
      {
        values: { "Sample!E3:E5": totals, "Sample!E8:E9": [[37.98], [15]] },
        fills: { "Sample!B7": blue, "Sample!E7": blue },
      },
    ],
  },
  "90-scenarios/performance-optimization.yaml": {
    checks: [
      { after: "toggle-calculation", said: [/mode is now Manual$/] },
      {
        formulas: { "Sample!A2": [["=SUM(B2:U2)"]], "Sample!A500": [["=SUM(B500:U500)"]] },
        said: [/took \d+ milliseconds/],
      },
    ],
  },
  "90-scenarios/report-generation.yaml": {
    checks: [
      {
        charts: [6],
        values: {
          "Sheet2!A2:B3": [
            ["Product", "Qtr1"],
            ["Frames", 5000],
          ],
          "Sheet2!E8": [[8765]],
        },
        said: ["Report generation completed."],
      },
    ],
  },
  "90-scenarios/working-with-dates.yaml": {
    checks: [
      { after: "setup", formulas: { "Sample!B2:B3": [["Now"], ["=NOW()"]] } },
      { said: [/get \(MSDate\): 4\d{4}/, /set \(MSDate\): 4\d{4}/] },
    ],
  },
};
