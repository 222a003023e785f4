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
    // A shape filled with a pattern needs a stroke, because a pattern has no edge.
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

/** In CSS pixels: the width of a map in a usual pane, for which lines and patterns are sized. */
const usualWidthPx = 320;

/** The part around a state that is shown with it. */
const margin = 0.01;

export interface MapDrawingProps {
  label: string;
  outlines: CountyOutlines;
  looks: ReadonlyMap<string, CountyLook>;
  colors: CSSProperties;
  /**
   * The first two digits of the counties' geoIDs, for the states to show; all states if it is empty. Pass the same array while the states
   * are the same.
   */
  states: readonly string[];
  /** The geoID of the county that is pointed at or chosen; null for none. */
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

/** These are thousands of paths, so they are drawn only once, whatever the mouse points at. */
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
