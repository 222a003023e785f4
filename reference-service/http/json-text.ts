/** Writes JSON. A list that is no array is lazy: its items are made and written only when they are sent. */
import { streamedText } from "./streamed-text";

export function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** Lazy lists stand only in objects, never in arrays, so arrays are not searched. */
function holdsLazyList(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return isList(value) || Object.values(value).some(holdsLazyList);
}

function* pieces(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) {
    yield JSON.stringify(value);
  } else if (isList(value)) {
    let opening = "[";
    for (const item of value) {
      yield opening + JSON.stringify(item);
      opening = ",";
    }
    yield opening === "[" ? "[]" : "]";
  } else {
    let opening = "{";
    for (const [name, field] of Object.entries(value)) {
      yield `${opening}${JSON.stringify(name)}:`;
      yield* pieces(field);
      opening = ",";
    }
    yield opening === "{" ? "{}" : "}";
  }
}

/** The text of a body, or a stream of its text if it holds a lazy list. */
export function jsonText(body: object): string | ReadableStream<Uint8Array> {
  return holdsLazyList(body) ? streamedText(pieces(body)) : JSON.stringify(body);
}
