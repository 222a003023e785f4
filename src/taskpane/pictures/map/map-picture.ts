import { countiesInWords, type CountyLook, type CountyMap, legendOf } from "../../../pictures/county-map";
import { boxOf, type CountyOutlines, middleOf } from "../../../pictures/county-outlines";
import { isWithin, type MapPart } from "../../../pictures/map-parts";
import { beginning, shownName } from "../../ui/labels";
import { classColors, mapColors } from "./map-colors";

/** A picture of a map for a sheet. */
export interface MapPicture {
  /** A PNG in Base64, without "data:" in front. */
  base64: string;
  /** The legend in words, for people who can't see the picture. */
  altText: string;
  /** Its width in the sheet, in points. */
  width: number;
}

/** The largest size in the sheet, in CSS pixels, which leaves the data beside it in sight. */
const most = { widthPx: 640, heightPx: 480 };
/** The picture's pixels for each CSS pixel, so that it is sharp in print. */
const density = 3;
const pointsPerPx = 0.75;
const marginPx = 8;
const line = { heightPx: 18, swatchPx: 12, columnPx: 205, fontPx: 11 };
/** CSS pixels for each pixel of a pattern. */
const patternSize = 0.5;
const ink = "#242424";
const mostCharacters = 40;
const mostLabelCharacters = 120;
/** The most counties whose names are written on the map. */
const mostNames = 20;

/**
 * Draws a map for a sheet below its legend, on white even if the pane is dark, with all counties of its states in outline. `states` names
 * the part to draw; an empty list draws all.
 */
export function drawMapPicture(
  map: CountyMap,
  outlines: CountyOutlines,
  { states, question }: Pick<MapPart, "states"> & { question: string },
): MapPicture {
  const box = boxOf(outlines, states);
  const legend = legendOf(map);
  const columns = Math.max(1, Math.floor((most.widthPx - 2 * marginPx) / line.columnPx));
  const legendHeightPx = Math.ceil(legend.length / columns) * line.heightPx;
  const room = {
    widthPx: most.widthPx - 2 * marginPx,
    heightPx: most.heightPx - legendHeightPx - 3 * marginPx,
  };
  const scale = Math.min(room.widthPx / box.width, room.heightPx / box.height);
  const legendWidthPx = Math.min(columns, legend.length) * line.columnPx;
  const widthPx = Math.ceil(2 * marginPx + Math.max(box.width * scale, legendWidthPx));
  const canvas = document.createElement("canvas");
  canvas.width = widthPx * density;
  canvas.height = Math.ceil((legendHeightPx + 3 * marginPx + box.height * scale) * density);
  const drawing = canvas.getContext("2d");
  if (!drawing) throw new Error("this browser draws no pictures");
  drawing.fillStyle = "#ffffff";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.scale(density, density);
  const colors = classColors("light", map.scale, map.classes.length);
  const fills = new Map<CountyLook, string | CanvasPattern>(
    legend.map(({ look }) => [
      look,
      typeof look === "number" ? (colors[look] ?? ink) : pattern(drawing, look),
    ]),
  );

  const [left, top] = [marginPx - box.x * scale, legendHeightPx + 2 * marginPx - box.y * scale];
  drawing.save();
  drawing.translate(left, top);
  drawing.scale(scale, scale);
  drawing.lineWidth = 0.5 / scale;
  const countyOf = new Map(map.counties.map((county) => [county.geoid, county]));
  const drawnStates = new Set(map.counties.map(({ geoid }) => geoid.slice(0, 2)));
  const outlined = outlines.counties.filter(
    ({ geoid }) => isWithin(geoid, states) && drawnStates.has(geoid.slice(0, 2)),
  );
  const named = outlined.filter(({ geoid }) => countyOf.has(geoid));
  for (const { geoid, path } of outlined) {
    const look = countyOf.get(geoid)?.look;
    const shape = new Path2D(path);
    const fill = look === undefined ? null : (fills.get(look) ?? ink);
    if (fill !== null) {
      // The pattern keeps its size, although the map is scaled.
      if (typeof fill !== "string") fill.setTransform(new DOMMatrix().scale(patternSize / scale));
      drawing.fillStyle = fill;
      drawing.fill(shape);
    }
    drawing.strokeStyle = fill === null ? "#c8c8c8" : typeof fill === "string" ? "#ffffff" : "#9e9e9e";
    drawing.stroke(shape);
  }
  drawing.strokeStyle = "#616161";
  drawing.lineWidth = 1 / scale;
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
    const y = marginPx + Math.floor(index / columns) * line.heightPx;
    const fill = fills.get(look) ?? ink;
    if (typeof fill !== "string") fill.setTransform(new DOMMatrix().scale(patternSize));
    drawing.fillStyle = fill;
    drawing.fillRect(x, y, line.swatchPx, line.swatchPx);
    drawing.strokeStyle = "#616161";
    drawing.lineWidth = 0.5;
    drawing.strokeRect(x, y, line.swatchPx, line.swatchPx);
    drawing.fillStyle = ink;
    drawing.fillText(
      `${shownName(beginning(label, mostCharacters))}: ${countiesInWords(count)}`,
      x + line.swatchPx + 6,
      y + line.swatchPx / 2,
      line.columnPx - line.swatchPx - 12,
    );
  });
  if (named.length <= mostNames) {
    drawing.textAlign = "center";
    drawing.strokeStyle = "#ffffff";
    drawing.lineWidth = 3;
    drawing.lineJoin = "round";
    for (const outline of named) {
      const { x, y } = middleOf(outline);
      const name = (countyOf.get(outline.geoid)?.ahj.name ?? "").replace(/ (County|Parish)$/, "");
      const place = [shownName(beginning(name, mostCharacters)), left + x * scale, top + y * scale] as const;
      drawing.strokeText(...place);
      drawing.fillText(...place);
    }
  }
  const said = legend.map(
    ({ label, count }) => `${beginning(label, mostLabelCharacters)}: ${countiesInWords(count)}`,
  );
  return {
    base64: canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, ""),
    altText: `Map of counties, colored by their own answers to ${question}. ${said.join("; ")}.`,
    width: widthPx * pointsPerPx,
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
