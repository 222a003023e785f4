import type { Chart, ChartData } from "../../drawings";

const svgNamespace = "http://www.w3.org/2000/svg";
/** Excel's accents, in the order in which it gives them to series. */
const barColors = ["#4472C4", "#ED7D31", "#A5A5A5", "#FFC000", "#5B9BD5", "#70AD47"];
/** Excel's grays. */
const [textColor, lineColor] = ["#595959", "#D9D9D9"];
const margin = 10;
const titleHeight = 30;
/** The part of a band that is left free between bars. */
const gapShare = 0.35;
const characterWidth = 5.6;

/** A chart as a picture: title, an axis, bars for each category with its label and numbers. The rest of Excel's look is not drawn. */
export function chartSvg(
  { type, title, showsTitle, isReversed, looks }: Chart,
  all: readonly ChartData[],
  { width, height }: { width: number; height: number },
): SVGSVGElement {
  const [first] = all;
  const points = first?.points ?? [];
  // Excel's own title of several series.
  const heading = title ?? (all.length > 1 ? "Chart Title" : (first?.series ?? ""));
  const svg = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  svg.setAttribute(
    "aria-label",
    [heading, ...all.flatMap((one) => one.points.map(({ label, text }) => `${label}: ${text}`))].join("; "),
  );
  svg.append(element("rect", { width, height, fill: "#FFFFFF", stroke: lineColor }));
  if (showsTitle)
    svg.append(text(heading, { x: width / 2, y: 20, size: 14, anchor: "middle" }, width - margin));
  const isHorizontal = type === "BarClustered";
  // Bars begin at the bottom, columns at the left.
  const places = points.map((_, place) => place);
  const inOrder = isHorizontal === isReversed ? places : [...places].reverse();
  const top = showsTitle ? titleHeight : margin;
  const longest = Math.max(1, ...points.map(({ label }) => label.length)) * characterWidth;
  const plot = isHorizontal
    ? { left: margin + Math.min(longest, width * 0.45) + 6, top, right: width - 60, bottom: height - margin }
    : { left: margin, top: top + 14, right: width - margin, bottom: height - 26 };
  const values = all.flatMap((one) => one.points.map(({ value }) => value));
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = highest - lowest || 1;
  const length = isHorizontal ? plot.right - plot.left : plot.bottom - plot.top;
  const band = (isHorizontal ? plot.bottom - plot.top : plot.right - plot.left) / Math.max(1, points.length);
  const thickness = (band * (1 - gapShare)) / Math.max(1, all.length);
  const along = (value: number) => ((value - lowest) / range) * length;
  const bar = (band: number, place: number, at: number) => {
    const point = all[at]?.points[place];
    if (!point) return;
    const { label, value, text: shown } = point;
    const fill = String(
      looks[`series ${at} point ${place} fill`] ??
        looks[`series ${at} fill`] ??
        barColors[at % barColors.length],
    );
    const across = band + at * thickness;
    const [from, to] = [along(Math.min(0, value)), along(Math.max(0, value))];
    if (isHorizontal) {
      const y = plot.top + across;
      const middle = y + thickness / 2 + 4;
      svg.append(element("rect", { x: plot.left + from, y, width: to - from, height: thickness, fill }));
      if (at === 0)
        svg.append(text(label, { x: plot.left - 6, y: middle, size: 11, anchor: "end" }, plot.left - margin));
      svg.append(text(shown, { x: plot.left + to + 4, y: middle, size: 11, anchor: "start" }, 60));
      return;
    }
    const x = plot.left + across;
    svg.append(element("rect", { x, y: plot.bottom - to, width: thickness, height: to - from, fill }));
    if (at === 0) {
      const middle = x + (thickness * all.length) / 2;
      svg.append(text(label, { x: middle, y: height - 10, size: 11, anchor: "middle" }, band));
    }
    const above = { x: x + thickness / 2, y: plot.bottom - to - 4, size: 11, anchor: "middle" };
    svg.append(text(shown, above, thickness / (1 - gapShare)));
  };
  inOrder.forEach((place, index) => {
    const start = index * band + (band - thickness * all.length) / 2;
    all.forEach((_, at) => bar(start, place, at));
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
