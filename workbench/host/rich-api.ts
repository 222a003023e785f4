import * as z from "zod/mini";
import { formatAddress, MAX_COLUMNS, MAX_ROWS, parseAddress } from "../address";
import type { SpreadsheetEvent } from "../spreadsheet";
import { conditionalFormatClasses } from "./objects/conditional-formats";
import { drawingClasses } from "./objects/drawing-objects";
import { namedItemClasses } from "./objects/named-items";
import { HostError, known, notModelled } from "./host-error";
import { joinWrites } from "./objects/join-writes";
import { knownTo, newerMembers } from "./newer-members";
import { found, integer, mustNotBeProtected, text } from "./objects/object-model";
import type { Classes, ClassName, Family, Members, Model, Ref } from "./objects/object-model";
import { rangeClasses } from "./objects/range-object";
import { serviceClasses, services } from "./host-services";
import { autoFillFamily } from "./objects/ranges/auto-fill";
import { chartPartFamily } from "./objects/chart-parts";
import { applicationFamily } from "./objects/book/application";
import { documentPropertyFamily } from "./objects/book/document-properties";
import { functionFamily } from "./objects/book/functions";
import { bindingFamily } from "./objects/book/bindings";
import { settingFamily } from "./objects/book/settings";
import { cellPropertyFamily } from "./objects/ranges/cell-properties";
import { cellStyleFamily } from "./objects/ranges/cell-styles";
import { styleFamily } from "./objects/book/styles";
import { hiddenLineFamily } from "./objects/ranges/hidden-lines";
import { dependencyFamily } from "./objects/ranges/dependencies";
import { duplicateFamily } from "./objects/ranges/duplicates";
import { finerFormatFamily } from "./objects/ranges/finer-format";
import { visibleViewFamily } from "./objects/ranges/visible-view";
import { insertedSheetFamily } from "./objects/sheets/inserted-sheets";
import { autoFilterFamily, sheetAutoFilter } from "./objects/sheets/auto-filter";
import { levelsOf, outlineAxes, outlineFamily } from "./objects/sheets/outline";
import { pageSetupFamily } from "./objects/sheets/page-setup";
import { sheetOrderFamily } from "./objects/sheets/sheet-order";
import { sheetViewFamily } from "./objects/sheets/sheet-view";
import { copyFamily } from "./objects/ranges/range-copy";
import { rangeFormFamily } from "./objects/ranges/range-forms";
import { edgeFamily } from "./objects/ranges/range-edges";
import { searchFamily } from "./objects/ranges/range-search";
import { specialCellFamily } from "./objects/ranges/special-cells";
import { rangeFormatClasses } from "./objects/range-format";
import { sortClasses } from "./objects/tables/sorting";
import { tableColumnClasses } from "./objects/tables/table-columns";
import { filterClasses, tableAutoFilter } from "./objects/tables/table-filters";
import { tableClasses } from "./objects/tables/table-objects";
import { tableRowClasses } from "./objects/tables/table-rows";
import { lacksUndo, UNDO_GROUPS_SET } from "./objects/undo";
import { workbookClasses } from "./objects/workbook-objects";
import { stateClasses } from "./workbook-state";

/** The numbers of office.js's request format (ObjectPathType and ActionType). */
const Path = {
  root: 1,
  service: 2,
  method: 3,
  property: 4,
  indexer: 5,
  reference: 6,
  nullObject: 7,
} as const;
const Act = { instantiate: 1, query: 2, call: 3, set: 4, trace: 5 } as const;

const argumentInfo = z.object({
  Arguments: z._default(z.array(z.unknown()), []),
  /** In the place of an argument that is an object: the id of its path. */
  ReferencedObjectPathIds: z.nullish(z.array(z.unknown())),
});
/** Strict, so that `$expand`, `$top` and `$skip`, which are not modeled, are refused by name. */
const queryInfo = z.strictObject({ Select: z._default(z.array(z.string()), []) });
const objectPath = z.object({
  ObjectPathType: z.number(),
  Name: z.string(),
  ParentObjectPathId: z.optional(z.number()),
  ArgumentInfo: z.optional(argumentInfo),
});
const action = z.object({
  Id: z.number(),
  ActionType: z.number(),
  Name: z.string(),
  ObjectPathId: z.number(),
  ArgumentInfo: z.optional(argumentInfo),
  QueryInfo: z._default(queryInfo, { Select: [] }),
});
const requestBody = z.object({ Actions: z.array(action), ObjectPaths: z.record(z.string(), objectPath) });

