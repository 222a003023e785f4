import type { Chart, ChartData } from "../../drawings";

const svgNamespace = "http://www.w3.org/2000/svg";
/** Excel's first accent and its grays. */
const [barColor, textColor, lineColor] = ["#4472C4", "#595959", "#D9D9D9"];
const margin = 10;
const titleHeight = 30;
/** The part of a band that is left free between bars. */
const gapShare = 0.35;
const characterWidth = 5.6;

/** A chart as a picture: title, an axis, a bar for each category with its label and number. The rest of Excel's look is not drawn. */
export function chartSvg(
  { type, title, showsTitle, isReversed }: Chart,
  { series, points }: ChartData,
  { width, height }: { width: number; height: number },
): SVGSVGElement {
  const heading = title ?? series;
  const svg = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute(
    "aria-label",
    [heading, ...points.map(({ label, text }) => `${label}: ${text}`)].join("; "),
  );
  svg.append(element("rect", { width, height, fill: "#FFFFFF", stroke: lineColor }));
  if (showsTitle)
    svg.append(text(heading, { x: width / 2, y: 20, size: 14, anchor: "middle" }, width - margin));
  const isHorizontal = type === "BarClustered";
  // Bars begin at the bottom, columns at the left.
  const inOrder = isHorizontal === isReversed ? points : [...points].reverse();
  const top = showsTitle ? titleHeight : margin;
  const longest = Math.max(1, ...points.map(({ label }) => label.length)) * characterWidth;
  const plot = isHorizontal
    ? { left: margin + Math.min(longest, width * 0.45) + 6, top, right: width - 60, bottom: height - margin }
    : { left: margin, top: top + 14, right: width - margin, bottom: height - 26 };
  const values = points.map(({ value }) => value);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = highest - lowest || 1;
  const length = isHorizontal ? plot.right - plot.left : plot.bottom - plot.top;
  const band = (isHorizontal ? plot.bottom - plot.top : plot.right - plot.left) / Math.max(1, points.length);
  const thickness = band * (1 - gapShare);
  const along = (value: number) => ((value - lowest) / range) * length;
  inOrder.forEach(({ label, value, text: shown }, index) => {
    const across = index * band + (band - thickness) / 2;
    const [from, to] = [along(Math.min(0, value)), along(Math.max(0, value))];
    if (isHorizontal) {
      const y = plot.top + across;
      const middle = y + thickness / 2 + 4;
      svg.append(
        element("rect", { x: plot.left + from, y, width: to - from, height: thickness, fill: barColor }),
        text(label, { x: plot.left - 6, y: middle, size: 11, anchor: "end" }, plot.left - margin),
        text(shown, { x: plot.left + to + 4, y: middle, size: 11, anchor: "start" }, 60),
      );
      return;
    }
    const x = plot.left + across;
    svg.append(
      element("rect", { x, y: plot.bottom - to, width: thickness, height: to - from, fill: barColor }),
      text(label, { x: x + thickness / 2, y: height - 10, size: 11, anchor: "middle" }, band),
      text(shown, { x: x + thickness / 2, y: plot.bottom - to - 4, size: 11, anchor: "middle" }, band),
    );
  });
  const zero = along(0);
  const axis = isHorizontal
    ? { x1: plot.left + zero, x2: plot.left + zero, y1: plot.top, y2: plot.bottom }
    : { x1: plot.left, x2: plot.right, y1: plot.bottom - zero, y2: plot.bottom - zero };
  svg.append(element("line", { ...axis, stroke: lineColor }));
  return svg;
}

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** A text that is cut where it would be wider. */
function text(
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
