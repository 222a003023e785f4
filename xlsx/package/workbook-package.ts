import { defaultLimits, type FileLimits } from "../file-limits";
import { broken, tooLarge, WorkbookFileError } from "../workbook-file-error";
import { refuseOleFile } from "../archive/ole-file";
import { inflated, isZip, type ZipEntry, zipEntries } from "../archive/zip-reader";
import { packedEntry, zipOf } from "../archive/zip-writer";
import { childrenOf, prefixOf, XmlEdits, type XmlElement, xmlTree } from "../xml/xml-tree";
import { xmlAttributes, xmlText } from "../xml/xml-text";
import { partKey, relationshipsPart, relativeTarget, targetPart } from "./part-name";

interface Relationship {
  id: string;
  type: string;
  /** As it stands in the file. */
  target: string;
  isExternal: boolean;
  /** The part that it leads to; null if it leads out of the package. */
  part: string | null;
}

/** The two dialects of the file format, by the beginnings of their namespaces. */
const TRANSITIONAL = {
  main: "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
  relationships: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
};
const STRICT = {
  main: "http://purl.oclc.org/ooxml/spreadsheetml/main",
  relationships: "http://purl.oclc.org/ooxml/officeDocument/relationships",
};

const CONTENT_TYPES = "[Content_Types].xml";
const RELATIONSHIPS_TYPE = "application/vnd.openxmlformats-package.relationships+xml";
const RELATIONSHIPS_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/relationships";
/** Begins each new XML part. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const MOST_RECENT_CHARACTERS = 2 ** 23;

interface Part {
  name: string;
  /** As it was opened; undefined for a part that is new. */
  entry?: ZipEntry;
  /** Its content where that is another than the entry's. */
  changed?: string;
}

/**
 * A workbook's package: parts by name, their content types and relationships. A part that nobody writes keeps its compressed
 * bytes. Parts are inflated when they are read; texts that were read last are kept for a while.
 */
export class WorkbookPackage {
  private readonly parts = new Map<string, Part>();
  private readonly limits: FileLimits;
  /** Bytes of the parts that were read, each once: a small file must not become an endless one part by part. */
  private readonly read = new Map<string, number>();
  private readBytes = 0;
  private isStrict: boolean | undefined;
  /** The trees of parts, some of which are asked for again and again, and about how many characters they are of. */
  private readonly knownTrees = new Map<string, { of: string; root: XmlElement }>();
  private treeCharacters = 0;
  /** Texts that were read last, by part: a sheet's is asked for several times. */
  private readonly recentTexts = new Map<string, string>();
  private recentCharacters = 0;
  /** By the names of their parts, as long as these stay as they are. */
  private readonly knownRelationships = new Map<string, Relationship[]>();

  constructor(bytes: Uint8Array, limits: Partial<FileLimits> = {}) {
    this.limits = { ...defaultLimits, ...limits };
    if (bytes.length > this.limits.fileBytes) throw tooLarge(`it has ${bytes.length} bytes`);
    refuseOleFile(bytes);
    if (!isZip(bytes)) {
      throw new WorkbookFileError(
        "not-a-workbook",
        "The file is not an Excel workbook. Choose an .xlsx file.",
      );
    }
    for (const entry of zipEntries(bytes, this.limits)) {
      const { name } = entry;
      if (name.split("/").includes("..") || name.includes("\0"))
        throw broken("a part has a name that leads out of the file");
      if (this.parts.has(partKey(name))) throw broken(`it has ${name} twice`);
      this.parts.set(partKey(name), { name, entry });
    }
    if (!this.has(CONTENT_TYPES)) {
      throw new WorkbookFileError("not-a-workbook", notAWorkbook(this.names()));
    }
  }

  /** The namespace of relationships' ids in the file's dialect. */
  get relationshipsNamespace(): string {
    return this.inDialect(TRANSITIONAL.relationships);
  }

  names(): string[] {
    return [...this.parts.values()].map(({ name }) => name);
  }

  has(name: string): boolean {
    return this.parts.has(partKey(name));
  }

  /** The text of an XML part. Throws a WorkbookFileError if it is missing. */
  text(name: string): string {
    const key = partKey(name);
    const part = this.parts.get(key);
    if (part?.changed !== undefined) return part.changed;
    const recent = part && this.recentTexts.get(key);
    if (recent !== undefined) return recent;
    const text = xmlText(this.opened(name), name);
    this.recentTexts.set(key, text);
    this.recentCharacters += text.length;
    for (const each of this.recentTexts.keys()) {
      if (this.recentCharacters <= MOST_RECENT_CHARACTERS) break;
      this.forgetText(each);
    }
    return text;
  }

  private forgetText(key: string): void {
    this.recentCharacters -= this.recentTexts.get(key)?.length ?? 0;
    this.recentTexts.delete(key);
  }

