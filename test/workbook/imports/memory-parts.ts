import type { Workbook } from "../../../src/workbook/sheet/workbook";

/** The custom XML parts of a workbook in memory. `refuses` makes Excel refuse the next writes. */
export function memoryParts(...xml: string[]) {
  const parts = new Map(xml.map((text, index) => [`part ${index}`, text]));
  const excel = { refuses: false };
  let count = xml.length;
  const workbook: Pick<Workbook, "readParts" | "readPart" | "writePart" | "deletePart"> = {
    readPart: (id) => Promise.resolve(parts.get(id) ?? null),
    readParts: (namespace) =>
      Promise.resolve(
        [...parts].flatMap(([id, text]) =>
          text.includes(`xmlns="${namespace}"`) ? [{ id, xml: text }] : [],
        ),
      ),
    writePart(id, text) {
      if (excel.refuses) return Promise.reject(new Error("refused"));
      const at = id !== null && parts.has(id) ? id : `part ${(count += 1)}`;
      parts.set(at, text);
      return Promise.resolve(at);
    },
    deletePart: (id) => Promise.resolve(void parts.delete(id)),
  };
  return { ...workbook, excel, parts, texts: () => [...parts.values()] };
}
