import type { Frame, Page } from "@playwright/test";
import type {} from "../../workbench/page/workbench-api";
import type {} from "./recorder";

type Cell = string | number | boolean;

/** The state of sheet and page at a moment. Addresses have their sheet's name. */
export interface Check {
  /** The id of the button after which this holds, or "start"; without one, it is so at the end. */
  after?: string;
  values?: Record<string, Cell[][]>;
  texts?: Record<string, string[][]>;
  formulas?: Record<string, Cell[][]>;
  /** By the address of a cell; null for none. */
  fills?: Record<string, string | null>;
  /** The sheets that can be seen, in their order. */
  sheets?: string[];
  /** Their addresses by their names. */
  tables?: Record<string, string>;
  /** Charts of the workbook: how many points each one shows. */
  charts?: number[];
  pictures?: number;
  /** Rows that a filter hides, and others: the address of a cell of the row. */
  hidden?: Record<string, boolean>;
  /** The address of a cell of the column. */
  hiddenColumns?: Record<string, boolean>;
  links?: Record<string, string | null>;
  /** The looks that conditional formats give to cells, by their addresses. */
  conditional?: Record<string, { fillColor?: string; fontColor?: string; bold?: boolean }>;
  /** Facts such as numbers and addresses, each of which a line of the console has. */
  said?: (string | RegExp)[];
}

/** A person's notes on a snippet. */
export interface Expectation {
  /** Entered before the first button is pressed, by the address of the first cell. */
  formulas?: Record<string, Cell[][]>;
  /** The address that the user selects before a button is pressed, by the button's id. */
  select?: Record<string, string>;
  /** Refusals that the snippet is there to show: the code, by the button's id. */
  refusals?: Record<string, string>;
  /** Mistakes of the snippet's own that any Excel reports: the words, by the button's id or "start". */
  mistakes?: Record<string, string>;
  /** The id of the button after which the user clicks the first cell of the active sheet. */
  clickAfter?: string;
  checks?: Check[];
}

/** The differences between a check and what the workbench shows. */
export async function mismatches(check: Check, page: Page, frame: Frame): Promise<string[]> {
  const { said = [], after: _, ...ofSheet } = check;
  const lines = await frame.evaluate(() => window.snippet.lines);
  const unsaid = said.filter(
    (fact) => !lines.some((line) => (typeof fact === "string" ? line.includes(fact) : fact.test(line))),
  );
  const differences = unsaid.map((fact) => `the page does not say ${String(fact)}`);
  await page.evaluate(() => window.workbench.idle());
  const held = await page.evaluate((wanted) => {
    const { workbench } = window;
    const each = <T>(named: Record<string, unknown> | undefined, read: (address: string) => T) =>
      named &&
      Object.fromEntries(Object.keys(named).map((address) => [address, attempt(() => read(address))]));
    const attempt = <T>(read: () => T) => {
      try {
        return read();
      } catch (error) {
        return String(error);
      }
    };
    return {
      values: each(wanted.values, workbench.getValues),
      texts: each(wanted.texts, workbench.getTexts),
      formulas: each(wanted.formulas, workbench.getFormulas),
      fills: each(wanted.fills, workbench.fillColor),
      hidden: each(wanted.hidden, workbench.isRowHidden),
      hiddenColumns: each(wanted.hiddenColumns, workbench.isColumnHidden),
      links: each(wanted.links, workbench.link),
      conditional: each(wanted.conditional, workbench.conditionalLook),
      sheets: workbench.sheets().flatMap(({ name, isHidden }) => (isHidden ? [] : [name])),
      tables: Object.fromEntries(workbench.tables().map(({ name, address }) => [name, address])),
      charts: workbench.charts().map(({ points }) => points.length),
      pictures: workbench.pictures().length,
    };
  }, ofSheet);
  for (const name of Object.keys(ofSheet) as (keyof typeof ofSheet)[]) {
    const [wanted, there] = [JSON.stringify(ofSheet[name]), JSON.stringify(held[name])];
    if (wanted !== there) differences.push(`${name} ${there} instead of ${wanted}`);
  }
  return differences.map((difference) =>
    check.after === undefined ? difference : `${check.after}: ${difference}`,
  );
}
