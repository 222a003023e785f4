import { makeStyles, Text, tokens } from "@fluentui/react-components";
import type { CSSProperties } from "react";
import { countiesInWords, type CountyMap, legendOf } from "../../../pictures/county-map";
import { beginning, shownName } from "../../ui/labels";
import { Swatch } from "./looks";

const useStyles = makeStyles({
  legend: {
    display: "grid",
    gridTemplateColumns: "repeat(auto-fill, minmax(140px, 1fr))",
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    margin: 0,
    padding: 0,
    listStyleType: "none",
  },
  entry: { display: "flex", alignItems: "center", gap: tokens.spacingHorizontalXS, minWidth: 0 },
  label: { overflowWrap: "anywhere" },
});

const mostCharacters = 60;

/** The legend: each color and pattern with its meaning and its number of counties. */
export function MapLegend({ map, colors }: { map: CountyMap; colors: CSSProperties }) {
  const styles = useStyles();
  return (
    <ul className={styles.legend} role="list" aria-label="Legend" style={colors}>
      {legendOf(map).map(({ look, label, count }) => (
        <li key={look} className={styles.entry}>
          <Swatch look={look} />
          <Text size={200} className={styles.label}>
            {shownName(beginning(label, mostCharacters))}: {countiesInWords(count)}
          </Text>
        </li>
      ))}
    </ul>
  );
}