type ArgumentInfo = z.infer<typeof argumentInfo> | undefined;
type Action = z.infer<typeof action>;

interface ResponseBody {
  Results: { ActionId: number; Value: unknown }[];
  TraceIds: number[];
  Error?: { Code: string; Message: string; Location: string; HttpStatusCode: number; ActionIndex: number };
}

const classes: Partial<Classes<ClassName>> = {
  ...workbookClasses,
  ...namedItemClasses,
  ...rangeClasses,
  ...rangeFormatClasses,
  ...tableClasses,
  ...tableRowClasses,
  ...tableColumnClasses,
  ...sortClasses,
  ...filterClasses,
  AutoFilter: (self, model) =>
    self.sheetId === undefined ? tableAutoFilter(self.tableId, model) : sheetAutoFilter(self.sheetId, model),
  ...drawingClasses,
  ...conditionalFormatClasses,
  ...serviceClasses,
  ...stateClasses,
};

/** Members by their subject: each adds to the classes above. */
const families: readonly Family<ClassName>[] = [
  searchFamily,
  edgeFamily,
  specialCellFamily,
  autoFillFamily,
  finerFormatFamily,
  dependencyFamily,
  duplicateFamily,
  visibleViewFamily,
  copyFamily,
  rangeFormFamily,
  cellStyleFamily,
  cellPropertyFamily,
  styleFamily,
  applicationFamily,
  documentPropertyFamily,
  functionFamily,
  sheetOrderFamily,
  insertedSheetFamily,
  sheetViewFamily,
  autoFilterFamily,
  outlineFamily,
  hiddenLineFamily,
  pageSetupFamily,
  settingFamily,
  bindingFamily,
  chartPartFamily,
];

/** Methods whose work depends on the values of cells: formulas that an earlier request wrote are calculated before. */
const valueReaders =
  /^(?:Apply|CopyFrom|Find\w*|Reapply|Sum|VLookup|GetSpecialCells\w*|GetVisibleView|RemoveDuplicates|ReplaceAll)$/;

/** Calls that change cells, which a protected sheet refuses. */
const changingCalls = new Set([
  "Range.Clear",
  "Range.CopyFrom",
  "Range.Delete",
  "Range.ReplaceAll",
  "Range.SetCellProperties",
]);
/** The same of methods that give an object. */
const changingObjects = new Set(["Range.Insert"]);

/** Methods that change nothing in the workbook, by how their names begin. */
const reading = /^(_|Get|Activate|Calculate|Select$|Suspend)/;
/** Classes whose members change nothing in the workbook. */
const outsideWorkbook =
  /^(Runtime$|CustomFunctions|AppRuntime|AddinInternal|DynamicRibbon|Ribbon|Functions$)/;

const memberGroups = ["properties", "links", "objects", "calls"] as const;

/** All members of an object: those of its class, and those that families add. Each reads its own kind of reference. */
export function membersOf(ref: Ref, model: Model, sources = [classes, ...families]): Members {
  const parts = sources.flatMap((source) => source[ref.type]?.(ref as never, model) ?? []);
  const [own = {}, ...others] = parts;
  const members: Members = others.length === 0 ? own : Object.assign({}, ...parts);
  for (const group of others.length === 0 ? [] : memberGroups)
    Object.assign(members, { [group]: Object.assign({}, ...parts.map((part) => part[group])) });
  const { excelApi } = model;
  return excelApi === undefined || !newerMembers[ref.type] ? members : knownTo(excelApi, ref.type, members);
}

/** The members of an object's class alone. They take a fraction of the time of all. */
function ownMembersOf(ref: Ref, model: Model): Members {
  const home = [classes, ...families].find((source) => source[ref.type]);
  return membersOf(ref, model, home ? [home] : []);
}

/** Gives an object's members among which all of these names are, as far as it has them. Without names, those of its class. */
type MembersFor = (ref: Ref, names: readonly string[]) => Members;

/**
 * Executes request bodies of the Rich API (JSON text, see `OfficeExtension.ClientRequestContext`): actions in
 * their order up to the first that fails, whose error office.js turns into an `OfficeExtension.Error`.
 */
