import { freeSheetName } from "../layout/sheet-name";
import { cellText } from "../values/cell-value";
import type { Workbook } from "../workbook";
import { mayWrite } from "../write-access";

/** A picture on a sheet of its own, below lines of text. */
export interface PicturePlan {
  /** A PNG in Base64, without "data:" before it. */
  base64: string;
  /** What it shows, for those who can't see it. */
  altText: string;
  /** What the sheet is called, as far as the name is free. */
  sheetName: string;
  /** Above the picture: its title first. */
  lines: readonly string[];
  /** In points; its height follows. */
  width?: number | undefined;
}

const [pointsPerRow, defaultWidth] = [15, 640];

/**
 * Adds a sheet with a picture, and shows it. Gives the sheet's name. A sheet that is only half made is taken away again.
 * Fails with the workbook's kinds.
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
      // Nobody else has had the time to write there.
      sheets.getItem(name).delete();
      await context.sync().catch(() => undefined);
      throw thrown;
    }
    sheet.activate();
    // While another workbook is in front, Excel shows no sheet (excel-add-ins-troubleshooting.md); the picture is there.
    await context.sync().catch(() => undefined);
    return name;
  });
}