  /** The bytes of a part. Throws a WorkbookFileError if it is missing. */
  content(name: string): Uint8Array {
    const part = this.parts.get(partKey(name));
    return part?.changed === undefined ? this.opened(name) : new TextEncoder().encode(part.changed);
  }

  /** The bytes of a part as it was opened. */
  private opened(name: string): Uint8Array {
    const part = this.parts.get(partKey(name));
    if (!part?.entry) throw broken(`its part ${name} is missing`);
    const before = this.read.get(partKey(name)) ?? 0;
    const content = inflated(part.entry, this.limits, this.limits.totalBytes - this.readBytes + before);
    this.read.set(partKey(name), content.length);
    this.readBytes += content.length - before;
    return content;
  }

  /** The root of an XML part. It must not be changed, because others get the same. */
  tree(name: string): XmlElement {
    const key = partKey(name);
    const text = this.text(name);
    const known = this.knownTrees.get(key);
    if (known?.of === text) return known.root;
    const root = xmlTree(text, name);
    this.treeCharacters += text.length;
    if (this.treeCharacters > MOST_RECENT_CHARACTERS) {
      this.knownTrees.clear();
      this.treeCharacters = text.length;
    }
    if (text.length <= MOST_RECENT_CHARACTERS) this.knownTrees.set(key, { of: text, root });
    return root;
  }

  /** Gives a part another text. One that is the same leaves the part as it was; who has read it says what it was. */
  write(name: string, text: string, before?: string): void {
    const part = this.parts.get(partKey(name));
    if (!part) this.parts.set(partKey(name), { name, changed: text });
    else if ((before ?? this.text(name)) !== text) {
      part.changed = text;
      this.forgetText(partKey(name));
    }
    this.knownRelationships.delete(partKey(name));
  }

  /** Changes a part's text at the places that its tree names. */
  edit(name: string, change: (root: XmlElement, edits: XmlEdits) => void): void {
    const text = this.text(name);
    const edits = new XmlEdits(text);
    change(xmlTree(text, name), edits);
    if (!edits.isEmpty) this.write(name, edits.applied(), text);
  }

  /** Adds a part with its content type, and a relationship to it from `source`; gives the relationship's id. */
  add(part: { name: string; text: string; contentType: string; source: string; type: string }): string {
    this.write(part.name, this.inDialect(part.text));
    this.setContentType(part.name, part.contentType);
    return this.relate(part.source, part.type, part.name);
  }

  /** A text of ours in the file's dialect. */
  private inDialect(text: string): string {
    this.isStrict ??= this.relationships("").some(({ type }) => type.startsWith(STRICT.relationships));
    if (!this.isStrict) return text;
    return text
      .replaceAll(TRANSITIONAL.main, STRICT.main)
      .replaceAll(TRANSITIONAL.relationships, STRICT.relationships);
  }

  /** Takes a part away, its relationships and content type with it, and whatever no other part leads to then. */
  remove(name: string): void {
    const key = partKey(name);
    if (!this.parts.has(key)) return;
    const targets = this.relationships(name).flatMap(({ part }) => part ?? []);
    this.parts.delete(key);
    this.parts.delete(partKey(relationshipsPart(name)));
    this.knownRelationships.delete(partKey(relationshipsPart(name)));
    this.edit(CONTENT_TYPES, (root, edits) => {
      for (const override of childrenOf(root, "Override")) {
        if (partKey(override.attributes["PartName"]?.slice(1) ?? "") === key) edits.remove(override);
      }
    });
    const led = this.targets();
    for (const target of targets) if (!led.has(partKey(target))) this.remove(target);
  }

  /**
   * A name for a new part: the pattern's `#` becomes the first number that is free. The only part of a kind is called without a number if it
   * can be, as Excel calls it: some programs find it by its name alone.
   */
  freeName(pattern: string, isOnlyOne = false): string {
    // A relationship may lead to a part that is missing. A new one of its name would be taken for it.
    const taken = new Set([...this.parts.keys(), ...this.targets()]);
    const named = (number: string) => pattern.replace("#", number);
    if (isOnlyOne && !taken.has(partKey(named("")))) return named("");
    let number = 1;
    while (taken.has(partKey(named(String(number))))) number++;
    return named(String(number));
  }

  /** All that relationships lead to. */
  private targets(): Set<string> {
    const sources = this.names().filter((each) => /(?:^|\/)_rels\/[^/]*\.rels$/.test(each));
    return new Set(
      sources.flatMap((each) =>
        this.relationships(each.replace(/_rels\/([^/]*)\.rels$/, "$1")).flatMap(({ part }) =>
          part ? partKey(part) : [],
        ),
      ),
    );
  }

