import type { HeldPromise } from "./promise";

const oddAnswers = "test/functions/odd-answers.test.ts";
const shapes = "test/engine/api/shapes.test.ts";
const bounds = "src/engine/api/answer-bounds.ts";
const safeWrite = "command/workbook/safe-write.ts";
const dateSystems = "test/excel/date-systems.test.ts";
const notes = "test/workbook/sheet/tables/notes.test.ts";
const filledSheet = "test/workbook/sheet/tables/filled-sheet.test.ts";
const safeWriteTest = "test/command/workbook/safe-write.test.ts";

/** Promises of docs/reliability.md. */
export const reliabilityPromises: readonly HeldPromise[] = [
  {
    says: "An answer is taken only if its AHJs, geoIDs, types, collection and page are those that were asked for. Otherwise it is refused with a sentence, shown nowhere and not kept.",
    mutants: [
      {
        file: "src/engine/api/read-answer.ts",
        text: "if (isAsked(data.data, warnings) === false)",
        becomes: "if (isAsked(data.data, warnings) === undefined)",
        test: oddAnswers,
        title: "the values %s",
      },
      {
        file: bounds,
        text: "({ geoid }, data) => data.geoid === geoid",
        becomes: "({ geoid }, data) => !data.geoid || data.geoid === geoid",
        test: "test/engine/api/answer-bounds.test.ts",
        title: "%s, of %s",
      },
    ],
  },
  {
    says: "A gateway's 404 says nothing about a jurisdiction.",
    mutants: [
      {
        file: "src/engine/api/answer-failure.ts",
        text: 'kind === "not-found" && !!detail',
        becomes: 'kind === "not-found"',
        test: oddAnswers,
        title: "says nothing about %s of an AHJ",
      },
    ],
  },
  {
    says: "Bytes in no known encoding are refused. A number that can't be read is shown as it was sent. An id that is no positive whole number counts as missing.",
    mutants: [
      {
        file: "src/engine/transport/decoded-text.ts",
        text: "{ fatal: true }",
        becomes: "{ fatal: false }",
        test: oddAnswers,
        title: "is refused as %s, and shown with no replacement character",
      },
      {
        file: "src/engine/api/schemas.ts",
        text: "return isInteger(value) && Number(value) > 0;",
        becomes: "return isInteger(value);",
        test: shapes,
        title: "is missing from its list, and spoils no other: %j",
      },
      {
        file: "src/engine/api/schemas.ts",
        text: "/^-?\\d{1,15}(\\.\\d+)?$/.test(sent)",
        becomes: "isFinite(Number(sent))",
        test: shapes,
        title: "gives a text that is no plain number as it was sent: %j",
      },
    ],
  },
  {
    says: "An answer from a cache is as old as its `Age` says.",
    mutants: [
      {
        file: "src/engine/api/client.ts",
        text: "ageSeconds > 0 ?",
        becomes: "ageSeconds > 0 && ageSeconds <= 86_400 ?",
        test: shapes,
        title: "whose Age is %s was given %i ms ago",
      },
    ],
  },
  {
    says: "A list of which the service counts more than it lists is read once more, and then told as one with a gap.",
    mutants: [
      {
        file: "src/engine/lookup/catalogue/catalogue.ts",
        text: "if (missing > 0) throw gapFailure(missing, noun, plural);",
        becomes: "",
        test: oddAnswers,
        title: "is read once more, then told as a gap and not shown: %s(%j)",
      },
    ],
  },
  {
    says: "Every function marks the old answers that it shows because the service could not be asked.",
    mutants: [
      {
        file: "src/engine/lookup/old-answers.ts",
        text: 'if (failure.kind !== "not-asked" && isUnavailable(failure)) note(name, atMs);',
        becomes: "",
        test: "test/functions/old-answers.test.ts",
        title:
          "=REGDATA.%s(%j) shows its last answer while the service is away, with a mark that goes when the service is back",
      },
    ],
  },
  {
    says: "The command replaces no file that somebody saved while it worked, not even with `--force`: it says so and writes nothing.",
    mutants: [
      {
        file: safeWrite,
        text: "else await takeName(beside, path, steps);",
        becomes: "else await steps.rename(beside, path);",
        test: safeWriteTest,
        title: "takes the place of nothing in the last moment, on a disk without second names for files, too",
      },
      {
        file: safeWrite,
        text: "version: there && versionOf(there) }",
        becomes: "version: undefined }",
        test: safeWriteTest,
        title: "of an edit never does either, with --force: %s",
      },
    ],
  },
  {
    says: "A long result is frozen in one request of Excel: at any time its formula or all of its values are there. Frozen cells are read again, and a formula counts as frozen only if all of its values are there.",
    mutants: [
      {
        file: "src/workbook/sheet/cells/replace-cells.ts",
        text: "if (!result || result.plain) continue;",
        becomes: "if (result ?? true) continue;",
        test: "test/workbook/cell-formulas/long-results.test.ts",
        title: "its formula or all of its values are there, %s",
      },
      {
        file: "src/workbook/cell-formulas/freeze.ts",
        text: "if (lost.length === 0) return frozen;",
        becomes: "if (lost.length >= 0) return frozen;",
        test: "test/workbook/cell-formulas/freeze.test.ts",
        title: "%s, and does not count as frozen",
      },
      {
        file: "src/workbook/cell-formulas/freeze.ts",
        text: "await forgetWhere(parts, isGhost, workbook);",
        becomes: "",
        test: "test/workbook/cell-formulas/long-results.test.ts",
        title: "is forgotten if the user gives it up, and the cells stay as they are",
      },
    ],
  },
  {
    says: "A text that looks like a formula is a text wherever formulas are counted, frozen, refreshed, repaired and shared.",
    mutants: [
      {
        file: "src/workbook/sheet/cells/cell-content.ts",
        text: 'formula.startsWith("=") && formula !== value;',
        becomes: 'formula.startsWith("=");',
        test: "test/workbook/sheet/cells/found-formulas.test.ts",
        title: "are no texts that look like them, after an apostrophe or in a cell formatted as text",
      },
    ],
  },
  {
    says: "A formula that somebody typed over an answer stays theirs, whatever it shows, and is listed as edited.",
    mutants: [
      {
        file: "src/workbook/imports/refresh/whose-cell.ts",
        text: '  if (shown?.formula !== undefined) return "somebody";',
        becomes: "",
        test: "test/workbook/imports/refresh/typed-formulas.test.ts",
        title:
          "is listed as edited while the answer is still the same, and on a device that has kept nothing",
      },
      {
        file: "src/workbook/sheet/cells/cell-content.ts",
        text: '  if ("value" in expected && expected.formula === undefined && isFormula(content)) return false;',
        becomes: "",
        test: "test/workbook/sheet/cells/cell-content.test.ts",
        title: "is not what is expected if a formula shows the expected value, for somebody has typed it",
      },
      {
        file: "src/workbook/unfinished/take-back.ts",
        text: "!cells.some(isFormula) && isAsWritten",
        becomes: "isAsWritten",
        test: "test/workbook/unfinished/take-back.test.ts",
        title:
          "leaves the sheet with a formula that somebody has typed into the table, even if it shows what the import wrote",
      },
    ],
  },
  {
    says: '"Left" is said only of a jurisdiction whose answers were seen not to meet the conditions. One that could not be checked is named as such, and its row and values stay.',
    mutants: [
      {
        file: "src/workbook/imports/refresh/find-again.ts",
        text: 'if (place === undefined) return "not-searched";',
        becomes: 'if (place === undefined) return "no";',
        test: "test/workbook/imports/refresh/find-again.test.ts",
        title:
          "a refresh names a jurisdiction that is no longer among those in which the find looks, and does not say that it left",
      },
      {
        file: "src/workbook/imports/refresh/plan-refresh.ts",
        text: 'if (result === "yes" || notRefreshed.has(ahj.id)) continue;',
        becomes: 'if (result === "yes") continue;',
        test: "test/workbook/imports/refresh/find-again.test.ts",
        title:
          "with a narrower key, a refresh says of no jurisdiction that it left, changes none of their cells, and remembers who had left: within %s",
      },
    ],
  },
  {
    says: "A question's new unit or name reaches its header, and the list of changes says so.",
    mutants: [
      {
        file: "src/workbook/sheet/tables/table-shape.ts",
        text: "if (renamed.length === 0) return;",
        becomes: "if (renamed.length >= 0) return;",
        test: "test/workbook/imports/refresh/descriptions.test.ts",
        title: "gets a header with its new name, under which its later answers are refreshed",
      },
    ],
  },
  {
    says: "A jurisdiction's new name, state, type or geoID reaches the cells that still hold what was written, each told like a changed value. A name that somebody may have typed stays.",
    mutants: [
      {
        file: "src/workbook/imports/refresh/plan-refresh.ts",
        text: "factsTold(rows, answers.ahjNow)",
        becomes: "factsTold(rows, undefined)",
        test: "test/workbook/imports/refresh/descriptions.test.ts",
        title: "gets its new name, state, type and geoID in its row, each told like a changed value",
      },
      {
        file: "src/workbook/imports/refresh/compare-answers.ts",
        text: 'if (!type && whose === "unknown" && !isFollowed) {',
        becomes: "if (!type && whose === undefined && !isFollowed) {",
        test: "test/workbook/imports/refresh/descriptions.test.ts",
        title: "keeps a name that differs, and tells of no change, since a person may have written it",
      },
    ],
  },
  {
    says: "A value that is entered while an import runs gets its row from the next refresh, on any device.",
    mutants: [
      {
        file: "src/workbook/imports/refresh/new-values.ts",
        text: "(asOfMs ?? atMs)",
        becomes: "atMs",
        test: "test/workbook/imports/refresh/new-values.test.ts",
        title: "gets its row from a colleague's refresh, if it was entered %s",
      },
    ],
  },
  {
    says: "Rows that are sorted while a large table is read are never mixed: the table is read again.",
    mutants: [
      {
        file: "src/workbook/sheet/tables/bound-table.ts",
        text: "if (requests > 1) {",
        becomes: "if (requests < 1) {",
        test: "test/workbook/sheet/tables/moving-table.test.ts",
        title:
          "are read with the values of one order of rows, whichever request somebody sorts it before: %s",
      },
    ],
  },
  {
    says: "An import in several tables that ends early names every jurisdiction that it has not got, those that were not asked included.",
    mutants: [
      {
        file: "src/workbook/imports/run/place-parts.ts",
        text: "const kept = data && { ...data, report: lacking(data.report, notAsked) };",
        becomes: "const kept = data;",
        test: "test/taskpane/fill/insert/import-control-partial.test.ts",
        title: "names the jurisdictions of parts that were not asked, and is never a whole import",
      },
    ],
  },
  {
    says: "While an import writes, the workbook can't be prepared to be shared, and no import is refreshed while it is replaced.",
    mutants: [
      {
        file: "src/taskpane/jobs/jobs.ts",
        text: 'workbook: ["cells", "imports", "workbook"],',
        becomes: 'workbook: ["workbook"],',
        test: "test/taskpane/fill/insert/import-control-beside-others.test.ts",
        title: "the workbook is not prepared to be shared while an import is under way, and is afterwards",
      },
      {
        file: "src/taskpane/jobs/jobs.ts",
        text: 'imports: ["imports", "workbook"],',
        becomes: 'imports: ["workbook"],',
        test: "test/taskpane/fill/insert/import-control-beside-others.test.ts",
        title: "an import is not replaced while it is refreshed",
      },
    ],
  },
  {
    says: "An endpoint that does not answer holds up only the formulas that need it. After two requests in a row without an answer, formulas leave it alone for ten seconds.",
    mutants: [
      {
        file: "src/engine/lookup/collector.ts",
        text: "inCompany(Promise.all(batches.map(runBatch)))",
        becomes: "Promise.all(batches.map(runBatch))",
        test: "test/functions/one-endpoint-hangs.test.ts",
        title: "formulas that are entered later are answered as if alone",
      },
      {
        file: "src/engine/lookup/answer-batch.ts",
        text: "await inCompany(Promise.all([lookups.geoids, lookups.types]))",
        becomes: "await Promise.all([lookups.geoids, lookups.types])",
        test: "test/functions/one-endpoint-hangs.test.ts",
        title:
          "its formulas say so within a minute, and those of the same recalculation are answered as if alone",
      },
      {
        file: "src/engine/lookup/answers/ask-service.ts",
        text: "await (exchange.urgent ? inCompany(list) : list)",
        becomes: "await list",
        test: "test/functions/one-endpoint-hangs.test.ts",
        title: "the value of an answer whose date gives no answer is there as if alone",
      },
      {
        file: "src/engine/transport/governor.ts",
        text: "stalled.length === 0 || !maySendBeside()",
        becomes: "true",
        test: "test/functions/one-endpoint-hangs.test.ts",
        title: "formulas that are entered later are answered as if alone",
      },
      {
        file: "src/engine/transport/breaker.ts",
        text: "known.inARow >= config.unansweredInARow",
        becomes: "false",
        test: "test/functions/one-endpoint-hangs.test.ts",
        title:
          "an endpoint whose connections are refused is left alone after a few tries, and asked again after a while",
      },
    ],
  },
  {
    says: "=REGDATA.FIND, and the look at a workbook's imports when it is opened, send 20 requests at most, each try, page and halving counted. A workbook's own figures decide nothing about it.",
    mutants: [
      {
        file: "src/engine/transport/exchange.ts",
        text: "budget?.spend();",
        becomes: "",
        test: "test/functions/find/find-budget.test.ts",
        title: "=REGDATA.FIND sends at most 20 requests, its lists among them, though the service %s",
      },
      {
        file: "src/taskpane/refresh/opening/look-at-opening.ts",
        text: "        budget,",
        becomes: "        budget: undefined,",
        test: "test/taskpane/refresh/look-at-opening.test.ts",
        title: "sends at most 20 requests, whatever an import's part says of its last run",
      },
    ],
  },
  {
    says: "One argument names 100,000 different jurisdictions at most. One with more is refused before it is read.",
    mutants: [
      {
        file: "src/engine/lookup/asked-names.ts",
        text: "different.size > most",
        becomes: "false",
        test: "test/engine/lookup/asked-names.test.ts",
        title: "is refused with the number that is taken, and the rest of it is not looked at",
      },
    ],
  },
  {
    says: "A table's totals row is none of its rows: it is never taken for data, and new rows come above it.",
    mutants: [
      {
        file: "workbench/files/read-xlsx.ts",
        text: "...(hasTotalsRow && { showsTotals: true }),",
        becomes: "",
        test: "test/command/workbook/users-tables.test.ts",
        title: "is no jurisdiction, although its sum is the id of one: it stays as it is",
      },
    ],
  },
  {
    says: "Cells below a table move down with their formats, notes, links and rules when rows come, and calculated columns go on. Where that can't be done, it is said and the file stays.",
    mutants: [
      {
        file: "workbench/files/write-xlsx.ts",
        text: "for (const { sheetId, shift } of moved) moveCells(file, ids, sheetId, shift);",
        becomes: "",
        test: "test/command/workbook/users-tables.test.ts",
        title: "keep rich texts, rules and notes",
      },
      {
        file: "workbench/host/objects/tables/table-rows.ts",
        text: "formulaAt(formula, pattern.row, added.row + down)",
        becomes: "formula",
        test: "test/command/workbook/users-tables.test.ts",
        title: "goes on in a jurisdiction that enters, with its own row's cells",
      },
      {
        file: "command/failure-exit.ts",
        text: 'if (kind === "sheet-refused" && "code" in Object(failure.cause)) return refusalOf(failure);',
        becomes: "",
        test: "test/command/workbook/users-tables.test.ts",
        title:
          "stay where the sheet ends: the command says so in its own words, and leaves the file as it was",
      },
    ],
  },
  {
    says: "A column that a slicer or a pivot table uses is not removed from a file, and a checkbox stays one when its cell's look changes.",
    mutants: [
      {
        file: "xlsx/sheets/sheet-file.ts",
        text: "mustNotBeUsed(goneColumns(workbookPackage.tree(table.part), columnNames), table, users);",
        becomes: "",
        test: "test/xlsx/features-of-excel.test.ts",
        title: "that a slicer or a pivot table uses is not removed: the reason names it, and nothing changes",
      },
      {
        file: "xlsx/styles/cell-styles.ts",
        text: '(known ? extensionsOf(known) : "")',
        becomes: '""',
        test: "test/xlsx/features-of-excel.test.ts",
        title: "keeps it when its look changes, and is never mixed up with one that shows another",
      },
    ],
  },
  {
    says: "A workbook with a totals row, a filter, a slicer, a checkbox, rules, notes, threads, groups, a print area and names keeps all of them when formulas are frozen, unfrozen or repaired, and when imports are refreshed.",
    mutants: [
      {
        file: "xlsx/sheets/moved-areas.ts",
        text: '...partsOf("comments"), ...partsOf("threadedComment")',
        becomes: '...partsOf("comments")',
        test: "test/command/workbook/all-features.test.ts",
        title: "keeps them in a refresh, where they stand, and below a jurisdiction that enters",
      },
    ],
  },
  {
    says: "A date is written and read as the workbook counts its days, from 1900 or from 1904. If Excel does not tell which, a job fails with Excel's words, and a formula gives the published text.",
    mutants: [
      {
        file: "src/workbook/sheet/tables/table-changes.ts",
        text: "      await learnDates();",
        becomes: "      void learnDates;",
        test: dateSystems,
        title: "are brought to the right days by a refresh where the user has changed the date system since",
      },
      {
        file: "src/workbook/imports/run/place-import.ts",
        text: "await workbook.learnDates();",
        becomes: "void workbook.learnDates;",
        test: dateSystems,
        title: "show the same days in both date systems, and a refresh finds no change",
      },
      {
        file: "src/functions/call.ts",
        text: "dateSystem.epochSerial === this.epochSerial",
        becomes: "true",
        test: dateSystems,
        title: "give a day, a time and a card's facts as the same days in both date systems",
      },
      {
        file: "src/functions/call.ts",
        text: "hasDataTypes: () => false",
        becomes: "hasDataTypes: () => true",
        test: dateSystems,
        title:
          "give a day as it was published, and take it as a text alone, while Excel does not tell the date system",
      },
      {
        file: "src/functions/dated-answers.ts",
        text: "await call.app.learnDates()",
        becomes: "await Promise.resolve()",
        test: dateSystems,
        title: "take a day as the workbook counts it",
      },
      {
        file: "src/functions/find/found-jurisdictions.ts",
        text: "await call.app.learnDates()",
        becomes: "await Promise.resolve()",
        test: dateSystems,
        title: "take a day as the workbook counts it",
      },
      {
        file: "command/diff/read-sheet.ts",
        text: "? value + shift",
        becomes: "? value",
        test: "test/command/workbook/date-systems.test.ts",
        title: "regdata diff compares days, whichever date system each version has",
      },
      {
        file: "command/repair/kept-results.ts",
        text: "useDateSystem(file.uses1904)",
        becomes: "useDateSystem(false)",
        test: "test/command/workbook/date-systems.test.ts",
        title: "regdata repair takes a day from a cell as the workbook counts it",
      },
    ],
  },
  {
    says: "A note that somebody writes on a cell in the last moment stays, and is named; a note goes to its own cell though rows are inserted meanwhile.",
    mutants: [
      {
        file: "src/workbook/sheet/swap/swap.ts",
        text: "const still = isThere && was !== undefined ? next(cell, was) : undefined;",
        becomes: "const still = isThere && was !== undefined ? after : undefined;",
        test: notes,
        title: "stays if somebody types it in the last moment, and is named",
      },
      {
        file: "src/workbook/sheet/swap/notes.ts",
        text: "range.address === address",
        becomes: "true",
        test: notes,
        title: "goes to its own cell if rows are inserted above the table in between",
      },
    ],
  },
  {
    says: "A new sheet or new rows of a list that can't be filled are removed again, found by their ids, unless somebody has written in them; then they stay, and it is said.",
    mutants: [
      {
        file: "src/workbook/sheet/tables/filled-sheet.ts",
        text: "addedSheet: sheet,",
        becomes: "get addedSheet() { return context.workbook.worksheets.getItem(name); },",
        test: filledSheet,
        title: "is found though somebody has renamed it, and a sheet that has got its name stays",
      },
      {
        file: "src/workbook/sheet/swap/inserted-cells.ts",
        text: 'const isOthers = heldBy(cell) !== "" && !isOurs(cell);',
        becomes: "const isOthers = false;",
        test: filledSheet,
        title: "stays with what somebody has written on it, which the failure names",
      },
      {
        file: "src/workbook/sheet/lists/list-additions.ts",
        text: 'heldBy(content) === "" || (isFormula(content) && isCalculated[column] === true)',
        becomes: "true",
        test: "test/taskpane/fill/add-to-list.test.ts",
        title: "leave the rows in which somebody has written meanwhile, and say so",
      },
    ],
  },
  {
    says: "A header that somebody changes while a refresh renames its column keeps their text.",
    mutants: [
      {
        file: "src/workbook/sheet/tables/table-shape.ts",
        text: "has.value === before ? heldAfter(textCell(after)) : undefined",
        becomes: "has === undefined ? undefined : heldAfter(textCell(after))",
        test: "test/workbook/sheet/tables/edited-tables.test.ts",
        title: "renames a column, unless somebody renames it before any of its requests",
      },
    ],
  },
  {
    says: "An import that is replaced takes only its own notes with it: those in the user's columns stay.",
    mutants: [
      {
        file: "src/workbook/imports/run/place-import.ts",
        text: "headers.has(header) ? [at] : []",
        becomes: "header === null ? [] : [at]",
        test: "test/workbook/imports/run/place-import.test.ts",
        title: "of the replaced import go, and those in the user's own columns stay",
      },
    ],
  },
  {
    says: "A blank sheet that has the name of an import that was cut off is deleted only if nothing at all is on it, not even a color.",
    mutants: [
      {
        file: "src/workbook/unfinished/take-back.ts",
        text: "getUsedRangeOrNullObject(hasOurs)",
        becomes: "getUsedRangeOrNullObject(true)",
        test: "test/workbook/unfinished/take-back.test.ts",
        title: "leaves a blank sheet of the same name on which somebody has colored cells",
      },
    ],
  },
];
