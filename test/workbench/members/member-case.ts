/**
 * Members of Office's API that the workbench simulates, each with the behavior that Microsoft documents. The same cases run on the
 * spreadsheet in memory (members.test.ts) and on the grid in a browser (test/e2e/workbench/members.test.ts).
 */
export interface MemberCase {
  /** A sentence. */
  name: string;
  /** The source of the expected behavior; "strict assumption" if Microsoft does not document it (docs/excel-rules.md). */
  source: string;
  /** Runs in the add-in's page, so it may use nothing but its arguments. `sheet` is blank, active and deleted afterwards. */
  work(
    context: Excel.RequestContext,
    sheet: Excel.Worksheet,
    setSelectedData: SetSelectedData,
  ): Promise<unknown>;
  /** The result that the work must give. */
  expected: unknown;
}

/** `Office.context.document.setSelectedDataAsync`: gives 0, or the number of its error. */
export type SetSelectedData = (data: unknown) => Promise<number>;

/** Runs a case in a sheet of its own. Its source text goes to the add-in's page, so it uses nothing but its arguments either. */
export async function playCase(
  context: Excel.RequestContext,
  work: MemberCase["work"],
  setSelectedData: SetSelectedData,
): Promise<unknown> {
  const sheet = context.workbook.worksheets.add("Case");
  sheet.activate();
  await context.sync();
  try {
    return await work(context, sheet, setSelectedData);
  } finally {
    context.workbook.worksheets.getItem("Case").delete();
    await context.sync();
  }
}

export const docs = "https://learn.microsoft.com/office/dev/add-ins/excel";
export const reference = "https://learn.microsoft.com/javascript/api/excel";
export const support = "https://support.microsoft.com/office";
export const strictAssumption = "strict assumption";
