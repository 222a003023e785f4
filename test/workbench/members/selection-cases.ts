import { strictAssumption, type MemberCase } from "./member-case";

const document =
  "https://learn.microsoft.com/javascript/api/office/office.document#office-office-document-setselecteddataasync-member(1)";
const codes =
  "https://learn.microsoft.com/office/dev/add-ins/reference/javascript-api-for-office-error-codes";

export const selectionCases: MemberCase[] = [
  {
    name: "data for a selected cell are its value or formula, and a matrix begins there if the cells around it are blank",
    source: document,
    async work(context, sheet, setSelectedData) {
      const given: number[] = [];
      for (const [address, data] of [
        ["A1", "Hello"],
        ["A1", "World"],
        ["B1", 5],
        ["C1", "=B1"],
        [
          "A1",
          [
            ["x", true],
            ["y", 2],
          ],
        ],
        [
          "A3",
          [
            ["x", true],
            ["y", "=B1"],
          ],
        ],
      ] as const) {
        sheet.getRange(address).select();
        await context.sync();
        given.push(await setSelectedData(data));
      }
      const cells = sheet.getRange("A1:C4").load("formulas");
      await context.sync();
      return [given, cells.formulas];
    },
    expected: [
      [0, 0, 0, 0, 2003, 0],
      [
        ["World", 5, "=B1"],
        ["", "", ""],
        ["x", true, ""],
        ["y", "=B1", ""],
      ],
    ],
  },
  {
    name: "data for several selected cells have their shape, or nothing is written",
    source: `${document}, ${codes}`,
    async work(context, sheet, setSelectedData) {
      sheet.getRange("A1:B2").values = [
        [1, 2],
        [3, 4],
      ];
      sheet.getRange("A1:B2").select();
      await context.sync();
      const given: number[] = [];
      for (const data of ["one", [[1, 2]], [["a"], ["b"]], [["a", "b"], ["c"]], [[]], []])
        given.push(await setSelectedData(data));
      const kept = sheet.getRange("A1:B2").load("values");
      await context.sync();
      given.push(
        await setSelectedData([
          ["a", "b"],
          ["c", "d"],
        ]),
      );
      const written = sheet.getRange("A1:B2").load("values");
      await context.sync();
      return [given, kept.values, written.values];
    },
    expected: [
      [2002, 2002, 2002, 2000, 2000, 2000, 0],
      [
        [1, 2],
        [3, 4],
      ],
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
  },
  {
    name: "data are not written beyond 20,000 cells, beyond the sheet, or on a protected sheet",
    source: `${document}; ${strictAssumption}`,
    async work(context, sheet, setSelectedData) {
      const given: number[] = [];
      const tooMany = Array.from({ length: 20_001 }, () => [1]);
      given.push(await setSelectedData(tooMany));
      sheet.getRange("A1048576").select();
      await context.sync();
      given.push(await setSelectedData([[1], [2]]));
      sheet.getRange("A1").select();
      sheet.protection.protect();
      await context.sync();
      given.push(await setSelectedData("x"));
      sheet.protection.unprotect();
      const used = sheet.getUsedRangeOrNullObject(true).load("address");
      await context.sync();
      return [given, used.isNullObject];
    },
    expected: [[2009, 2001, 5002], true],
  },
];
