import { Button, makeStyles, Text, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import type { Session } from "../../../app";
import { asFailure, type Failure } from "../../../errors";
import type { ImportQuestion } from "../../../workbook/imports/run/import-types";
import type { TableForm } from "../../../workbook/sheet/layout/table-plan";
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
  },
});

const shownCharacters = 60;

type PreviewState =
  | { status: "none" }
  | { status: "loading" }
  | { status: "shown"; table: PreviewTable }
  | { status: "failed"; failure: Failure };

/** Shows the first rows of an import when the user asks for them. They disappear when the choices change. */
export function Preview({
  session,
  question,
  form,
}: {
  session: Session;
  question: ImportQuestion | null;
  form: TableForm;
}) {
  const styles = useStyles();
  const [state, setState] = useState<PreviewState>({ status: "none" });
  const asking = useRef<AbortController>(undefined);
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.status === "shown") table.current?.scrollIntoView({ block: "nearest" });
  }, [state]);
  useEffect(() => {
    setState({ status: "none" });
    return () => asking.current?.abort();
  }, [session, question, form]);

  async function show() {
    if (!question) return;
    const controller = (asking.current = new AbortController());
    setState({ status: "loading" });
    const { previewRows } = await import("./preview-rows");
    const next = await previewRows(question, session, form, controller.signal).then(
      (table): PreviewState => ({ status: "shown", table }),
      (thrown: unknown): PreviewState => ({ status: "failed", failure: asFailure(thrown) }),
    );
    if (!controller.signal.aborted) setState(next);
  }

  return (
    <>
      <div className={styles.row}>
        <Button
          size="small"
          disabledFocusable={!question || state.status === "loading"}
          onClick={() => void show()}
        >
          {state.status === "loading" ? "Loading the preview…" : "Preview the first rows"}
        </Button>
      </div>
      {state.status === "failed" && <FailureMessage failure={state.failure} />}
      {state.status === "shown" &&
        (state.table.rows.length === 0 ? (
          <Text>The service has no values for the first jurisdictions.</Text>
        ) : (
          // The element takes the focus, so that it can be scrolled by keyboard, too.
          <div ref={table} className={styles.scroll} tabIndex={0} role="region" aria-label="Preview">
            <table className={styles.table}>
              <thead>
                <tr>
                  {state.table.headers.map((header) => (
                    <th key={header} scope="col">
                      {beginning(header, shownCharacters)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {state.table.rows.map((cells, row) => (
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