export function createRichApi(parts: Model): {
  /** `isUndoGroup`: the request belongs to a group of undo. */
  execute(body: string, isUndoGroup?: boolean): Promise<ResponseBody>;
  /** A range that the add-in holds follows its cells, as in Excel. */
  follow(moved: Extract<SpreadsheetEvent, { kind: "moved" }>): void;
} {
  const spreadsheet = joinWrites(parts.spreadsheet);
  const model = { ...parts, spreadsheet };
  const tracked = new Map<string, Ref | null>();
  let lastReference = 0;

  const own = madeOnce((ref) => ownMembersOf(ref, model));
  const all = madeOnce((ref) => membersOf(ref, model));
  const membersFor: MembersFor = (ref, names) => {
    const members = own(ref);
    const isOwn = (name: string) => memberGroups.some((group) => members[group]?.[name] !== undefined);
    return names.every(isOwn) ? members : all(ref);
  };

  /**
   * Excel refuses in a group what it can't undo; outside of one, the call empties the user's own list of undo
   * (excel-add-ins-undo-capabilities.md).
   */
  function mustBeUndoable(member: string, isUndoGroup: boolean): void {
    if (Number(parts.excelApi?.split(".")[1] ?? UNDO_GROUPS_SET) < UNDO_GROUPS_SET) return;
    if (!lacksUndo(member, parts.undo ?? "web")) return;
    if (isUndoGroup) throw new HostError("UndoNotSupported", member);
    parts.shell.undoStackCleared();
  }

  /** Excel names no other error for a workbook that is open for reading only: the strict assumption is that it refuses each change. */
  function mustBeOpenForEditing(type: Ref["type"], method?: string): void {
    if (!parts.document.isReadOnly || outsideWorkbook.test(type)) return;
    if (method === undefined || !reading.test(method))
      throw new HostError("AccessDenied", "no change is accepted");
  }

  async function execute(body: string, isUndoGroup = false): Promise<ResponseBody> {
    const request = requestBody.parse(JSON.parse(body));
    const resolved = new Map<number, Ref | null>();
    const referenceIds = new Map<number, string>();
    const response: ResponseBody = { Results: [], TraceIds: [] };
    /** Their values, and the ranges into which they spill, are read only when they are calculated. */
    const writesFormulas = body.includes('"=');

    const resolve = (pathId: number): Ref | null => {
      if (!resolved.has(pathId)) resolved.set(pathId, stillThere(follow(pathId)));
      return resolved.get(pathId) ?? null;
    };

    /** Objects on a deleted sheet are deleted with it. */
    const stillThere = (ref: Ref | null): Ref | null => {
      const sheetId = ref && sheetOf(ref);
      if (sheetId && !parts.spreadsheet.sheets().some(({ id }) => id === sheetId))
        throw new HostError("ItemNotFound", "the sheet is gone");
      return ref;
    };

    const follow = (pathId: number): Ref | null => {
      const { ObjectPathType, Name, ParentObjectPathId, ArgumentInfo } = found(request.ObjectPaths[pathId]);
      if (ObjectPathType === Path.root) return { type: "Workbook" };
      if (ObjectPathType === Path.service) return known(services[Name], Name);
      if (ObjectPathType === Path.nullObject) return null;
      if (ObjectPathType === Path.reference) {
        referenceIds.set(pathId, Name);
        return found(tracked.get(Name));
      }
      const parent = resolve(integer(ParentObjectPathId));
      if (!parent) return null;
      const { links, objects, item } = membersFor(parent, [Name]);
      const member = `${parent.type}.${Name}`;
      if (ObjectPathType === Path.property) return known(links?.[Name], member)();
      const isItem = Name === "GetItemOrNullObject" && item;
      // Some collections send getItem as a method.
      if (ObjectPathType === Path.method && Name === "GetItem" && item)
        return found(item(args(ArgumentInfo)[0]));
      if (ObjectPathType === Path.method) mustBeUndoable(member, isUndoGroup);
      if (ObjectPathType === Path.method) mustBeOpenForEditing(parent.type, Name);
      if (changingObjects.has(member)) mustNotBeProtected(sheetOf(parent), model);
      if (ObjectPathType === Path.method)
        return (isItem || known(objects?.[Name], member))(...args(ArgumentInfo));
      if (ObjectPathType !== Path.indexer) throw notModelled(`object path type ${ObjectPathType}`);
      return found(known(item, `${parent.type}.getItem`)(args(ArgumentInfo)[0]));
    };

    const args = (info: ArgumentInfo): unknown[] => {
      const place = (value: unknown, pathId: unknown): unknown =>
        Array.isArray(pathId) && Array.isArray(value)
          ? value.map((each, index) => place(each, pathId[index]))
          : typeof pathId === "number" && pathId !== 0
            ? resolve(pathId)
            : value;
      return info?.Arguments.map((value, index) => place(value, info.ReferencedObjectPathIds?.[index])) ?? [];
    };

    const reference = (pathId: number) => {
      const id = referenceIds.get(pathId);
      return id === undefined ? {} : { _ReferenceId: id };
    };

    const instantiate = (pathId: number) => {
      const ref = resolve(pathId);
      if (!ref) return null;
      const { id } = membersFor(ref, []);
      return { ...(id === undefined ? {} : { Id: id }), ...reference(pathId) };
    };

    /** The calls about tracking that every object takes. */
    const track = (pathId: number, ref: Ref): NonNullable<Members["calls"]> => ({
      _KeepReference() {
        if (referenceIds.has(pathId)) return;
        const id = `r${++lastReference}`;
        tracked.set(id, ref);
        referenceIds.set(pathId, id);
      },
      _RemoveReference: (id) => void tracked.delete(text(id)),
    });

    const perform = ({ ActionType, Name, ObjectPathId, ArgumentInfo, QueryInfo }: Action): unknown => {
      if (ActionType === Act.trace) return null;
      if (ActionType === Act.instantiate) return instantiate(ObjectPathId);
      const ref = resolve(ObjectPathId);
      // As in Excel, actions on a null object are skipped.
      if (!ref) return null;
      if (ActionType === Act.query)
        return { ...query(ref, QueryInfo.Select, membersFor), ...reference(ObjectPathId) };
      const tracking = ActionType === Act.call ? track(ObjectPathId, ref)[Name] : undefined;
      if (tracking) return tracking(...args(ArgumentInfo));
      const member = `${ref.type}.${Name}`;
      const { properties, calls } = membersFor(ref, [Name]);
      if (ActionType === Act.call || ActionType === Act.set) mustBeUndoable(member, isUndoGroup);
      if (ActionType === Act.call) mustBeOpenForEditing(ref.type, Name);
      if (ActionType === Act.set) mustBeOpenForEditing(ref.type);
      if (ActionType === Act.call) {
        if (changingCalls.has(member)) mustNotBeProtected(sheetOf(ref), model);
        return known(calls?.[Name], member)(...args(ArgumentInfo));
      }
      if (ActionType !== Act.set) throw notModelled(`action type ${ActionType} on ${ref.type}`);
      if (ref.type.startsWith("Range")) mustNotBeProtected(sheetOf(ref), model);
      return known(properties?.[Name]?.set, `setting ${member}`)(args(ArgumentInfo)[0]);
    };

    for (const [index, next] of request.Actions.entries()) {
      try {
        const { ActionType: type, Name, ObjectPathId: pathId } = next;
        const member = type === Act.call ? Name : (request.ObjectPaths[pathId]?.Name ?? "");
        const readsResults = writesFormulas && (type === Act.query || /Spill/.test(member));
        if (readsResults || valueReaders.test(member)) await spreadsheet.calculated();
        response.Results.push({ ActionId: next.Id, Value: perform(next) ?? null });
        if (next.ActionType === Act.trace) response.TraceIds.push(next.Id);
      } catch (cause) {
        const error = cause instanceof HostError ? cause : new HostError("GeneralException", String(cause));
        if (error.code === "ApiNotFound" || cause !== error) model.shell.report(error.message);
        const { code: Code, message: Message, status: HttpStatusCode } = error;
        response.Error = { Code, Message, Location: next.Name, HttpStatusCode, ActionIndex: index };
        break;
      }
    }
    // Writes that came before a failure stay, so they are flushed as well.
    spreadsheet.flush();
    return response;
  }

  function follow({ sheetId, follow: placeOf }: Extract<SpreadsheetEvent, { kind: "moved" }>) {
    for (const [id, ref] of tracked) {
      if (ref?.type !== "Range" || ref.sheetId !== sheetId) continue;
      const rect = placeOf(ref.rect);
      tracked.set(id, rect && { ...ref, rect });
    }
    for (const [id, binding] of model.document.bindings)
      if (binding.sheetId === sheetId && binding.rect)
        model.document.bindings.set(id, { ...binding, rect: placeOf(binding.rect) });
    for (const axis of outlineAxes) {
      const levels = levelsOf(sheetId, axis, model);
      const before = Object.entries(levels.get());
      if (before.length === 0) continue;
      const whole = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
      const lineOf = (line: number) => placeOf({ ...whole, [axis]: line, [`${axis}s`]: 1 })?.[axis];
      levels.set(
        Object.fromEntries(
          before.flatMap(([line, level]) => {
            const now = lineOf(Number(line));
            return now === undefined ? [] : [[now, level]];
          }),
        ),
      );
    }
    const { printSetups } = model.document;
    const setup = printSetups.get(sheetId);
    const printed = setup?.area === undefined ? null : parseAddress(setup.area);
    const area = printed && placeOf(printed.rect);
    if (area) printSetups.set(sheetId, { ...setup, area: formatAddress(null, area) });
  }

  return { execute, follow };
}

