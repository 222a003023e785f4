import type { ExcelVersion } from "../launch";

type Platform = ExcelVersion["undo"];

const everywhere: readonly Platform[] = ["web", "desktop"];
const onTheWeb: readonly Platform[] = ["web"];
const onTheDesktop: readonly Platform[] = ["desktop"];

/**
 * Members that can't be undone, by wire name, and the platforms where they can't. Source: Microsoft's list
 * (excel-add-ins-undo-capabilities.md, 9 September 2025). It includes members that the workbench lacks, of the classes that it has.
 */
const withoutUndo: Record<string, readonly Platform[]> = {
  "NamedItem.Comment": onTheWeb,
  "Workbook.Close": everywhere,
  "Workbook.InsertWorksheetsFromBase64": everywhere,
  "Workbook.Save": everywhere,
  "WorkbookProtection.Protect": everywhere,
  "WorkbookProtection.Unprotect": everywhere,
  "Worksheet.Copy": everywhere,
  "Worksheet.Delete": everywhere,
  "Worksheet.Name": onTheDesktop,
  "Worksheet.StandardWidth": onTheWeb,
  "Worksheet.Position": onTheDesktop,
  "Worksheet.Visibility": onTheDesktop,
  "WorksheetCollection.AddFromBase64": everywhere,
  ...Object.fromEntries(
    ["PauseProtection", "Protect", "ResumeProtection", "SetPassword", "Unprotect", "UpdateOptions"].map(
      (name) => [`WorksheetProtection.${name}`, everywhere],
    ),
  ),
  // Reported, not on the list: a write of so many cells that office.js cuts it into pieces, of which this call is the
  // first (OfficeDev/office-js#6491); and looking for merged cells empties the stack (OfficeDev/office-js#5918).
  "Range._ValidateArraySize": everywhere,
  "Range.GetMergedAreasOrNullObject": everywhere,
};

/** True if Excel on this platform can't undo the call of a method, or the setting of a property. */
export function lacksUndo(member: string, platform: Platform): boolean {
  return withoutUndo[member]?.includes(platform) ?? false;
}

/** The ExcelApi that brought groups of undo. */
export const UNDO_GROUPS_SET = 20;

/**
 * The flag of a request that belongs to a group of undo. Which one Microsoft's newer office.js sets is not documented; here
 * it is set by `addUndoGroups` alone.
 */
export const UNDO_GROUP_FLAG = 1 << 20;

interface RunsBatches {
  run(...given: unknown[]): Promise<unknown>;
}
interface Context {
  _requestFlagModifier: number;
}

/**
 * Teaches the npm package's office.js of 2022 the option `mergeUndoGroup` of `Excel.run` (ExcelApi 1.20), which it passes
 * over: it says with each request of such a run that it belongs to a group.
 */
export function addUndoGroups(excel: RunsBatches): void {
  const run = excel.run.bind(excel);
  excel.run = (...given) => {
    const work = given.at(-1);
    if (typeof work !== "function") return run(...given);
    const isGroup = given.some(
      (each) =>
        typeof each === "object" && each !== null && "mergeUndoGroup" in each && each.mergeUndoGroup === true,
    );
    return run(...given.slice(0, -1), (context: Context) => {
      if (isGroup) context._requestFlagModifier |= UNDO_GROUP_FLAG;
      else context._requestFlagModifier &= ~UNDO_GROUP_FLAG;
      return (work as (context: Context) => unknown)(context);
    });
  };
}
