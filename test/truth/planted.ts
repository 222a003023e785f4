/**
 * A mistake in the product, made for as long as a test wants: in `file` the expression `text` becomes `instead`, or what
 * `instead` says itself by a PLANTED that is true as long.
 */
export interface PlantedBug {
  name: string;
  file: string;
  text: string;
  instead: string;
  /** Of the cases among which it is found. */
  seed: number;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: "rows of a matrix are swapped",
    file: "engine/lookup/answers/read-matrix.ts",
    text: "rows.get(ahjId)",
    instead: "[...rows.values()][[...rows.keys()].reverse().indexOf(ahjId)]",
    seed: 1,
  },
  {
    name: "columns of a formula are swapped",
    file: "functions/jurisdiction-grid.ts",
    text: "(columnPlaces.get(type) ?? 0)",
    instead: "asked.length - 1 - (columnPlaces.get(type) ?? 0)",
    seed: 1,
  },
  {
    name: "the next key is shown what the last one was told",
    file: "app.ts",
    text: "last && next && !clears && isSame(last.credentials, next.credentials)",
    instead: "last && next && !clears",
    seed: 1,
  },
  {
    name: "a collection's warning is dropped",
    file: "engine/lookup/collections/read-collection.ts",
    text: "this.add(excluded_ahj_ids)",
    instead: "undefined",
    seed: 1,
  },
  {
    name: "an answer is kept beyond its age",
    file: "engine/lookup/answers/answers.ts",
    text: "!isWithinAge(fetchedAtMs, maxAgeMs())",
    instead: "false",
    seed: 1,
  },
  {
    name: "a part that failed is left out as if it were denied",
    file: "engine/lookup/collections/read-collection.ts",
    text: 'failure.kind !== "outside-subscription"',
    instead: "false",
    seed: 1,
  },
  {
    name: "a geoID loses its leading zero",
    file: "workbook/sheet/layout/table-plan.ts",
    text: "textOrBlank(ahj.geoid)",
    instead: 'ahj.geoid === null ? blankCell : { value: Number(ahj.geoid), numberFormat: "0" }',
    seed: 1,
  },
  {
    name: "a number is made of a text",
    file: "workbook/sheet/values/cell-value.ts",
    text: "!isOwnUnit && !isQualified",
    instead: "false",
    seed: 1,
  },
  {
    name: "an import that fails leaves half a table",
    file: "workbook/sheet/workbook.ts",
    text: "takeBack(context, prepared.undo, prepared.backup)",
    instead: "takeBack(context, PLANTED ? () => Promise.resolve() : prepared.undo, prepared.backup)",
    seed: 1,
  },
  {
    name: "old answers bear no mark",
    file: "engine/lookup/lookup.ts",
    text: "onOldAnswers?.(oldAnswers())",
    instead: "undefined",
    seed: 1,
  },
  {
    name: "a refresh overwrites the user's own cells",
    file: "workbook/sheet/tables/table-edit.ts",
    text: "Array<Scalar | null>(width).fill(null)",
    instead: 'Array<Scalar | null>(width).fill("")',
    seed: 1,
  },
  {
    name: "a refresh takes rows for where they stood before they were sorted",
    file: "workbook/sheet/tables/bound-table.ts",
    text: "movedRows(read.keys, rowsRead(now, read.ids).keys)",
    instead: "read.keys.map((_, row) => row)",
    seed: 1,
  },
  {
    name: "a section is another text's",
    file: "workbook/sheet/layout/table-plan.ts",
    text: "textOrBlank(answer.section)",
    instead: "textOrBlank(answer.reference)",
    seed: 1,
  },
  {
    name: "a refresh keeps quiet about a change",
    file: "workbook/imports/refresh/refresh.ts",
    text: "changes.push({ ahj, type, place, before: known ?? null, after: outcome })",
    instead: "undefined",
    seed: 1,
  },
  {
    name: "a report keeps quiet about blanks",
    file: "workbook/imports/run/run-matrix.ts",
    text: "column.blank.push(ahj)",
    instead: "undefined",
    seed: 1,
  },
  {
    name: "of a shared geoID the AHJ with the highest id is taken",
    file: "engine/lookup/directory/ahj-list.ts",
    text: "ahj.id < known.id",
    instead: "ahj.id > known.id",
    seed: 1,
  },
  {
    name: "a collection loses a value",
    file: "engine/lookup/collections/read-collection.ts",
    text: "results.items) items",
    instead: "PLANTED ? results.items.slice(1) : results.items) items",
    seed: 1,
  },
  {
    name: "requests go on when the limit is used up",
    file: "engine/transport/allowance.ts",
    text: "opensAtMs <= nowMs",
    instead: "true",
    seed: 1,
  },
];
