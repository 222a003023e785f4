import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../app";
import type { ImportQuestion } from "../../../workbook/imports/run/import-types";
import type { TableForm } from "../../../workbook/sheet/layout/table-plan";
import type { Jobs } from "../../jobs/jobs";
import { createSlot } from "../../jobs/slot";
import { FailureMessage } from "../../ui/FailureMessage";
import { beginning } from "../../ui/labels";
import type { PreviewTable } from "./preview-rows";

const useStyles = makeStyles({
  row: { display: "flex" },
  scroll: { overflowX: "auto", border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}` },
  table: {
    borderCollapse: "collapse",
    fontSize: tokens.fontSizeBase200,
    "& th, & td": {
      padding: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalXS}`,
      border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
      textAlign: "left",
      verticalAlign: "top",
      minWidth: "5rem",
      maxWidth: "12rem",
      overflowWrap: "break-word",
    },
    "& th": { backgroundColor: tokens.colorNeutralBackground3 },
    // The jurisdiction stays in sight while the answers are scrolled.
    "& :is(th, td):first-child": {
      position: "sticky",
      left: 0,
      backgroundColor: tokens.colorNeutralBackground3,
    },
  },
});

const shownCharacters = 60;

/** Shows the first rows of an import when the user asks for them. They disappear when the choices change. */
export default function Preview({
  jobs,
  session,
  question,
  form,
}: {
  jobs: Jobs;
  session: Session;
  question: ImportQuestion | null;
  form: TableForm;
}) {
  const styles = useStyles();
  const [slot] = useState(() => createSlot<ImportQuestion, PreviewTable>(jobs));
  const state = useStore(slot);
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.status === "done") table.current?.scrollIntoView({ block: "nearest" });
  }, [state]);
  useEffect(() => {
    slot.dismiss();
    return slot.giveUp;
  }, [slot, session, question, form]);

  function show() {
    if (!question) return;
    const job = { kind: "reads", title: "The first rows of a table are being read." } as const;
    void slot.run(question, job, async ({ signal }) => {
      const { previewRows } = await import("./preview-rows");
      return previewRows(question, session, form, signal);
    });
  }

  return (
    <>
      <div className={styles.row}>
        <Button size="small" disabledFocusable={!question || state.status === "running"} onClick={show}>
          {state.status === "running" ? "Loading the preview…" : "Preview the first rows"}
        </Button>
      </div>
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
      {state.status === "done" &&
        (state.result.rows.length === 0 ? (
          <Text>The service has no values for the first jurisdictions.</Text>
        ) : (
          // The element takes the focus, so that it can be scrolled by keyboard, too.
          <div ref={table} className={styles.scroll} tabIndex={0} role="region" aria-label="Preview">
            <table className={styles.table}>
              <thead>
                <tr>
                  {state.result.headers.map((header) => (
                    <th key={header} scope="col">
                      {beginning(header, shownCharacters)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {state.result.rows.map((cells, row) => (
                  <tr key={row}>
                    {cells.map((text, column) => (
                      <td key={column}>{beginning(text, shownCharacters)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ))}
    </>
  );
}
