import { Button, Checkbox, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Session } from "../../../app";
import type { DataPointType } from "../../../engine/api/schemas";
import { headersBeside } from "../../../workbook/imports/run/list-rows";
import type { ListOrder } from "../../../workbook/imports/run/import-types";
import { type HeadedColumn, headedColumns } from "../../../workbook/imports/run/own-columns";
import { listToFill } from "../../../workbook/imports/saved/list-to-fill";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import { unitWords } from "../../cell/facts/unit-words";
import type { PaneApp } from "../../pane-app";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownName } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";
import CheckReport from "../check/CheckReport";
import { createCheckControl } from "../check/check-control";
import type { FilledColumn, ListInTable } from "../draft/draft";
import { QuestionSearch } from "./QuestionSearch";
import { useTypeSearch } from "./use-type-search";

const useStyles = makeStyles({
  column: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  question: {
    display: "flex",
    flexDirection: "column",
    paddingLeft: tokens.spacingHorizontalXXL,
    minWidth: 0,
  },
});

/** Offers to fill the columns of the list's own table, and to check them: each with the question that its header means, or another one. */
export default function OwnColumns({
  app,
  session,
  list,
  beside,
  imports,
  into,
  onChange,
}: {
  app: PaneApp;
  session: Session;
  list: ListInTable;
  /** The list as an import goes beside it. */
  beside: ListOrder;
  /** All imports of the workbook: columns that they refresh are not filled. */
  imports: readonly KeptImport[];
  into: readonly FilledColumn[];
  onChange: (into: readonly FilledColumn[]) => void;
}) {
  const styles = useStyles();
  const { workbook } = app;
  const [control] = useState(() => createCheckControl(app, session));
  useEffect(() => control.dismiss, [control]);
  const { catalogue } = session.lookup;
  const {
    value: types,
    failure: noTypes,
    retry: retryTypes,
  } = useLoad(useCallback(() => catalogue.types(), [catalogue]));
  const { finder, failure: noFinder, retry: retryFinder } = useTypeSearch(catalogue, types, "");
  const { column, rows } = list;
  const { id, headers } = column.table;
  const {
    value: table,
    failure: notRead,
    retry: readAgain,
  } = useLoad(
    useCallback(() => createImportTables(workbook).read(id, headers, true), [workbook, id, headers]),
  );
  const offered = useMemo(() => {
    const imported = imports
      .filter(({ saved }) => saved.tableId === id)
      .flatMap(({ saved }) => saved.columns);
    const taken = [
      rows.header.text,
      ...headersBeside(column, rows.header),
      ...imported.map(({ header }) => header),
    ];
    if (!table || !finder) return undefined;
    // A filled column, such as that of a project's name, is offered only if it certainly is about a question.
    return headedColumns(table, new Set(taken), finder).filter(({ blanks, isSure }) => blanks > 0 || isSure);
  }, [table, finder, imports, id, rows, column]);
  /** The questions that the user has chosen in place of those that were found. */
  const [others, setOthers] = useState<ReadonlyMap<string, DataPointType>>(new Map());
  const [hasProposed, setHasProposed] = useState(false);
  useEffect(() => {
    if (!offered || hasProposed) return;
    setHasProposed(true);
    onChange(sureOnes(offered));
  }, [offered, hasProposed, onChange]);

  const failure = noTypes ?? noFinder ?? notRead;
  if (failure) {
    const retry = noTypes ? retryTypes : noFinder ? retryFinder : readAgain;
    return <FailureMessage failure={failure} onRetry={retry} />;
  }
  if (!offered || offered.length === 0) return null;
  function check() {
    const order = listToFill(beside, list.column.address);
    if (!order || into.length === 0) return;
    const asked = {
      types: into.map(({ type }) => type),
      into: into.map(({ header, type }) => ({ header, typeId: type.id })),
    };
    control.check({ ...order, ...asked });
  }
  const put = (header: string, type: DataPointType | null) =>
    onChange([...into.filter((each) => each.header !== header), ...(type ? [{ header, type }] : [])]);
  return (
    <section className={styles.column} aria-label="Your columns">
      <Text weight="semibold">Your columns</Text>
      <Text size={200}>
        Check a column to have its blank cells filled with the answers for the places of their rows. What
        stands in a cell stays, and can be compared with the service.
      </Text>
      {offered.map((each) => {
        const { header } = each;
        const type = others.get(header) ?? each.type;
        const other = into.find((one) => one.header !== header && one.type.id === type?.id);
        const isChosen = into.some((one) => one.header === header);
        return (
          <div key={header} role="group" aria-label={header}>
            <Checkbox
              label={shownName(header)}
              checked={isChosen}
              disabled={!isChosen && (!type || other !== undefined)}
              onChange={(_, { checked }) => put(header, checked === true ? type : null)}
            />
            <div className={styles.question}>
              <QuestionSearch
                catalogue={catalogue}
                type={type}
                types={types}
                onChoose={(chosen) => {
                  setOthers(new Map([...others, [header, chosen]]));
                  const isTaken = into.some((one) => one.header !== header && one.type.id === chosen.id);
                  put(header, isTaken ? null : chosen);
                }}
              />
              <Text size={200}>
                {wordsOf(each, { type, other: other?.header, isOwn: others.has(header) })}
              </Text>
            </div>
          </div>
        );
      })}
      <div>
        <Button size="small" disabledFocusable={into.length === 0} onClick={check}>
          Compare what stands there
        </Button>
      </div>
      <CheckReport control={control} />
    </section>
  );
}

/** The columns that are filled unless the user says otherwise: wholly blank ones, with a question of which there is no doubt, each once. */
function sureOnes(offered: readonly HeadedColumn[]): FilledColumn[] {
  const byType = new Map<number, FilledColumn>();
  for (const { header, type, filled, isSure } of offered)
    if (type && filled === 0 && isSure && !byType.has(type.id)) byType.set(type.id, { header, type });
  return [...byType.values()];
}

/** The unit of a column's question, how certain the question is, and how many cells are blank. */
function wordsOf(
  { blanks, filled, isSure }: HeadedColumn,
  { type, other, isOwn }: { type: DataPointType | null; other: string | undefined; isOwn: boolean },
): string {
  const parts = [
    type ? shownName(unitWords(type.unit_of_measure)) : "No question has these words. Search for one.",
    !type || isOwn ? "" : isSure ? "has all words of the header" : "perhaps",
    other === undefined ? "" : `“${shownName(other)}” gets its answers`,
    filled === 0 ? "" : blanks === 0 ? "no cell blank" : `${plural(blanks, "cell")} blank`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
