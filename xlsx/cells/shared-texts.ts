import { localName, readXml, type XmlListener } from "../xml/xml-events";
import { unescapedCharacters } from "../xml/xml-text";

/** The workbook's shared texts, by index: without formats, phonetic hints left out. */
export function sharedTexts(xml: string, partName: string): string[] {
  const texts: string[] = [];
  const flattened = new FlattenedText();
  readXml(xml, partName, {
    open(name) {
      if (localName(name) === "si") flattened.begin();
      else flattened.open(name);
    },
    close(name) {
      if (localName(name) === "si") texts.push(flattened.end());
      else flattened.close(name);
    },
    text: (text) => flattened.text(text),
  });
  return texts;
}

/** Joins the runs of a text as it is read. */
export class FlattenedText implements Pick<XmlListener, "text"> {
  private result = "";
  private isInText = false;
  private isPhonetic = false;

  begin(): void {
    this.result = "";
    this.isInText = false;
    this.isPhonetic = false;
  }

  open(name: string): void {
    const local = localName(name);
    if (local === "t") this.isInText = true;
    else if (local === "rPh") this.isPhonetic = true;
  }

  close(name: string): void {
    const local = localName(name);
    if (local === "t") this.isInText = false;
    else if (local === "rPh") this.isPhonetic = false;
  }

  text(text: string): void {
    if (this.isInText && !this.isPhonetic) this.result += text;
  }

  end(): string {
    return unescapedCharacters(this.result);
  }
}
