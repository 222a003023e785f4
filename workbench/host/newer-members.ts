import type { ClassName, Members } from "./objects/object-model";

/**
 * The minor version of ExcelApi that brought a member which the add-in uses, by wire name, played or not; any Excel that
 * the add-in runs in has the others. `test/office-apis.test.ts` holds it to Microsoft's types.
 */
export const newerMembers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Note: { Content: 18, Delete: 18 },
  NoteCollection: { Add: 18, GetItemOrNullObject: 18 },
  Range: {
    HasSpill: 12,
    GetSpillParentOrNullObject: 12,
    GetSpillingToRangeOrNullObject: 12,
    GetMergedAreasOrNullObject: 13,
    ValuesAsJson: 16,
  },
  Table: { Resize: 13 },
  Worksheet: { Notes: 18 },
};

/** Takes from an object what an Excel with this ExcelApi never heard of: asked for it, it fails as for anything unknown. */
export function knownTo(excelApi: string, className: ClassName, members: Members): Members {
  const minor = Number(excelApi.split(".")[1]);
  const { properties, links, objects, calls } = members;
  for (const [name, since] of Object.entries(newerMembers[className] ?? {})) {
    if (since > minor) for (const part of [properties, links, objects, calls]) delete part?.[name];
  }
  return members;
}
