import type { PlayedExcel } from "../excel/open-excel";
import type { FailureKind } from "../../src/errors";
import { givenUp, imported } from "./operations";
import {
  excelSays,
  type Expected,
  type ExpectedOutcomes,
  fails,
  type Outcome,
  partly,
  right,
} from "./outcomes";
import type { Fault, Playing } from "./run";

const refused = (words: string) => fails("sheet-refused", { detail: `Excel says: “${words}”` });
const sentenceOf = (outcome: Outcome) => ("sentence" in outcome ? outcome.sentence : "");
const notRemembered = (outcome: Outcome) =>
  partly(`The workbook does not remember this import. ${sentenceOf(outcome)}`);
const leaving = (outcome: Outcome, ...remains: string[]): Outcome => ({ ...outcome, remains }) as Outcome;
const taken = "What had been written could not be taken back.";
const notTakenBack = partly(sentenceOf(fails("sheet-refused", { detail: taken })));
/** The last request of a refresh may have been carried out: Excel neither answers it nor lets the cells be read. */
const notAllTakenBack = partly(
  sentenceOf(fails("sheet-refused", { detail: "Some of what had been written could not be taken back." })),
);
/** For each of the two formulas that are frozen. */
const notSeenAgain = partly(
  Array<string>(2).fill(
    "The report says of a formula that it was replaced by its values, which Excel did not show again; its formula is remembered.",
  ),
);
const keptAside = partly(
  sentenceOf(
    fails("sheet-refused", { detail: `${taken} The cells as they were stand on the sheet “RegData copy”.` }),
  ),
);
const keptHidden = partly(
  sentenceOf(
    fails("sheet-refused", {
      detail: `${taken} The cells as they were stand on the hidden sheet “RegData copy”: right-click a sheet tab, Unhide.`,
    }),
  ),
);
const hiddenSheet = "a hidden sheet stays";
const frozenNote = "the note of the formulas stays";
const cancelled = fails("cancelled");

/** The same outcome for all operations but formulas, which ask nothing of the workbook. */
function all(outcome: Expected, except: Partial<ExpectedOutcomes> = {}): ExpectedOutcomes {
  return { all: outcome, formula: right(), spill: right(), ...except };
}

function fault(name: string, at: Fault["at"], playing: Playing, expected: ExpectedOutcomes): Fault {
  return { name, ...(at && { at }), play: () => playing, expected };
}
const toExcel = "each request to Excel";
const toService = "each request to the service";

const nothingFrozen = "Nothing was frozen: all formulas are in their cells.";

/** A fault in which Excel refuses one request, each in its turn. `unfrozen` is the failure of a freeze that had begun to write. */
function refusal(name: string, code: number, failed: Outcome, unfrozen: Outcome): Fault {
  return fault(
    `${name} (${code})`,
    toExcel,
    { begin: ({ fail }) => fail(code, 1, "workbook") },
    all([failed, right()], {
      freeze: [failed, right(), unfrozen],
    }),
  );
}

const lost = refused("Your Office Online session has expired or is invalid. To continue, refresh the page.");
const gone = refused("The requested resource doesn't exist.");
const denied = fails("not-permitted");
const unfrozen = (kind: FailureKind, detail = "") =>
  fails(kind, { detail: `${detail} ${nothingFrozen}`.trim() });
const protectedSheet = (name: string, requests = 1) =>
  fails("sheet-refused", {
    requests,
    detail: `The sheet “${name}” is protected.`,
    nextStep: "Unprotect the sheet under Review, then try again.",
  });

const protect = ({ spreadsheet, document }: PlayedExcel) => {
  for (const { id } of spreadsheet.sheets()) document.protectedSheets.add(id);
};
const unprotect = ({ document }: PlayedExcel) => document.protectedSheets.clear();

/** The text that the user types into the place of an import; another one goes into the place of a spilled formula. */
const typed = "typed meanwhile";
const typeInTheWay = ({ enter }: PlayedExcel) => {
  enter(`${givenUp.sheet}!C${givenUp.freeRow + 2}`, [[typed]]);
  enter("Spill!F2", [["typed, too"]]);
};
/**
 * The outcome if the look at the cells finds the text. A request to Excel comes between the look and the write: if the text comes then,
 * the next outcome counts.
 */
const inTheWay = fails("cells-in-the-way", {
  detail: `'${givenUp.sheet}'!C${givenUp.freeRow + 2} is not empty.`,
});
const typedInTheWay = fails("cells-in-the-way", {
  detail: `Somebody has changed cells meanwhile, and they were left as they are: '${givenUp.sheet}'!C${givenUp.freeRow + 2}.`,
});
const typedSinceChosen = fails("cells-in-the-way", {
  detail: "Somebody has changed cells there since you chose the place. Nothing was overwritten.",
  nextStep: "Look at them, then insert again.",
});
const noRoom = excelSays("#SPILL!");
/** Merges cells in the place of an import, and in the place of a spilled formula. */
const merge = ({ spreadsheet }: PlayedExcel) => {
  for (const { id, name } of spreadsheet.sheets()) {
    if (name === givenUp.sheet) spreadsheet.merge(id, { row: 2, column: 0, rows: 2, columns: 3 });
    if (name === "Spill") spreadsheet.merge(id, { row: 1, column: 5, rows: 1, columns: 2 });
  }
};
const merged = fails("cells-in-the-way", {
  detail: `Cells are merged there: '${givenUp.sheet}'!A3:C4.`,
  nextStep: "Unmerge them, or choose another place.",
});

