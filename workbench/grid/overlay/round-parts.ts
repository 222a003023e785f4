import type { Chart, ChartData } from "../../drawings";
import { element, fillOf, text } from "./svg-parts";

interface Plot {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The slices of a pie or a ring: of its first series, clockwise from the top, each with its label. */
export function roundParts({ type, looks }: Chart, { points }: ChartData, plot: Plot): SVGElement[] {
  const [x, y] = [(plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2];
  const radius = Math.max(10, Math.min(plot.right - plot.left, plot.bottom - plot.top) / 2 - 20);
  const inner = type === "Doughnut" ? radius * 0.5 : 0;
  const total = points.reduce((sum, { value }) => sum + Math.abs(value), 0) || 1;
  let from = 0;
  return points.flatMap(({ label, value }, place) => {
    const share = Math.abs(value) / total;
    const [start, end] = [from, from + share];
    from = end;
    const at = (part: number, distance: number) => {
      const angle = part * 2 * Math.PI - Math.PI / 2;
      return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)] as const;
    };
    // An arc from a point to itself would be none.
    const last = share >= 1 ? end - 0.0001 : end;
    const isLarge = share > 0.5 ? 1 : 0;
    const outline = [
      `M ${at(start, inner).join(" ")} L ${at(start, radius).join(" ")}`,
      `A ${radius} ${radius} 0 ${isLarge} 1 ${at(last, radius).join(" ")}`,
      `L ${at(last, inner).join(" ")}`,
      ...(inner > 0 ? [`A ${inner} ${inner} 0 ${isLarge} 0 ${at(start, inner).join(" ")}`] : []),
      "Z",
    ].join(" ");
    const [labelX, labelY] = at((start + end) / 2, radius + 10);
    const anchor = labelX < x ? "end" : "start";
    return [
      element("path", { d: outline, fill: fillOf(looks, 0, place, place), stroke: "#FFFFFF" }),
      text(label, { x: labelX, y: labelY + 4, size: 11, anchor }, 80),
    ];
  });
}
