import type { HeldPromise } from "./promise";

const freezeTest = "test/workbook/cell-formulas/freeze.test.ts";
const freeze = "src/workbook/cell-formulas/freeze.ts";
const calculating = "src/workbook/formula-text/calculating.ts";
const calculatingTest = "test/workbook/formula-text/calculating.test.ts";
const lastKnownTest = "test/workbook/last-known/last-known-values.test.ts";
const holdTest = "test/taskpane/hold/hold-control.test.ts";
const lastKnownBook = "src/workbook/last-known/last-known-book.ts";
const importsControl = "src/taskpane/refresh/saved-imports-control.ts";
const importsControlTest = "test/taskpane/refresh/saved-imports-control.test.ts";
const keySearch = "test/excel/key-search.test.ts";
const textSearch = "src/workbook/sheet/cells/text-search.ts";
const textSearchTest = "test/workbook/sheet/cells/text-search.test.ts";
const importBookTest = "test/workbook/imports/saved/import-book.test.ts";
const takeBack = "src/workbook/unfinished/take-back.ts";
const takeBackTest = "test/workbook/unfinished/take-back.test.ts";
const wherePlanted =
  "the user's key is found in a text, a formula, a value, a hidden sheet, names and an XML part";

/** "A workbook that is handed on". */
export const workbookPromises: readonly HeldPromise[] = [
  {
    says: "Opening one asks the service nothing but for cells that were saved in an error, and for imports that were set to look for changes.",
    mutants: [
      {
        file: "src/taskpane/refresh/opening/OpeningNewsBar.tsx",
        text: "if (!(await createOpeningChoice(app.workbook, setLoadsAtOpening).read())) return;",
        becomes: "await createOpeningChoice(app.workbook, setLoadsAtOpening).read();",
        test: "test/e2e/sharing/sharing.test.ts",
        title: "keeps its values; with a smaller subscription it is refreshed as far as that reaches",
      },
    ],
  },
  {
    says: 'With a smaller subscription formulas say "outside subscription", and tables keep their last values, marked.',
    mutants: [
      {
        file: "src/engine/api/answer-failure.ts",
        text: 'return denied ? "outside-subscription" : "no-rights";',
        becomes: 'return "no-rights";',
        test: "test/functions/value.test.ts",
        title: "with key %s of %s, %s is #N/A and says what to do",
      },
      {
        file: "src/workbook/imports/refresh/compare-answers.ts",
        text: "noteNotRefreshed(notRefreshed, ahj, outcome.kind, cell);",
        becomes: "",
        test: "test/workbook/imports/refresh/refresh.test.ts",
        title:
          "with a smaller subscription keeps the values that it may not see, and names their jurisdictions",
      },
      {
        file: "src/workbook/imports/refresh/ask-again.ts",
        text: "if (!isOfCell(answer.kind)) throw answer;",
        becomes: "return null;",
        test: "test/workbook/imports/refresh/refresh.test.ts",
        title:
          "with a smaller subscription keeps the values that it may not see, and names their jurisdictions",
      },
    ],
  },
  {
    says: '"Prepare to share" looks for your keys in the cells of all sheets, defined names and XML parts, in any form that programs or the add-in itself write, and says what it did not search.',
    mutants: [
      {
        file: textSearch,
        text: "lookAt(formula === value ? [value] : [formula, value]",
        becomes: "lookAt([formula]",
        test: textSearchTest,
        title: "finds it in a %s, and names the place without the key",
      },
      {
        file: textSearch,
        text: "lookAt(formula === value ? [value] : [formula, value]",
        becomes: "lookAt([value]",
        test: keySearch,
        title: wherePlanted,
      },
      {
        file: textSearch,
        text: "const sheets = worksheets.items;",
        becomes: 'const sheets = worksheets.items.filter(({ visibility }) => visibility === "Visible");',
        test: keySearch,
        title: wherePlanted,
      },
      {
        file: textSearch,
        text: "const lists = [names, ...sheets.map((sheet) => sheet.names)];",
        becomes: "const lists = [names];",
        test: keySearch,
        title: wherePlanted,
      },
      {
        file: textSearch,
        text: "lookAt([xml.value], xmlPart(part));",
        becomes: "",
        test: keySearch,
        title: wherePlanted,
      },
      {
        file: textSearch,
        text: "if (signal?.aborted) throw thrown;\n      search.unsearched.push(masked(what));",
        becomes: "if (signal?.aborted) throw thrown;",
        test: textSearchTest,
        title: "lists everything that Excel refuses, whichever request it is, and finds all else",
      },
      {
        file: textSearch,
        text: "search.unsearched.push(masked(`${sheet.name}, which has too many cells`));",
        becomes: "",
        test: textSearchTest,
        title: "lists a sheet that has too many cells as not searched, and searches the others",
      },
      {
        file: "src/taskpane/share/ShareReportView.tsx",
        text: '<LineList label="Not checked" items={unsearched} line={(what) => what} />',
        becomes: "",
        test: "test/taskpane/share/share-report.test.ts",
        title: "the sheets and parts that were not searched are told, with the reason",
      },
    ],
  },
  {
    says: "Values travel only where the author lets them, hold no key and no address, and go without a trace.",
    mutants: [
      {
        file: "src/taskpane/share/last-known-control.ts",
        text: "start: () => void read(),",
        becomes: "start: () => void run(update),",
        test: "test/taskpane/share/last-known-control.test.ts",
        title: "they travel only once the author says so: looking at the screen writes nothing",
      },
      {
        file: "src/workbook/last-known/collect.ts",
        text: "types: [...types.values()],",
        becomes:
          'types: [...types.values(), { id: 0, name: "https://service.test demo-national", unit_of_measure: "" }],',
        test: lastKnownTest,
        title: "hold neither a key nor an address, and of the workbook's formulas only their questions",
      },
      {
        file: lastKnownBook,
        text: "for (const { id } of readable(await workbook.readParts(lastKnownNamespace))) await workbook.deletePart(id);",
        becomes:
          "for (const { id } of readable(await workbook.readParts(lastKnownNamespace)).slice(0, 1)) await workbook.deletePart(id);",
        test: lastKnownTest,
        title: "replaces the one before; a colleague's copy goes; removed, nothing is left",
      },
      {
        file: lastKnownBook,
        text: "for (const { id } of others) await workbook.deletePart(id);",
        becomes: "void others;",
        test: lastKnownTest,
        title: "replaces the one before; a colleague's copy goes; removed, nothing is left",
      },
    ],
  },
  {
    says: "With a key of one's own they are used only while the workbook is on hold.",
    mutants: [
      {
        file: "src/formula-asks.ts",
        text: "if (session && wants) formula.join(session, wants);",
        becomes:
          "if (session && wants) void lastKnown(wants).then((brought) => (brought ? formula.finish(brought) : formula.join(session, wants)));",
        test: lastKnownTest,
        title: "are never used with a key: what is outside the subscription says so",
      },
      {
        file: "src/formula-asks.ts",
        text: "formula.finish(asFailure(thrown))",
        becomes: "void formula.beginWithoutKey()",
        test: lastKnownTest,
        title: "are not used either if the saved key can't be read",
      },
    ],
  },
  {
    says: "While a workbook is on hold, nothing is asked for it, and the top of the pane says so, with the name that the workbook gives in quotation marks. Who gets a workbook on hold sees its author's values until they release it.",
    mutants: [
      {
        file: "src/app.ts",
        text: "isRunning() ? hold.mustBeReleased() : undefined",
        becomes: "undefined",
        test: holdTest,
        title:
          "a workbook on hold sends no request: kept answers are shown, and whatever else is asked says why it is not",
      },
      {
        file: "src/app.ts",
        text: "mayBe: () => notices.hold !== null,",
        becomes: "mayBe: () => false,",
        test: holdTest,
        title: "with another key sees the values of who held it, though the service has newer ones",
      },
      {
        file: "src/taskpane/ui/Notices.tsx",
        text: "{hold && <HoldBar",
        becomes: "{hold && isRead && <HoldBar",
        test: "test/e2e/sharing/hold.test.ts",
        title: "a workbook is put on hold by name, says so on every tab, asks nothing, and is released",
      },
    ],
  },
  {
    says: "An import that came from another address is refreshed only once the user has said from where; that address is never asked.",
    mutants: [
      {
        file: importsControl,
        text: "mayDiffer || !isOther(kept)",
        becomes: "true",
        test: importsControlTest,
        title: "are not refreshed until the user says so, while the others are",
      },
      {
        file: importsControl,
        text: "show({ otherService: mayDiffer ? [] : imports.filter(isOther) });",
        becomes: "show({ otherService: [] });",
        test: importsControlTest,
        title: "are not refreshed until the user says so, while the others are",
      },
    ],
  },
  {
    says: "Who refreshed an import is told only where they allow it, and never by a name that holds a key.",
    mutants: [
      {
        file: importsControl,
        text: "return mayTell.current() ? signatureOf",
        becomes: "return mayTell ? signatureOf",
        test: importsControlTest,
        title: "does not say who ran it unless the user allows that",
      },
      {
        file: "src/settings/signature.ts",
        text: 'parse: (text) => text === "yes",',
        becomes: 'parse: (text) => text !== "no",',
        test: "test/settings/signature.test.ts",
        title: "is told only if the user allows it, on this device",
      },
      {
        file: "src/settings/signature.ts",
        text: "all.some(({ key }) => holdsOfKey(name, key)) ? undefined : name;",
        becomes: "all.some(({ key }) => name === key) ? undefined : name;",
        test: "test/settings/signature.test.ts",
        title: "is the connection's, or its host's, and never one that a key was typed into",
      },
    ],
  },
  {
    says: "What a foreign workbook holds is refused with a sentence and left as it is where it is wrong, huge or of a later version.",
    mutants: [
      {
        file: "src/workbook/imports/saved/import-book.ts",
        text: "readable: readable.filter(isSure),",
        becomes: "readable,",
        test: importBookTest,
        title: "with the id of another and another table leaves neither in use, and neither is written",
      },
      {
        file: "src/workbook/imports/saved/saved-import.ts",
        text: 'return "baseUrl" in parsed && parsed.baseUrl === given;',
        becomes: 'return "baseUrl" in parsed || given !== "";',
        test: importBookTest,
        title: "%s is refused with a sentence, left untouched, and forgotten only on purpose",
      },
      {
        file: "src/workbook/last-known/last-known-values.ts",
        text: "version: z.literal(version),",
        becomes: "version: z.number(),",
        test: lastKnownTest,
        title: "is not used and left as it is if it is one %s",
      },
      {
        file: "src/workbook/last-known/last-known-values.ts",
        text: "if (xml.length > mostCharacters) return null;",
        becomes: "",
        test: lastKnownTest,
        title: "is not used and left as it is if it is one %s",
      },
      {
        file: "src/workbook/sheet/parts/json-part.ts",
        text: "if (depthOf(json) > mostDepth) return undefined;",
        becomes: "",
        test: freezeTest,
        title: "is ignored if it is nested deeper than anything that the add-in writes",
      },
    ],
  },
  {
    says: "A note of interrupted work names no sheet as a copy that is none of the add-in's, and is refused where it is damaged. Taking an import back touches only rows that show what was written, what the copy holds, or nothing.",
    mutants: [
      {
        file: "src/workbook/work-note/unfinished-work.ts",
        text: "given.startsWith(`${copySheetName} `)",
        becomes: 'given !== ""',
        test: "test/workbook/work-note/unfinished-work.test.ts",
        title: "is refused if it names %s",
      },
      {
        file: "src/workbook/work-note/unfinished-work.ts",
        text: ".check(z.refine(isOnSheet))\n  .check(",
        becomes: ".check(",
        test: "test/workbook/work-note/unfinished-work.test.ts",
        title: "is refused if it names %s",
      },
      {
        file: takeBack,
        text: 'isBlank ? "blank" : "others"',
        becomes: 'isBlank ? "blank" : "before"',
        test: takeBackTest,
        title: "leaves a row that somebody has changed, names it, and keeps the copy of the old cells",
      },
      {
        file: takeBack,
        text: 'isBlank ? "blank" : "others"',
        becomes: 'isBlank ? "blank" : "ours"',
        test: takeBackTest,
        title: "leaves a sheet of the same name that somebody has made",
      },
    ],
  },
  {
    says: "A frozen formula that may do more than calculate is shown before it comes back.",
    mutants: [
      {
        file: freeze,
        text: "const doesMore = !onlyCalculates(here.formula, namespace);",
        becomes: "const doesMore = false;",
        test: freezeTest,
        title: "do not come back before the user has seen them if they do more than calculate",
      },
      {
        file: freeze,
        text: "const wasSeen = new Set(seen.map(seenKey));",
        becomes: "const wasSeen = { has: () => seen.length > 0 };",
        test: freezeTest,
        title: "do not come back if the user has seen another formula, or another place",
      },
      {
        file: calculating,
        text: "HSTACK IF IFERROR",
        becomes: "HSTACK IF IFERROR IMAGE",
        test: calculatingTest,
        title: "not where it may do more: %s",
      },
      {
        file: calculating,
        text: "REPT RIGHT ROUND",
        becomes: "REPT RIGHT RTD ROUND",
        test: calculatingTest,
        title: "not where it may do more: %s",
      },
      {
        file: calculating,
        text: "STDEV STDEV.P",
        becomes: "STDEV STOCKHISTORY STDEV.P",
        test: calculatingTest,
        title: "not where it may do more: %s",
      },
      {
        file: calculating,
        text: "EXPAND FALSE FILTER FIND",
        becomes: "EXPAND FALSE FILTER FILTERXML FIND",
        test: calculatingTest,
        title: "not where it may do more: %s",
      },
      {
        file: calculating,
        text: "EDATE EOMONTH",
        becomes: "EDATE ENCODEURL EOMONTH",
        test: calculatingTest,
        title: "not where it may do more: %s",
      },
      {
        file: calculating,
        text: 'return !isOpen(last) && tokens.map(({ value }) => value).join("") === formula;',
        becomes: "return true;",
        test: calculatingTest,
        title: "not where it may do more: %s",
      },
      {
        file: calculating,
        text: 'return isCalled(value) ? "function" : undefined;\n    case "structured":',
        becomes: 'return isCalled(value) ? "function" : "value";\n    case "structured":',
        test: calculatingTest,
        title: "not where it may do more: %s",
      },
    ],
  },
];
