/** How a sheet of the add-in is printed. */
export interface PrintPlan {
  orientation: "Landscape" | "Portrait";
  /** The cells that are printed, such as "A1:E40", or whole columns: "A:E". */
  area: string;
  /** The rows and columns that each page repeats, such as "$1:$1" and "$A:$A". */
  titleRows?: string | undefined;
  titleColumns?: string | undefined;
  /** The number of pages onto which the sheet is fitted; 0 is as many as it needs. */
  pages: { across: number; down: number };
  /** A line above each page. */
  heading?: string | undefined;
}

/** Excel's limit on a page's header, its codes included (Microsoft, "Excel specifications and limits"). */
const mostCharacters = 255;

/**
 * Sets up how a sheet is printed, with its name, the page of all pages ("Page 1 of 2") and the day of printing below. Excel refuses some of
 * this while another workbook is in front (excel-add-ins-troubleshooting.md); the sheet then stays without it.
 */
export async function setUpPrint(
  context: Excel.RequestContext,
  { pageLayout }: Excel.Worksheet,
  { orientation, area, titleRows, titleColumns, pages, heading }: PrintPlan,
): Promise<void> {
  pageLayout.orientation = orientation;
  pageLayout.setPrintArea(area);
  if (titleRows !== undefined) pageLayout.setPrintTitleRows(titleRows);
  if (titleColumns !== undefined) pageLayout.setPrintTitleColumns(titleColumns);
  pageLayout.zoom = { horizontalFitToPages: pages.across, verticalFitToPages: pages.down };
  await context.sync().catch(() => undefined);
  const page = pageLayout.headersFooters.defaultForAllPages;
  page.leftFooter = "&A";
  page.centerFooter = "Page &P of &N";
  page.rightFooter = "RegData, &D";
  if (heading !== undefined) page.leftHeader = headerText(heading);
  await context.sync().catch(() => undefined);
}

/** A text as a page's header shows it, cut to what Excel takes. */
function headerText(text: string): string {
  const room = mostCharacters - "&L".length;
  // An ampersand begins a code, and two of them are one.
  const escaped = (cut: string) => cut.replaceAll("&", "&&");
  if (escaped(text).length <= room) return escaped(text);
  const characters = [...text];
  while (escaped(`${characters.join("")}…`).length > room) characters.pop();
  return escaped(`${characters.join("")}…`);
}
