import { broken } from "../workbook-file-error";
import { localName, readXml, type XmlAttributes } from "./xml-events";
import { xmlAttributes } from "./xml-text";

/** An element of a small XML part, with where it stands in the part's text. */
export interface XmlElement {
  /** With its prefix. */
  name: string;
  /** Without its prefix. */
  local: string;
  attributes: XmlAttributes;
  children: XmlElement[];
  /** The text directly in it. */
  text: string;
  /** Where its start tag begins and ends, and where its end tag begins and ends; a tag that is its own end has no room. */
  start: number;
  innerStart: number;
  innerEnd: number;
  end: number;
  isSelfClosing: boolean;
}

/** The root of an XML part. Throws a WorkbookFileError. */
export function xmlTree(xml: string, partName: string): XmlElement {
  let root: XmlElement | undefined;
  const open: XmlElement[] = [];
  readXml(xml, partName, {
    open(name, attributes, start, end, isSelfClosing) {
      const element: XmlElement = {
        name,
        local: localName(name),
        // A copy takes a fraction of the parser's object, which has no prototype.
        attributes: { ...attributes },
        children: [],
        text: "",
        start,
        innerStart: end,
        innerEnd: end,
        end,
        isSelfClosing,
      };
      const parent = open.at(-1);
      if (parent) parent.children.push(element);
      else root = element;
      open.push(element);
    },
    close(_, start, end) {
      const element = open.pop();
      if (!element || element.isSelfClosing) return;
      element.innerEnd = start;
      element.end = end;
    },
    text(text) {
      const element = open.at(-1);
      if (element) element.text += text;
    },
  });
  if (!root) throw broken(`${partName} is empty`);
  return root;
}

/** The first child of this name; undefined if there is none. */
export function childOf(element: XmlElement | undefined, local: string): XmlElement | undefined {
  return element?.children.find((child) => child.local === local);
}

export function childrenOf(element: XmlElement | undefined, local: string): XmlElement[] {
  return element?.children.filter((child) => child.local === local) ?? [];
}

/** The value of an attribute by its name without prefix, such as `id` of `r:id`. */
export function prefixedAttribute(element: XmlElement, local: string): string | undefined {
  const [, value] =
    Object.entries(element.attributes).find(([name]) => name.includes(":") && localName(name) === local) ??
    [];
  return value;
}

/** The prefix of a name with its colon; "" if it has none. New children of an element get their parent's. */
export function prefixOf({ name }: { name: string }): string {
  return name.slice(0, name.indexOf(":") + 1);
}

/** True for "1", "true" and "on", as the file's booleans are written. */
export function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true" || value === "on";
}

/** Changes of a text at places that its tree names. All else stays as it is, to the byte. */
export class XmlEdits {
  private readonly edits: { start: number; end: number; text: string; order: number }[] = [];

  constructor(private readonly xml: string) {}

  get isEmpty(): boolean {
    return this.edits.length === 0;
  }

  replace({ start, end }: { start: number; end: number }, text: string): void {
    this.edits.push({ start, end, text, order: this.edits.length });
  }

  remove(element: XmlElement): void {
    this.replace(element, "");
  }

  /** Puts XML in front of an element. */
  insertBefore(element: XmlElement, text: string): void {
    this.replace({ start: element.start, end: element.start }, text);
  }

  insertAfter(element: XmlElement, text: string): void {
    this.replace({ start: element.end, end: element.end }, text);
  }

  /** Puts XML at an element's end, and gives its start tag other attributes where told; undefined takes one away. */
  append(
    element: XmlElement,
    text: string,
    attributes: Record<string, string | number | undefined> = {},
  ): void {
    const hasAttributes = Object.keys(attributes).length > 0;
    if (element.isSelfClosing && text !== "") {
      const tag = startTag(element, attributes);
      this.replace(element, `${tag.slice(0, -2)}>${text}</${element.name}>`);
      return;
    }
    if (hasAttributes) this.setAttributes(element, attributes);
    if (text !== "") this.replace({ start: element.innerEnd, end: element.innerEnd }, text);
  }

  setAttributes(element: XmlElement, attributes: Record<string, string | number | undefined>): void {
    this.replace({ start: element.start, end: element.innerStart }, startTag(element, attributes));
  }

  /** Replaces all that stands in an element. */
  setInner(element: XmlElement, text: string): void {
    if (element.isSelfClosing) this.append(element, text);
    else this.replace({ start: element.innerStart, end: element.innerEnd }, text);
  }

  /** The text with all changes. */
  applied(): string {
    const { xml } = this;
    // At one place, what is put in comes before what is replaced.
    const isReplaced = ({ start, end }: { start: number; end: number }) => Number(end > start);
    const sorted = [...this.edits].sort(
      (one, other) =>
        one.start - other.start || isReplaced(one) - isReplaced(other) || one.order - other.order,
    );
    let at = 0;
    let text = "";
    for (const edit of sorted) {
      if (edit.start < at) throw new Error("Two changes of one XML text overlap.");
      text += xml.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return text + xml.slice(at);
  }
}

function startTag(element: XmlElement, changed: Record<string, string | number | undefined>): string {
  const end = element.isSelfClosing ? "/>" : ">";
  return `<${element.name}${xmlAttributes({ ...element.attributes, ...changed })}${end}`;
}
