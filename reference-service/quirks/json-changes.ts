/** Changes the tree of a JSON answer. It copies instead of changing in place, and lazy lists stay lazy. */
import { isList } from "../http/json-text";

export type Fields = Record<string, unknown>;

function* lazily<From, To>(list: Iterable<From>, change: (item: From) => To): Generator<To> {
  for (const item of list) yield change(item);
}

/** Changes every object of the tree, inner ones first. `name` is the field that holds the object, alone or in a list. */
export function withObjects<Tree>(tree: Tree, change: (fields: Fields, name: string) => Fields): Tree {
  function changed(node: unknown, name: string): unknown {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map((item) => changed(item, name));
    if (isList(node)) return lazily(node, (item) => changed(item, name));
    return change(
      withFields(node, (value, field) => changed(value, field)),
      name,
    );
  }
  return changed(tree, "") as Tree;
}

/** Changes the value of each field. */
export function withFields(fields: object, change: (value: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));
}

/** Swaps neighbors: the first item comes second, and so on. */
export function* swapped<Item>(list: Iterable<Item>): Generator<Item> {
  let held: { item: Item } | undefined;
  for (const item of list) {
    if (held === undefined) held = { item };
    else {
      yield item;
      yield held.item;
      held = undefined;
    }
  }
  if (held !== undefined) yield held.item;
}

/** Repeats the first item, and each tenth item after it. */
export function* repeated<Item>(list: Iterable<Item>): Generator<Item> {
  let at = 0;
  for (const item of list) {
    yield item;
    if (at % 10 === 0) yield item;
    at += 1;
  }
}
