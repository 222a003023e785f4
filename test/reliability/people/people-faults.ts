import type { Action } from "../../people/people";
import type { JobName } from "../../truth/moving/jobs";
import { fails, type Outcome, partly, right } from "../outcomes";

/** The add-in's jobs in cells, with their names on the page. */
export const titles = {
  "new sheet": "Import on a new sheet",
  "cells given up": "Import over cells",
  "beside a list in a table": "Import beside a list",
  "in place of an import": "Import in place of another",
  refresh: "Refresh of an import",
  freeze: "Freeze",
  unfreeze: "Unfreeze",
  "formula written": "Formula written into a cell",
} satisfies Partial<Record<JobName, string>>;
export type PlayedJob = keyof typeof titles;

export interface PeopleFault {
  /** The fault's name on the page. */
  name: string;
  /** The actions: one is done before a request, in another run one before the next request, and so on. */
  things: readonly Action[];
  /** The action that follows before the next request. */
  then?: Action;
  /** All possible outcomes of each job, for any request and for any cell or line that the action hits. */
  expected: { all: Outcome[] } & Partial<Record<PlayedJob, Outcome[]>>;
}

// A sentence names a cell that depends on the moment: the page always says B3.
const left = "Somebody has changed cells meanwhile, and they were left as they are: B3.";
const typedThere = fails("cells-in-the-way", { detail: left });
const typedSince = fails("cells-in-the-way", {
  detail: "Somebody has changed cells there since you chose the place. Nothing was overwritten.",
  nextStep: "Look at them, then insert again.",
});
const typedTwice = fails("cells-in-the-way", {
  detail: `Somebody has changed cells there since you chose the place. Nothing was overwritten. ${left}`,
  nextStep: "Look at them, then insert again.",
});
const notFound = fails("cells-in-the-way", {
  detail: `${left} Some of what had been written could not be found again, because cells were moved or cleared meanwhile. Look around B3.`,
});
const filled = fails("cells-in-the-way", { detail: "B3 is not empty." });
const otherShape = fails("cells-in-the-way", {
  detail: "The table's rows or columns changed after you chose it. Choose it again.",
});
const otherList = fails("no-list", { detail: "It has changed since it was read." });
const moved = fails("sheet-refused", { detail: left });
const allThere = fails("sheet-refused", {
  detail: `${left} Nothing was frozen: all formulas are in their cells.`,
});
const noPlace = "Excel says: “The argument is invalid or missing or has an incorrect format.”";
const misplaced = fails("sheet-refused", { detail: noPlace });
const misplacedTyped = fails("sheet-refused", {
  detail: `${noPlace} ${left}`,
});
const misplacedNotFound = fails("sheet-refused", {
  detail: `${noPlace} ${left} Some of what had been written could not be found again, because cells were moved or cleared meanwhile. Look around B3.`,
});
const gone = fails("table-gone");
const noIds = fails("table-gone", {
  detail: "The column of AHJ ids, by which rows are found, is missing.",
});
const otherTable = fails("cells-in-the-way", { detail: "A table stands there: Own." });
const goneMeanwhile = fails("sheet-refused", {
  detail: "Excel says: “The requested resource doesn't exist.”",
});
const notTakenBack = fails("sheet-refused", { detail: "What had been written could not be taken back." });
const keptAside = fails("sheet-refused", {
  detail:
    "What had been written could not be taken back. The cells as they were stand on the sheet “RegData copy”.",
});
const keptAsideTyped = fails("sheet-refused", {
  detail: `What had been written could not be taken back. The cells as they were stand on the sheet “RegData copy”. ${left}`,
});

const changesTell = partly("The list of changes says what stood there.");
const cellsLeft = partly("The report names the cells that were left as somebody changed them.");
const columnsGone = partly("The report names the columns that are gone.");
const otherThanFrozen = partly(
  "The report says of a formula that it no longer shows what was frozen: it was changed or moved.",
);
const notWritten = partly(
  "The report says of a formula that its formula was not written: Excel refused it, or you cancelled.",
);

/** A text may be there at one request and gone at the next: the add-in has met it all the same. */
const whereSomebodyTypes: PeopleFault["expected"] = {
  all: [right()],
  "new sheet": [right(), typedThere],
  "cells given up": [right(), typedThere, typedSince],
  "in place of an import": [right(), typedThere, typedSince, typedTwice, notFound],
  "formula written": [right(), moved],
  "beside a list in a table": [otherList, filled, typedThere, typedSince, right()],
  refresh: [right(), cellsLeft, changesTell],
  freeze: [right(), moved, allThere],
  unfreeze: [otherThanFrozen, notWritten, right()],
};

export const peopleFaults: PeopleFault[] = [
  {
    name: "Somebody types into the cells",
    things: ["type"],
    expected: whereSomebodyTypes,
  },
  {
    name: "Somebody types, and undoes it",
    things: ["type"],
    then: "undo",
    expected: whereSomebodyTypes,
  },
  {
    name: "A co-author sorts, inserts or deletes rows",
    things: ["insertRow", "sort", "deleteRow", "insertSheetRow", "deleteSheetRow"],
    expected: {
      all: [right()],
      "cells given up": [right(), typedThere, typedSince],
      "beside a list in a table": [otherList, typedThere, typedSince, right()],
      "in place of an import": [
        otherShape,
        typedThere,
        typedSince,
        notFound,
        keptAside,
        keptAsideTyped,
        right(),
      ],
      // The row is deleted just when the add-in writes to it.
      refresh: [right(), misplaced],
      freeze: [right(), moved],
      unfreeze: [otherThanFrozen, moved, right()],
    },
  },
  {
    name: "A co-author inserts or deletes columns",
    things: ["insertColumn", "deleteColumn", "insertSheetColumn", "deleteSheetColumn"],
    expected: {
      all: [right()],
      "new sheet": [right(), misplaced, misplacedTyped],
      "cells given up": [right(), keptAsideTyped, typedSince, typedThere, misplaced, misplacedTyped],
      "beside a list in a table": [
        otherList,
        otherTable,
        filled,
        typedThere,
        typedSince,
        misplaced,
        misplacedTyped,
        misplacedNotFound,
        right(),
      ],
      "in place of an import": [
        keptAside,
        keptAsideTyped,
        otherShape,
        typedThere,
        typedSince,
        notFound,
        misplaced,
        misplacedTyped,
        right(),
      ],
      "formula written": [right(), moved],
      refresh: [right(), columnsGone, noIds],
      freeze: [right(), moved],
      unfreeze: [otherThanFrozen, notWritten, right()],
    },
  },
  {
    name: "A sheet or a table is renamed",
    things: ["renameSheet", "renameTable"],
    expected: { all: [right()] },
  },
  {
    name: "A table is deleted, or made ordinary cells",
    things: ["deleteTable", "convertTable"],
    expected: {
      all: [right()],
      "beside a list in a table": [otherList, goneMeanwhile, notTakenBack, right()],
      "in place of an import": [gone, typedSince, goneMeanwhile, keptAside, notTakenBack, right()],
      refresh: [gone, goneMeanwhile, right()],
    },
  },
];
