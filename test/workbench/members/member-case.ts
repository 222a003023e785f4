/**
 * Members of Office's API that the workbench plays, each with the behavior that Microsoft documents. The same cases run on the
 * spreadsheet in memory (members.test.ts) and on the grid in a browser (test/e2e/workbench/members.test.ts).
 */
export interface MemberCase {
  /** A sentence. */
  name: string;
  /** Where the expected behavior stands; "harder reading" where Microsoft does not say it. */
  source: string;
  /** Runs in the add-in's page: it may use nothing but its arguments. `sheet` is blank, active and deleted afterwards. */
  work(context: Excel.RequestContext, sheet: Excel.Worksheet): Promise<unknown>;
  /** What it gives. */
  expected: unknown;
}

/** What runs around a case. Its text goes to the add-in's page, so it uses nothing but its arguments either. */
export async function playCase(context: Excel.RequestContext, work: MemberCase["work"]): Promise<unknown> {
  const sheet = context.workbook.worksheets.add("Case");
  sheet.activate();
  await context.sync();
  try {
    return await work(context, sheet);
  } finally {
    context.workbook.worksheets.getItem("Case").delete();
    await context.sync();
  }
}

export const docs = "https://learn.microsoft.com/office/dev/add-ins/excel";
export const reference = "https://learn.microsoft.com/javascript/api/excel";
export const support = "https://support.microsoft.com/office";
export const harder = "harder reading";
