/** A new id of a sheet or table as Excel makes them: a GUID in braces, which its file keeps. */
export function newGuid(): string {
  return `{${crypto.randomUUID().toUpperCase()}}`;
}

export function isGuid(id: string): boolean {
  return /^\{[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}\}$/i.test(id);
}

/** Excel's id of a workbook's first sheet when no file gives it another. */
export const firstSheetId = "{00000000-0001-0000-0000-000000000000}";
