import type { ClassName, Members } from "./objects/object-model";

/**
 * The minor version of ExcelApi that introduced each member that the add-in uses, by wire name, even if the workbench lacks the member.
 * Members that every Excel under the add-in has are left out. `test/office-apis.test.ts` compares the list with Microsoft's types.
 */
export const newerMembers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Note: { Content: 18, Delete: 18 },
  NoteCollection: { Add: 18, GetItemOrNullObject: 18 },
  Range: {
    HasSpill: 12,
    GetSpillParentOrNullObject: 12,
    GetSpillingToRange: 12,
    GetSpillingToRangeOrNullObject: 12,
    GetMergedAreasOrNullObject: 13,
    GetDirectDependents: 13,
    ValuesAsJson: 16,
  },
  Table: { Resize: 13 },
  WorkbookRangeAreas: { Ranges: 12 },
  Worksheet: { Notes: 18 },
};

/** Removes from an object the members that an Excel with this ExcelApi lacks. Requests for them then fail as for any unknown member. */
export function knownTo(excelApi: string, className: ClassName, members: Members): Members {
  const minor = Number(excelApi.split(".")[1]);
  const { properties, links, objects, calls } = members;
  for (const [name, since] of Object.entries(newerMembers[className] ?? {})) {
    if (since > minor) for (const part of [properties, links, objects, calls]) delete part?.[name];
  }
  return members;
}
