import type { Chart, ChartData } from "../../drawings";
import { roundParts } from "./round-parts";
import { characterWidth, element, fillOf, lineColor, text } from "./svg-parts";

const margin = 10;
const titleHeight = 30;
/** The part of a band that is left free between bars. */
const gapShare = 0.35;

/**
 * A chart as a picture: title, an axis, bars or lines for each category with its label and numbers, or the slices of a pie. The rest of
 * Excel's look is not drawn.
 */
export function chartSvg(
  chart: Chart,
  all: readonly ChartData[],
  { width, height }: { width: number; height: number },
): SVGSVGElement {
  const { type, title, showsTitle, isReversed, looks } = chart;
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
  if (first && (type === "Pie" || type === "Doughnut")) {
    svg.append(...roundParts(chart, first, { ...plot, left: margin, right: width - margin }));
    return svg;
  }
  const isStacked = type === "ColumnStacked";
  const isLine = type === "Line" || type === "LineMarkers";
  /** The sum of the numbers above or below zero that a stack has before a series. */
  const below = (place: number, at: number, isNegative: boolean) =>
    all.slice(0, at).reduce((sum, one) => {
      const value = one.points[place]?.value ?? 0;
      return value < 0 === isNegative ? sum + value : sum;
    }, 0);
  const values = isStacked
    ? points.flatMap((_, place) => [below(place, all.length, false), below(place, all.length, true)])
    : all.flatMap((one) => one.points.map(({ value }) => value));
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const range = highest - lowest || 1;
  const length = isHorizontal ? plot.right - plot.left : plot.bottom - plot.top;
  const band = (isHorizontal ? plot.bottom - plot.top : plot.right - plot.left) / Math.max(1, points.length);
  const beside = isStacked ? 1 : Math.max(1, all.length);
  const thickness = (band * (1 - gapShare)) / beside;
  const along = (value: number) => ((value - lowest) / range) * length;
  const bar = (start: number, place: number, at: number) => {
    const point = all[at]?.points[place];
    if (!point) return;
    const { label, value, text: shown } = point;
    const fill = fillOf(looks, at, place);
    const across = start + (isStacked ? 0 : at * thickness);
    const base = isStacked ? below(place, at, value < 0) : 0;
    const [from, to] = [along(base + Math.min(0, value)), along(base + Math.max(0, value))];
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
    if (!isLine)
      svg.append(element("rect", { x, y: plot.bottom - to, width: thickness, height: to - from, fill }));
    if (at === 0) {
      const middle = x + (thickness * beside) / 2;
      svg.append(text(label, { x: middle, y: height - 10, size: 11, anchor: "middle" }, band));
    }
    if (isLine || isStacked) return;
    const above = { x: x + thickness / 2, y: plot.bottom - to - 4, size: 11, anchor: "middle" };
    svg.append(text(shown, above, thickness / (1 - gapShare)));
  };
  inOrder.forEach((place, index) => {
    const start = index * band + (band - thickness * beside) / 2;
    all.forEach((_, at) => bar(start, place, at));
  });
  if (isLine)
    for (const [at, one] of all.entries()) {
      const places = inOrder.map((place, index) => {
        const value = one.points[place]?.value ?? 0;
        return { x: plot.left + (index + 0.5) * band, y: plot.bottom - along(value) };
      });
      const stroke = fillOf(looks, at, -1);
      const line = places.map(({ x, y }) => `${x},${y}`).join(" ");
      svg.append(element("polyline", { points: line, fill: "none", stroke, "stroke-width": 2 }));
      if (type === "LineMarkers")
        svg.append(...places.map(({ x, y }) => element("circle", { cx: x, cy: y, r: 3, fill: stroke })));
    }
  const zero = along(0);
  const axis = isHorizontal
    ? { x1: plot.left + zero, x2: plot.left + zero, y1: plot.top, y2: plot.bottom }
    : { x1: plot.left, x2: plot.right, y1: plot.bottom - zero, y2: plot.bottom - zero };
  svg.append(element("line", { ...axis, stroke: lineColor }));
  return svg;
}
