import type { Chart } from "../../drawings";

const svgNamespace = "http://www.w3.org/2000/svg";
/** Excel's accents, in the order in which it gives them to series. */
const accents = ["#4472C4", "#ED7D31", "#A5A5A5", "#FFC000", "#5B9BD5", "#70AD47"];
/** Excel's grays. */
export const [textColor, lineColor] = ["#595959", "#D9D9D9"];
export const characterWidth = 5.6;

/** The color of a series, or of a point in it if it has one of its own. */
export function fillOf(looks: Chart["looks"], series: number, point: number, accent = series): string {
  return String(
    looks[`series ${series} point ${point} fill`] ??
      looks[`series ${series} fill`] ??
      accents[accent % accents.length],
  );
}

export function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** A text that is cut where it would be wider. */
export function text(
  content: string,
  { x, y, size, anchor }: { x: number; y: number; size: number; anchor: string },
  width: number,
): SVGTextElement {
  const most = Math.max(1, Math.floor(width / ((characterWidth * size) / 11)));
  const made = element("text", {
    ...{ x, y, fill: textColor, "font-size": size },
    ...{ "font-family": "Segoe UI, sans-serif", "text-anchor": anchor },
  });
  made.textContent = content.length > most ? `${content.slice(0, Math.max(1, most - 1))}…` : content;
  return made;
}