/** Names that ask for no property; Microsoft's own samples write the second one (Word-Add-in-Angular2-StyleChecker, office-js-snippets). */
const noProperties = ["_ReferenceId", "NoPropertiesNeeded"];

/** Names that no Excel has, and that snippets of Microsoft ask for all the same (currency-converter, chart-axis): Excel gives nothing then. */
const unknownToExcel: Partial<Record<ClassName, readonly string[]>> = {
  TableRow: ["Value"],
  ChartAxis: ["Text"],
};

/** A reference never changes, so its members are made once. */
function madeOnce(make: (ref: Ref) => Members): (ref: Ref) => Members {
  const made = new WeakMap<Ref, Members>();
  return (ref) => {
    const members = made.get(ref) ?? make(ref);
    made.set(ref, members);
    return members;
  };
}

/** The properties that `load` asked for: names as typed, nested with "/"; without names, or with "*", all scalar properties. */
function query(ref: Ref, names: string[], membersFor: MembersFor): Record<string, unknown> {
  const wanted = names.length === 0 ? ["*"] : names.map((path) => wireName(path.split(/[/.]/)[0] ?? ""));
  const { properties = {}, links = {}, items } = membersFor(ref, wanted);
  if (items) {
    // A collection has a few properties of its own, such as its count. All other names are read from its items.
    const own = names.map(wireName).filter((name) => properties[name]?.get);
    const ofItems = names.filter((name) => !own.includes(wireName(name)));
    const values = Object.fromEntries(own.map((name) => [name, properties[name]?.get?.()]));
    if (own.length > 0 && ofItems.length === 0) return values;
    const loaded = items().map((item) => ({
      ...query(item, ofItems, membersFor),
      Id: membersFor(item, []).id,
    }));
    return { ...values, _Items: loaded };
  }
  const readsAll = names.length === 0 || names.includes("*");
  const scalars = readsAll ? Object.keys(properties).filter((name) => properties[name]?.get) : [];
  const nested = new Map<string, string[]>();
  for (const path of names.filter((name) => name !== "*" && !noProperties.includes(name))) {
    const [first = "", ...rest] = path.split(/[/.]/);
    const name = wireName(first);
    if (unknownToExcel[ref.type]?.includes(name)) continue;
    if (rest.length === 0 && !(name in links)) scalars.push(name);
    else nested.set(name, [...(nested.get(name) ?? []), ...(rest.length > 0 ? [rest.join("/")] : [])]);
  }
  const values = scalars.map((name) => [name, known(properties[name]?.get, `${ref.type}.${name}`)()]);
  const linked = [...nested].map(([name, inside]) => {
    const link = known(links[name], `${ref.type}.${name}`)();
    return [name, query(link, inside, membersFor)];
  });
  return Object.fromEntries([...values, ...linked]) as Record<string, unknown>;
}

/** The id of an object's sheet; undefined if it belongs to no sheet. */
function sheetOf(ref: Ref): string | undefined {
  return "sheetId" in ref && typeof ref.sheetId === "string" ? ref.sheetId : undefined;
}

function wireName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