  contentType(name: string): string | undefined {
    const root = this.tree(CONTENT_TYPES);
    const override = childrenOf(root, "Override").find(
      ({ attributes }) => partKey(attributes["PartName"] ?? "") === `/${partKey(name)}`,
    );
    if (override) return override.attributes["ContentType"];
    const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
    return childrenOf(root, "Default").find(
      ({ attributes }) => attributes["Extension"]?.toLowerCase() === ending,
    )?.attributes["ContentType"];
  }

  private setContentType(name: string, contentType: string): void {
    if (this.contentType(name) === contentType) return;
    this.edit(CONTENT_TYPES, (root, edits) => {
      const override = xmlAttributes({ PartName: `/${name}`, ContentType: contentType });
      edits.append(root, `<${prefixOf(root)}Override${override}/>`);
    });
  }

  /** The relationships of a part, or of the package itself for "". */
  relationships(source: string): readonly Relationship[] {
    const name = relationshipsPart(source);
    if (!this.has(name)) return [];
    const known = this.knownRelationships.get(partKey(name));
    if (known) return known;
    const read = childrenOf(this.tree(name), "Relationship").map(({ attributes }): Relationship => {
      const target = attributes["Target"] ?? "";
      const isExternal = attributes["TargetMode"] === "External";
      return {
        id: attributes["Id"] ?? "",
        type: attributes["Type"] ?? "",
        target,
        isExternal,
        part: isExternal ? null : targetPart(source, target),
      };
    });
    this.knownRelationships.set(partKey(name), read);
    return read;
  }

  /** The parts that relationships of a kind lead to; the kind is the last step of the type, the same in both dialects. */
  related(source: string, kind: string): (Relationship & { part: string })[] {
    return this.relationships(source).filter(
      (each): each is Relationship & { part: string } => each.part !== null && each.type.endsWith(`/${kind}`),
    );
  }

  /** Adds a relationship and gives its id. An outside target is given as it is. */
  relate(source: string, type: string, target: string, isExternal = false): string {
    const [id = ""] = this.relateAll(source, type, [target], isExternal);
    return id;
  }

  /** Adds relationships of one type and gives their ids. Outside targets are given as they are. */
  relateAll(source: string, type: string, targets: readonly string[], isExternal = false): string[] {
    if (targets.length === 0) return [];
    const name = relationshipsPart(source);
    if (!this.has(name)) {
      this.write(
        name,
        `${XML_DECLARATION}<Relationships xmlns="${RELATIONSHIPS_NAMESPACE}"></Relationships>`,
      );
      this.ensureRelationshipsType();
    }
    const taken = new Set(this.relationships(source).map(({ id }) => id));
    let number = taken.size + 1;
    const added = targets.map((target) => {
      while (taken.has(`rId${number}`)) number++;
      taken.add(`rId${number}`);
      return {
        Id: `rId${number}`,
        Type: this.inDialect(type),
        Target: isExternal ? target : relativeTarget(source, target),
        TargetMode: isExternal ? "External" : undefined,
      };
    });
    this.edit(name, (root, edits) =>
      edits.append(
        root,
        added.map((each) => `<${prefixOf(root)}Relationship${xmlAttributes(each)}/>`).join(""),
      ),
    );
    return added.map(({ Id }) => Id);
  }

  unrelate(source: string, isLeaving: (relationship: Relationship) => boolean): void {
    const name = relationshipsPart(source);
    const leaving = new Set(
      this.relationships(source)
        .filter(isLeaving)
        .map(({ id }) => id),
    );
    if (leaving.size === 0) return;
    this.edit(name, (root, edits) => {
      for (const each of childrenOf(root, "Relationship")) {
        if (leaving.has(each.attributes["Id"] ?? "")) edits.remove(each);
      }
    });
  }

  private ensureRelationshipsType(): void {
    this.edit(CONTENT_TYPES, (root, edits) => {
      const has = childrenOf(root, "Default").some(
        ({ attributes }) => attributes["Extension"]?.toLowerCase() === "rels",
      );
      if (has) return;
      const attributes = xmlAttributes({ Extension: "rels", ContentType: RELATIONSHIPS_TYPE });
      edits.append(root, `<${prefixOf(root)}Default${attributes}/>`);
    });
  }

  /** The package as a file. Parts that nobody wrote keep their bytes, and all their order. */
  save(): Uint8Array {
    const encoder = new TextEncoder();
    return zipOf(
      [...this.parts.values()].map(({ name, entry, changed }) => {
        if (changed !== undefined) return packedEntry(name, encoder.encode(changed), entry);
        if (!entry) throw new Error(`The part ${name} has no content.`);
        return entry;
      }),
    );
  }
}

/** A zip that is no workbook: the sentence for the kinds that people take for one. */
function notAWorkbook(names: string[]): string {
  return names.includes("mimetype") || names.includes("content.xml")
    ? "The file is a spreadsheet of LibreOffice or OpenOffice. Save it there as .xlsx, and try again."
    : "The file is a zip archive, but not an Excel workbook. Choose an .xlsx file.";
}
