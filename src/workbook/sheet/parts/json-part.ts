/** A custom XML part that holds JSON. Characters that XML can't hold are written as JSON escapes. For `replace`, see JSON.stringify. */
export function jsonPart(
  element: string,
  namespace: string,
  content: object,
  replace?: (key: string, value: unknown) => unknown,
): string {
  const json = JSON.stringify(content, replace).replace(
    /[<>&\u007f-\u009f\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `<${element} xmlns="${namespace}">${json}</${element}>`;
}

/** The largest part that is read. The add-in writes no larger ones, so a larger part may be meant to do harm. */
export const mostPartCharacters = 5_000_000;
/** The deepest nesting that is read. Deeper content could overflow the stack of recursive functions and end the pane. */
const mostDepth = 20;

/**
 * The content of a part. Anybody may have written it, so it is of unknown form. Undefined if the part does not hold readable JSON of this
 * element.
 */
export function readJsonPart(element: string, xml: string): unknown {
  if (xml.length > mostPartCharacters) return undefined;
  const form = new RegExp(`<(?:\\w+:)?${element}\\b[^<>]*>([^<]*)</(?:\\w+:)?${element}>\\s*$`);
  const [, text] = form.exec(xml) ?? [];
  if (text === undefined) return undefined;
  const json = text.replaceAll("&quot;", '"').replaceAll("&apos;", "'");
  if (depthOf(json) > mostDepth) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The depth to which lists and objects are nested. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at];
    if (isInText && mark === "\\") at += 1;
    else if (mark === '"') isInText = !isInText;
    else if (!isInText && (mark === "[" || mark === "{")) deepest = Math.max(deepest, (depth += 1));
    else if (!isInText && (mark === "]" || mark === "}")) depth -= 1;
  }
  return deepest;
}
