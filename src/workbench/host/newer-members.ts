import type { ClassName, Members } from "./object-model";

/**
 * The minor version of ExcelApi that brought a member, by wire name; what is not here any Excel has that the add-in runs
 * in. `test/office-apis.test.ts` holds it to Microsoft's types.
 */
export const newerMembers: { [Name in ClassName]?: Readonly<Record<string, number>> } = {
  Workbook: { Comments: 10 },
  Range: {
    HasSpill: 12,
    GetSpillParentOrNullObject: 12,
    GetSpillingToRangeOrNullObject: 12,
    GetMergedAreasOrNullObject: 13,
  },
  Table: { Resize: 13 },
};

/** What an Excel with this ExcelApi offers of an object: asked for the rest, it fails as for what it never heard of. */
export function knownTo(excelApi: string, className: ClassName, members: Members): Members {
  const minor = Number(excelApi.split(".")[1]);
  const newer = new Set(
    Object.entries(newerMembers[className] ?? {}).flatMap(([name, since]) => (since > minor ? [name] : [])),
  );
  if (newer.size === 0) return members;
  const isKnown = ([name]: [string, unknown]) => !newer.has(name);
  const known = <Part>(part: Record<string, Part> | undefined) =>
    part && Object.fromEntries(Object.entries(part).filter(isKnown));
  const { properties, links, objects, calls, ...others } = members;
  return {
    ...others,
    ...{ properties: known(properties), links: known(links), objects: known(objects), calls: known(calls) },
  };
}
