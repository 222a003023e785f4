import { SaxesParser, type SaxesTagPlain } from "saxes";
import { broken, declaresEntities, tooLarge, WorkbookFileError } from "../workbook-file-error";

export type XmlAttributes = Record<string, string>;

/** Receives each tag and text while an XML text is read. `start` is the position of a tag's "<", and `end` the position after its ">". */
export interface XmlListener {
  /** `closed` is true for a self-closing tag. `close` is called for such a tag as well. */
  open(name: string, attributes: XmlAttributes, start: number, end: number, closed: boolean): void;
  close(name: string, start: number, end: number): void;
  /** Receives text and CDATA with entities resolved. One text may come in several pieces. */
  text(text: string): void;
}

/** The approximate number of characters that `next` reads. */
const CHUNK_CHARACTERS = 2 ** 16;

/**
 * Reads an XML text piece by piece: each `next()` passes one more piece to the listener. Throws a WorkbookFileError if the text is not
 * well-formed, declares a document type (which may declare entities), or is nested too deep.
 */
export class XmlReading {
  private readonly parser = new SaxesParser({ xmlns: false, position: false });
  /** The position of the next piece; past the text's end after the last piece or an error. */
  private at = 0;
  private depth = 0;

  constructor(
    private readonly xml: string,
    private readonly partName: string,
    listener: XmlListener,
    maxDepth = 256,
  ) {
    const { parser } = this;
    parser.on("error", (error) => {
      throw broken(`${partName}: ${error.message}`);
    });
    parser.on("doctype", () => {
      throw declaresEntities(partName);
    });
    parser.on("opentag", (tag: SaxesTagPlain) => {
      if (++this.depth > maxDepth) throw tooLarge(`the elements of ${partName} are nested too deep`);
      const end = parser.position;
      listener.open(tag.name, tag.attributes, this.tagStart(end), end, tag.isSelfClosing);
    });
    parser.on("closetag", (tag: SaxesTagPlain) => {
      this.depth--;
      const end = parser.position;
      listener.close(tag.name, tag.isSelfClosing ? end : this.tagStart(end), end);
    });
    parser.on("text", (text) => listener.text(text));
    parser.on("cdata", (text) => listener.text(text));
  }

  /** Reads one more piece, and returns true. Returns false if there is none. */
  next(): boolean {
    const { xml, at } = this;
    if (at > xml.length) return false;
    try {
      // A cut after a tag splits no line ending and no surrogate pair.
      const behindTag = xml.indexOf(">", at + CHUNK_CHARACTERS) + 1;
      const end = behindTag === 0 ? xml.length : behindTag;
      if (at < xml.length) this.parser.write(at === 0 && end === xml.length ? xml : xml.slice(at, end));
      if (end < xml.length) this.at = end;
      else {
        this.at = xml.length + 1;
        this.parser.close();
      }
    } catch (error) {
      this.at = xml.length + 1;
      if (error instanceof WorkbookFileError) throw error;
      throw broken(`${this.partName} can't be read`);
    }
    return true;
  }

  /** The position of the "<" of the tag that ends at `end`. A well-formed tag has no other "<", not even in an attribute. */
  private tagStart(end: number): number {
    return this.xml.lastIndexOf("<", end - 1);
  }
}

/** Reads a whole XML text. Throws as `XmlReading` does. */
export function readXml(xml: string, partName: string, listener: XmlListener, maxDepth?: number): void {
  const reading = new XmlReading(xml, partName, listener, maxDepth);
  while (reading.next());
}

/** An element's name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
