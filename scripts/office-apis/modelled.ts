import { createObjectEvents } from "../../workbench/host/objects/object-events";
import type { Model, Ref } from "../../workbench/host/objects/object-model";
import { membersOf } from "../../workbench/host/rich-api";

/** Anything at all: only what is offered is looked at, nothing is done. */
const anything: never = new Proxy((() => undefined) as object, {
  get: (_target, name) => (name === Symbol.iterator ? () => [][Symbol.iterator]() : anything),
  apply: () => anything,
}) as never;

const model: Model = {
  spreadsheet: anything,
  document: anything,
  events: createObjectEvents(
    anything,
    () => undefined,
    () => false,
  ),
  shell: anything,
  functions: anything,
};
const place = { row: 0, column: 0, rows: 1, columns: 1 };
const someObject = {
  sheetId: "",
  rect: place,
  rects: [place],
  tableId: "",
  index: 0,
  partId: "",
  name: "",
  key: "",
};

/** Whether the workbench plays a member of one of Excel's objects, such as `Range` and `values`. */
export function isModelled(className: string, member: string): boolean {
  const type = className.replace("ScopedCollection", "Collection");
  const objects = [someObject, { ...someObject, areas: [place] }].map(
    (one) => ({ ...one, type }) as unknown as Ref,
  );
  return objects.some((object) => offers(object, member));
}

function offers(object: Ref, member: string): boolean {
  let offered;
  try {
    offered = membersOf(object, model);
  } catch {
    return false;
  }
  const { properties, links, objects, calls, items, item } = offered;
  const name = member.charAt(0).toUpperCase() + member.slice(1);
  if (/^GetItem(OrNullObject)?$/.test(name) && item) return true;
  if (name === "Items") return items !== undefined;
  const event = `_Register${name.replace(/^On/, "")}Event`;
  return [properties, links, objects, calls].some((part) => part && (name in part || event in part));
}
