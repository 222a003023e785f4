import { addFilledSheet } from "../tables/filled-sheet";
import { cellText } from "../values/cell-value";
import type { Workbook } from "../workbook";

/** A picture on a new sheet, below lines of text. */
export interface PicturePlan {
  /** A PNG in Base64, without "data:" before it. */
  base64: string;
  /** A description of the picture for people who can't see it. */
  altText: string;
  /** The name that the sheet gets if no other sheet has it. */
  sheetName: string;
  /** The lines above the picture; the first one is its title. */
  lines: readonly string[];
  /** The width in points; the height follows from it. */
  width: number;
}

const pointsPerRow = 15;

/**
 * Adds a sheet with a picture, shows it, and returns its name. If a step fails, the sheet is deleted again; see
 * `addFilledSheet`. Fails with the workbook's kinds.
 */
export function insertPicture({ run }: Pick<Workbook, "run">, plan: PicturePlan): Promise<string> {
  const { base64, altText, lines, width } = plan;
  return run(async (context) => {
    const rows = lines.map((line) => [{ value: cellText(line), numberFormat: "@" }]);
    const { sheet, name } = await addFilledSheet(context, { name: plan.sheetName, rows }, (added) => {
      if (lines.length > 0) added.sheet.getRangeByIndexes(0, 0, 1, 1).format.font.bold = true;
      const picture = added.sheet.shapes.addImage(base64);
      picture.altTextTitle = lines[0] ?? added.name;
      picture.altTextDescription = altText;
      picture.lockAspectRatio = true;
      picture.left = 0;
      picture.top = (lines.length + 1) * pointsPerRow;
      picture.width = width;
      added.sheet.pageLayout.orientation = "Landscape";
    });
    sheet.activate();
    // While another workbook is in front, Excel can't show the sheet (excel-add-ins-troubleshooting.md); the picture is on it all the same.
    await context.sync().catch(() => undefined);
    return name;
  });
}
