import { freeSheetName } from "../layout/sheet-name";
import { cellText } from "../values/cell-value";
import type { Workbook } from "../workbook";
import { mayWrite } from "../write-access";

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
  width?: number | undefined;
}

const [pointsPerRow, defaultWidth] = [15, 640];

/**
 * Adds a sheet with a picture, shows it, and returns its name. If a step fails, the sheet is deleted again. Fails with the workbook's
 * kinds.
 */
export function insertPicture({ run }: Pick<Workbook, "run">, plan: PicturePlan): Promise<string> {
  const { base64, altText, lines, width = defaultWidth } = plan;
  return run(async (context) => {
    await mayWrite(context);
    const sheets = context.workbook.worksheets.load("items/name");
    await context.sync();
    const name = freeSheetName(
      plan.sheetName,
      sheets.items.map((sheet) => sheet.name),
    );
    const sheet = sheets.add(name);
    await context.sync();
    try {
      const texts = sheet.getRangeByIndexes(0, 0, Math.max(1, lines.length), 1);
      texts.numberFormat = lines.length > 0 ? lines.map(() => ["@"]) : [["@"]];
      texts.values = lines.length > 0 ? lines.map((line) => [cellText(line)]) : [[""]];
      texts.getCell(0, 0).format.font.bold = true;
      const picture = sheet.shapes.addImage(base64);
      picture.altTextTitle = lines[0] ?? name;
      picture.altTextDescription = altText;
      picture.lockAspectRatio = true;
      picture.left = 0;
      picture.top = (lines.length + 1) * pointsPerRow;
      picture.width = width;
      sheet.pageLayout.orientation = "Landscape";
      await context.sync();
    } catch (thrown) {
      // The sheet is deleted at once, so nobody else has had the time to write on it.
      sheets.getItem(name).delete();
      await context.sync().catch(() => undefined);
      throw thrown;
    }
    sheet.activate();
    // While another workbook is in front, Excel can't show the sheet (excel-add-ins-troubleshooting.md); the picture is on it all the same.
    await context.sync().catch(() => undefined);
    return name;
  });
}
