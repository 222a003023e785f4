import * as z from "zod/mini";
import { HostError } from "./host-error";

const savedDocument = z.object({
  settings: z.array(z.tuple([z.string(), z.string()])),
  customXmlParts: z.array(z.object({ id: z.string(), xml: z.string() })),
  loadsWithDocument: z.boolean(),
});

/** What the file carries besides its cells. JSON. */
export type SavedDocument = z.infer<typeof savedDocument>;

/** The parts of the file that no cell shows: the add-in's settings and custom XML. */
export interface WorkbookDocument {
  /** Name to JSON text. `Office.context.document.settings` and `workbook.settings` are one. */
  readonly settings: Map<string, string>;
  readonly customXmlParts: Map<string, string>;
  /** `Office.addin.setStartupBehavior`: whether the add-in starts when the file opens. */
  loadsWithDocument: boolean;
  addCustomXml(xml: string): string;
  save(): SavedDocument;
  open(saved: unknown): void;
}

export function createDocument(): WorkbookDocument {
  const settings = new Map<string, string>();
  const customXmlParts = new Map<string, string>();
  return {
    settings,
    customXmlParts,
    loadsWithDocument: false,
    addCustomXml(xml) {
      rootNamespace(xml);
      const id = `{${crypto.randomUUID().toUpperCase()}}`;
      customXmlParts.set(id, xml);
      return id;
    },
    save() {
      const parts = [...customXmlParts].map(([id, xml]) => ({ id, xml }));
      return { settings: [...settings], customXmlParts: parts, loadsWithDocument: this.loadsWithDocument };
    },
    open(saved) {
      const file = savedDocument.parse(saved);
      settings.clear();
      customXmlParts.clear();
      for (const [name, json] of file.settings) settings.set(name, json);
      for (const { id, xml } of file.customXmlParts) customXmlParts.set(id, xml);
      this.loadsWithDocument = file.loadsWithDocument;
    },
  };
}

/** The namespace of the root element, "" when it has none. Text without a root element is refused. */
export function rootNamespace(xml: string): string {
  const root =
    /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<(?:([\w.-]+):)?[\w.-]+((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/.exec(
      xml,
    );
  if (!root) throw new HostError("InvalidArgument", "not an XML document");
  const [, prefix, attributes = ""] = root;
  const name = prefix === undefined ? "xmlns" : `xmlns:${prefix}`;
  for (const [, attribute, double, single] of attributes.matchAll(
    /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    if (attribute === name) return double ?? single ?? "";
  return "";
}
