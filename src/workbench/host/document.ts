import * as z from "zod/mini";
import { HostError } from "./host-error";

const savedDocument = z.object({
  settings: z.array(z.tuple([z.string(), z.string()])),
  customXmlParts: z.array(z.tuple([z.string(), z.string()])),
});

/** What the file carries besides its cells. JSON. */
export type SavedDocument = z.infer<typeof savedDocument>;

/** The parts of the file that no cell shows: the add-in's settings and custom XML. */
export interface WorkbookDocument {
  /** Name to JSON text. */
  readonly settings: Map<string, string>;
  /** Id to XML text. */
  readonly customXmlParts: Map<string, string>;
  save(): SavedDocument;
  open(saved: unknown): void;
}

export function createDocument(): WorkbookDocument {
  const settings = new Map<string, string>();
  const customXmlParts = new Map<string, string>();
  return {
    settings,
    customXmlParts,
    save: () => ({ settings: [...settings], customXmlParts: [...customXmlParts] }),
    open(saved) {
      const file = savedDocument.parse(saved);
      settings.clear();
      customXmlParts.clear();
      for (const [name, json] of file.settings) settings.set(name, json);
      for (const [id, xml] of file.customXmlParts) customXmlParts.set(id, xml);
    },
  };
}

/** The namespace of the root element, "" when it has none. Text that is no XML is refused. */
export function rootNamespace(xml: string): string {
  const parsed = new DOMParser().parseFromString(xml, "application/xml");
  if (parsed.querySelector("parsererror")) throw new HostError("InvalidArgument", "not an XML document");
  return parsed.documentElement.namespaceURI ?? "";
}
