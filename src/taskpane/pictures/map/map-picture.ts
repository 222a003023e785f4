import { countiesInWords, type CountyLook, type CountyMap, legendOf } from "../../../pictures/county-map";
import { boxOf, type CountyOutlines } from "../../../pictures/county-outlines";
import { isWithin, type MapPart } from "../../../pictures/map-parts";
import { beginning, shownName } from "../../ui/labels";
import { classColors, mapColors } from "./map-colors";

/** A picture of a map for a sheet. */
export interface MapPicture {
  /** A PNG in Base64, without "data:" in front. */
  base64: string;
  /** The legend in words, for people who can't see the picture. */
  altText: string;
}

const widthPx = 1_600;
const marginPx = 20;
const line = { heightPx: 40, swatchPx: 28, columnPx: 520, fontPx: 24 };
const ink = "#242424";
const mostCharacters = 40;
const mostLabelCharacters = 120;

/** Draws a map with its legend for a sheet, on white even if the pane is dark. `states` names the part to draw; an empty list draws all. */
export function drawMapPicture(
  map: CountyMap,
  outlines: CountyOutlines,
  { states, question }: Pick<MapPart, "states"> & { question: string },
): MapPicture {
  const box = boxOf(outlines, states);
  const legend = legendOf(map);
  const columns = Math.max(1, Math.floor((widthPx - 2 * marginPx) / line.columnPx));
  const scale = (widthPx - 2 * marginPx) / box.width;
  const mapHeightPx = box.height * scale;
  const canvas = document.createElement("canvas");
  canvas.width = widthPx;
  canvas.height = Math.ceil(mapHeightPx + 3 * marginPx + Math.ceil(legend.length / columns) * line.heightPx);
  const drawing = canvas.getContext("2d");
  if (!drawing) throw new Error("this browser draws no pictures");
  drawing.fillStyle = "#ffffff";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  const colors = classColors("light", map.scale, map.classes.length);
  const fills = new Map<CountyLook, string | CanvasPattern>(
    legend.map(({ look }) => [
      look,
      typeof look === "number" ? (colors[look] ?? ink) : pattern(drawing, look),
    ]),
  );

  drawing.save();
  drawing.translate(marginPx - box.x * scale, marginPx - box.y * scale);
  drawing.scale(scale, scale);
  drawing.lineWidth = 0.5 / scale;
  const lookOf = new Map(map.counties.map(({ geoid, look }) => [geoid, look]));
  for (const { geoid, path } of outlines.counties) {
    const look = lookOf.get(geoid);
    if (look === undefined || !isWithin(geoid, states)) continue;
    const shape = new Path2D(path);
    const fill = fills.get(look) ?? ink;
    // The pattern keeps the picture's pixels as its unit, although the map is scaled.
    if (typeof fill !== "string") fill.setTransform(new DOMMatrix().scale(1 / scale));
    drawing.fillStyle = fill;
    drawing.fill(shape);
    drawing.strokeStyle = typeof fill === "string" ? "#ffffff" : "#9e9e9e";
    drawing.stroke(shape);
  }
  drawing.strokeStyle = "#616161";
  drawing.lineWidth = 1.5 / scale;
  if (states.length !== 1) {
    // Borders of other states go beyond the drawn part, so they are cut off at its edge.
    const around = new Path2D();
    around.rect(box.x, box.y, box.width, box.height);
    drawing.clip(around);
    drawing.stroke(new Path2D(outlines.stateBorders));
  }
  drawing.restore();

  drawing.font = `${line.fontPx}px sans-serif`;
  drawing.textBaseline = "middle";
  legend.forEach(({ look, label, count }, index) => {
    const x = marginPx + (index % columns) * line.columnPx;
    const y = mapHeightPx + 2 * marginPx + Math.floor(index / columns) * line.heightPx;
    const fill = fills.get(look) ?? ink;
    if (typeof fill !== "string") fill.setTransform(new DOMMatrix());
    drawing.fillStyle = fill;
    drawing.fillRect(x, y, line.swatchPx, line.swatchPx);
    drawing.strokeStyle = "#616161";
    drawing.lineWidth = 1;
    drawing.strokeRect(x, y, line.swatchPx, line.swatchPx);
    drawing.fillStyle = ink;
    drawing.fillText(
      `${shownName(beginning(label, mostCharacters))}: ${countiesInWords(count)}`,
      x + line.swatchPx + 12,
      y + line.swatchPx / 2,
      line.columnPx - line.swatchPx - 24,
    );
  });
  const said = legend.map(
    ({ label, count }) => `${beginning(label, mostLabelCharacters)}: ${countiesInWords(count)}`,
  );
  return {
    base64: canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, ""),
    altText: `Map of counties, colored by their own answers to ${question}. ${said.join("; ")}.`,
  };
}

const tilePx = 12;

/** The same patterns as in the pane: hatching for answers that are not known, a dot for no value, upright lines for words. */
function pattern(
  drawing: CanvasRenderingContext2D,
  look: Exclude<CountyLook, number>,
): string | CanvasPattern {
  const tile = document.createElement("canvas");
  tile.width = tile.height = tilePx;
  const mark = tile.getContext("2d");
  if (!mark) return mapColors.light.background;
  mark.fillStyle = mapColors.light.background;
  mark.fillRect(0, 0, tilePx, tilePx);
  mark.strokeStyle = mark.fillStyle = "#616161";
  mark.lineWidth = 2;
  if (look === "no value") {
    mark.fillRect(tilePx / 2 - 1, tilePx / 2 - 1, 2, 2);
  } else {
    mark.beginPath();
    if (look === "not known") {
      for (const from of [-tilePx, 0, tilePx]) {
        mark.moveTo(from, tilePx);
        mark.lineTo(from + tilePx, 0);
      }
    } else {
      mark.moveTo(tilePx / 2, 0);
      mark.lineTo(tilePx / 2, tilePx);
    }
    mark.stroke();
  }
  return drawing.createPattern(tile, "repeat") ?? mapColors.light.background;
}
