import { makeStyles, tokens, webDarkTheme } from "@fluentui/react-components";
import { type CSSProperties, useId } from "react";
import type { CountyLook } from "../../../pictures/county-map";
import { useTheme } from "../../ui/use-theme";
import { classColors, opacitiesOf } from "./map-colors";

/** The color of a class comes from CSS variables. In high contrast it is the user's own text color, in different strengths. */
const look = (index: number) => ({
  fill: `var(--color-${index})`,
  "@media (forced-colors: active)": { fill: "CanvasText", fillOpacity: `var(--opacity-${index})` },
});

export const useLookStyles = makeStyles({
  looks: {
    "& [data-look='0']": look(0),
    "& [data-look='1']": look(1),
    "& [data-look='2']": look(2),
    "& [data-look='3']": look(3),
    "& [data-look='4']": look(4),
  },
  pattern: {
    stroke: tokens.colorNeutralForeground3,
    "@media (forced-colors: active)": { stroke: "CanvasText" },
  },
  swatch: {
    flexShrink: 0,
    width: "20px",
    height: "14px",
    forcedColorAdjust: "none",
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStrokeAccessible}`,
    "@media (forced-colors: active)": { border: `${tokens.strokeWidthThin} solid CanvasText` },
  },
});

/** The CSS variables for the colors of a map and its legend. */
export function useLookColors(scale: "amounts" | "kinds", classes: number): CSSProperties {
  const theme = useTheme() === webDarkTheme ? "dark" : "light";
  const opacities = opacitiesOf(classes);
  return Object.fromEntries(
    classColors(theme, scale, classes).flatMap((color, index) => [
      [`--color-${index}`, color],
      [`--opacity-${index}`, opacities[index]],
    ]),
  ) as CSSProperties;
}

type Patterned = Exclude<CountyLook, number>;

export function patternId(id: string, look: Patterned): string {
  return `${id}-${look.replace(" ", "-")}`;
}

/** The patterns of a map: hatching for answers that are not known, dots for no value, upright lines for words. */
export function LookPatterns({ id, size }: { id: string; size: number }) {
  const styles = useLookStyles();
  const pattern = { width: size, height: size, patternUnits: "userSpaceOnUse" };
  const [half, quarter] = [size / 2, size / 4];
  return (
    <defs className={styles.pattern} strokeWidth={size / 5}>
      <pattern id={patternId(id, "not known")} {...pattern}>
        {/* The path goes beyond the tile's corners, so that lines are whole where tiles meet. */}
        <path
          d={`M${-quarter} ${quarter}L${quarter} ${-quarter}M0 ${size}L${size} 0M${size - quarter} ${size + quarter}L${size + quarter} ${size - quarter}`}
        />
      </pattern>
      <pattern id={patternId(id, "no value")} {...pattern}>
        <path d={`M${half} ${half}h0.001`} strokeLinecap="round" />
      </pattern>
      <pattern id={patternId(id, "words")} {...pattern}>
        <path d={`M${half} 0V${size}`} />
      </pattern>
    </defs>
  );
}

/** A sample of a color or pattern for the legend. */
export function Swatch({ look }: { look: CountyLook }) {
  const styles = useLookStyles();
  const id = useId();
  const fill = typeof look === "number" ? undefined : `url(#${patternId(id, look)})`;
  return (
    <svg className={styles.swatch} viewBox="0 0 20 14" aria-hidden="true">
      {typeof look !== "number" && <LookPatterns id={id} size={5} />}
      <g className={styles.looks}>
        <rect width="20" height="14" data-look={look} fill={fill} />
      </g>
    </svg>
  );
}
