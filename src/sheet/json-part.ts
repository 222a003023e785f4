/** A custom XML part that holds JSON. What XML can't hold is written as JSON's own escapes. */
export function jsonPart(element: string, namespace: string, content: object): string {
  const json = JSON.stringify(content).replace(
    /[<>&\u007f-\u009f\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `<${element} xmlns="${namespace}">${json}</${element}>`;
}

/** Larger ones come from nobody who means well. */
const mostCharacters = 5_000_000;

/** What such a part holds, as anybody may have written it; undefined where it is none. */
export function readJsonPart(element: string, xml: string): unknown {
  if (xml.length > mostCharacters) return undefined;
  const form = new RegExp(`<(?:\\w+:)?${element}\\b[^<>]*>([^<]*)</(?:\\w+:)?${element}>\\s*$`);
  const [, text] = form.exec(xml) ?? [];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&apos;", "'"));
  } catch {
    return undefined;
  }
}
