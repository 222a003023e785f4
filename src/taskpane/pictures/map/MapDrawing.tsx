import { makeStyles, mergeClasses, tokens } from "@fluentui/react-components";
import { type CSSProperties, memo, type MouseEvent, useId } from "react";
import { boxOf, type CountyOutlines } from "../../../pictures/county-outlines";
import type { CountyLook } from "../../../pictures/county-map";
import { isWithin } from "../../../pictures/map-parts";
import { LookPatterns, patternId, useLookStyles } from "./looks";

const useStyles = makeStyles({
  map: { display: "block", width: "100%", maxHeight: "60vh", forcedColorAdjust: "none" },
  counties: {
    stroke: tokens.colorNeutralBackground1,
    "@media (forced-colors: active)": { stroke: "Canvas" },
    "& [data-look]": { cursor: "pointer" },
    // A pattern has no edge of its own.
    "& [fill]": {
      stroke: tokens.colorNeutralForeground3,
      strokeOpacity: 0.5,
      "@media (forced-colors: active)": { stroke: "CanvasText" },
    },
  },
  lines: {
    fill: "none",
    pointerEvents: "none",
    strokeLinejoin: "round",
  },
  borders: {
    stroke: tokens.colorNeutralForeground3,
    "@media (forced-colors: active)": { stroke: "CanvasText" },
  },
  halo: {
    stroke: tokens.colorNeutralBackground1,
    "@media (forced-colors: active)": { stroke: "Canvas" },
  },
  lit: {
    stroke: tokens.colorNeutralForeground1,
    "@media (forced-colors: active)": { stroke: "Highlight" },
  },
});

/** The width in CSS pixels that a pane gives a map, about: lines and patterns are made to be seen at it. */
const usualWidthPx = 320;

/** A state is seen with a little of what lies around it. */
const margin = 0.01;

export interface MapDrawingProps {
  label: string;
  outlines: CountyOutlines;
  looks: ReadonlyMap<string, CountyLook>;
  colors: CSSProperties;
  /** The states that are looked at, by the first two digits of their counties' geoIDs; all if there are none. The same array while they are the same. */
  states: readonly string[];
  /** The geoID of the county that is pointed at or chosen. */
  lit: string | null;
  onPoint: (geoid: string | null) => void;
  onPress: (geoid: string) => void;
}

export function MapDrawing({
  label,
  outlines,
  looks,
  colors,
  states,
  lit,
  onPoint,
  onPress,
}: MapDrawingProps) {
  const styles = useStyles();
  const box = boxOf(outlines, states);
  const unitsPerPx = Math.max(box.width, box.height) / usualWidthPx;
  const id = useId();
  const room = Math.max(box.width, box.height) * margin;
  const view = [box.x - room, box.y - room, box.width + 2 * room, box.height + 2 * room];
  const geoidAt = ({ target }: MouseEvent) =>
    target instanceof SVGElement ? (target.dataset.geoid ?? null) : null;
  const litPath = outlines.counties.find(({ geoid }) => geoid === lit)?.path;
  return (
    <svg
      className={styles.map}
      viewBox={view.join(" ")}
      role="img"
      aria-label={label}
      style={colors}
      onPointerMove={(event) => onPoint(geoidAt(event))}
      onPointerLeave={() => onPoint(null)}
      onClick={(event) => {
        const geoid = geoidAt(event);
        if (geoid !== null) onPress(geoid);
      }}
    >
      <LookPatterns id={id} size={5 * unitsPerPx} />
      <g className={styles.counties} strokeWidth={0.25 * unitsPerPx}>
        <Counties {...{ outlines, looks, states, id }} />
      </g>
      <path
        className={mergeClasses(styles.lines, styles.borders)}
        d={outlines.stateBorders}
        strokeWidth={0.5 * unitsPerPx}
      />
      {litPath !== undefined && (
        <>
          <path
            className={mergeClasses(styles.lines, styles.halo)}
            d={litPath}
            strokeWidth={4 * unitsPerPx}
          />
          <path className={mergeClasses(styles.lines, styles.lit)} d={litPath} strokeWidth={2 * unitsPerPx} />
        </>
      )}
    </svg>
  );
}

/** Thousands of paths: drawn once, whatever is pointed at. */
const Counties = memo(function Counties({
  outlines,
  looks,
  states,
  id,
}: Pick<MapDrawingProps, "outlines" | "looks" | "states"> & { id: string }) {
  const styles = useLookStyles();
  return (
    <g className={styles.looks}>
      {outlines.counties.map(({ geoid, path }) => {
        const look = looks.get(geoid);
        if (look === undefined || !isWithin(geoid, states)) return null;
        const fill = typeof look === "number" ? undefined : `url(#${patternId(id, look)})`;
        return <path key={geoid} d={path} data-geoid={geoid} data-look={look} fill={fill} />;
      })}
    </g>
  );
});