export const excelFaults: Fault[] = [
  refusal("A cell is being edited", 5004, fails("cell-editing"), unfrozen("cell-editing")),
  refusal(
    "Too many requests",
    5102,
    refused("Too many requests are in progress."),
    unfrozen("sheet-refused", "Excel says: “Too many requests are in progress.”"),
  ),
  refusal("The request is too large", 5103, fails("too-much-at-once"), unfrozen("too-much-at-once")),
  refusal("Access denied", 7000, denied, unfrozen("not-permitted")),
  {
    ...fault(
      "The session is lost for good (5012)",
      toExcel,
      { begin: ({ fail }) => fail(5012, 1_000, "workbook") },
      all(
        [
          lost,
          leaving(lost, hiddenSheet),
          keptHidden,
          notRemembered(lost),
          leaving(right(), hiddenSheet),
          right(),
        ],
        {
          collection: [lost, notTakenBack, notRemembered(lost), right()],
          refresh: [lost, notAllTakenBack, partly(sentenceOf(lost)), right()],
          again: [lost, right()],
          freeze: [lost, leaving(lost, frozenNote), notTakenBack, notSeenAgain, right()],
        },
      ),
    ),
    isForGood: true,
  },
  fault(
    "The sheet is deleted",
    toExcel,
    {
      isOfResult: true,
      act({ spreadsheet }) {
        for (const { id, name } of spreadsheet.sheets())
          if ([givenUp.sheet, imported, "Formulas"].includes(name)) spreadsheet.deleteSheet(id);
      },
    },
    all([gone, keptAside, right()], {
      collection: right(),
      refresh: [fails("table-gone"), gone, right()],
      again: [right(), gone],
      freeze: [right(), gone, leaving(gone, frozenNote), notSeenAgain],
    }),
  ),
  fault(
    "The import's table is renamed",
    toExcel,
    {
      act({ spreadsheet }) {
        const [table] = spreadsheet.tables();
        if (table) spreadsheet.updateTable(table.id, { name: "Renamed" });
      },
    },
    all(right()),
  ),
  fault(
    "The sheets are protected",
    undefined,
    { begin: protect, end: unprotect },
    all(right(), {
      matrix: protectedSheet(givenUp.sheet),
      known: protectedSheet(givenUp.sheet),
      refresh: protectedSheet(imported, 0),
      freeze: { ...unfrozen("not-permitted"), requests: 0 },
    }),
  ),
  fault(
    "The sheets are protected meanwhile",
    toExcel,
    { begin: protect, end: unprotect },
    all([protectedSheet(givenUp.sheet), keptAside, denied, right()], {
      collection: [right(), denied],
      refresh: [protectedSheet(imported), denied, right()],
      again: right(),
      freeze: [unfrozen("not-permitted"), right()],
    }),
  ),
  fault(
    "Cells are in the way",
    undefined,
    { takesNothing: true, act: typeInTheWay },
    all(right(), { spill: noRoom, matrix: inTheWay, known: inTheWay }),
  ),
  fault(
    "Cells get in the way while the service is asked",
    toService,
    { takesNothing: true, act: typeInTheWay, keeps: typed },
    all([inTheWay, right()], {
      spill: [noRoom, right()],
      collection: right(),
      refresh: right(),
      again: right(),
      freeze: right(),
    }),
  ),
  fault(
    "Cells get in the way while Excel is asked",
    toExcel,
    { takesNothing: true, act: typeInTheWay, keeps: typed },
    all([inTheWay, typedSinceChosen, typedInTheWay, right()], {
      collection: right(),
      refresh: right(),
      again: right(),
      freeze: right(),
    }),
  ),
  fault(
    "Cells are merged",
    undefined,
    { act: merge },
    all(right(), { spill: noRoom, matrix: merged, known: merged }),
  ),
  fault(
    "A formula is overwritten meanwhile",
    toExcel,
    { act: ({ enter }) => enter("Formulas!A1", [[typed]]), keeps: typed },
    all(right(), {
      freeze: [
        right(),
        leaving(
          fails("sheet-refused", {
            detail: "Somebody has changed cells meanwhile, and they were left as they are: Formulas!A1.",
          }),
          frozenNote,
        ),
        partly(
          "The report says of a formula that it was changed while it was frozen, and was left as it is.",
        ),
      ],
    }),
  ),
  fault(
    "Cancelled, at each request to the service",
    toService,
    { begin: (_, stop) => stop.abort() },
    all([cancelled, right()], {
      again: [
        fails("cancelled", { detail: "Answers to requests that were already sent still arrive." }),
        right(),
      ],
      freeze: right(),
    }),
  ),
  fault(
    "Cancelled, at each request to Excel",
    toExcel,
    { begin: (_, stop) => stop.abort() },
    all([cancelled, right()], {
      again: [
        fails("cancelled", { detail: "Answers to requests that were already sent still arrive." }),
        cancelled,
        right(),
      ],
    }),
  ),
];
