import { Button, Field, makeStyles, ProgressBar, Select, Text, tokens } from "@fluentui/react-components";
import { useCallback, useMemo, useState } from "react";
import { countiesInWords, type CountyMap, countyMap, type DrawnCounty } from "../../../pictures/county-map";
import { type CountyOutlines, countyOutlines } from "../../../pictures/county-outlines";
import { partsOf, statesOf } from "../../../pictures/map-parts";
import type { PicturedAnswer, PicturedQuestion } from "../../../pictures/pictured-answers";
import { FailureMessage } from "../../ui/FailureMessage";
import { beginning, plural, shownName } from "../../ui/labels";
import { useAction } from "../use-action";
import { useLoad } from "../../ui/loading/use-load";
import CountyTable from "./CountyTable";
import { useLookColors } from "./looks";
import { MapDrawing } from "./MapDrawing";
import { MapLegend } from "./MapLegend";
import { drawMapPicture, type MapPicture } from "./map-picture";

const useStyles = makeStyles({
  whole: { display: "flex", flexDirection: "column", gap: tokens.spacingVerticalS },
  choices: {
    display: "flex",
    gap: tokens.spacingHorizontalS,
    "& > *": { flex: "1 1 0", minWidth: 0 },
  },
  // The text always has two lines, so that the map does not move while the mouse does.
  told: {
    display: "-webkit-box",
    WebkitBoxOrient: "vertical",
    WebkitLineClamp: 2,
    height: `calc(2 * ${tokens.lineHeightBase300})`,
    overflow: "hidden",
    overflowWrap: "anywhere",
  },
});

interface Props {
  question: PicturedQuestion;
  answers: () => readonly PicturedAnswer[];
  /** Shows the row of a jurisdiction in the sheet; undefined if there is no sheet yet. */
  goTo: ((ahjId: number) => void) | undefined;
  /** Puts a picture of the map into the sheet; undefined if there is no sheet yet. */
  insertMap: ((picture: MapPicture) => Promise<string>) | undefined;
}

/** A map of counties. This script and the shapes are loaded when a map is first shown. */
export default function CountyMapView(props: Props) {
  const { value: outlines, failure, retry } = useLoad(loadOutlines);
  if (failure) return <FailureMessage failure={failure} onRetry={retry} />;
  if (!outlines) return <ProgressBar aria-label="Loading the map" />;
  return <LoadedMap {...props} outlines={outlines} />;
}

let loaded: Promise<CountyOutlines> | undefined;

/** Loads the shapes once for all maps, and again after a failure. */
function loadOutlines(): Promise<CountyOutlines> {
  loaded ??= import("us-atlas/counties-10m.json").then(
    ({ default: shapes }) => countyOutlines(shapes),
    (thrown: unknown) => {
      loaded = undefined;
      throw thrown;
    },
  );
  return loaded;
}

function LoadedMap({ question, answers, goTo, insertMap, outlines }: Props & { outlines: CountyOutlines }) {
  const styles = useStyles();
  const map = useMemo(() => {
    const shapes = new Set(outlines.counties.map(({ geoid }) => geoid));
    return countyMap(question, answers(), shapes);
  }, [question, answers, outlines]);
  const looks = useMemo(() => new Map(map.counties.map(({ geoid, look }) => [geoid, look])), [map]);
  const states = useMemo(() => statesOf(map), [map]);
  const colors = useLookColors(map.scale, map.classes.length);
  const { parts, first } = useMemo(() => partsOf(states), [states]);
  const [partKey, setPartKey] = useState<string | null>(null);
  // The chosen part may be missing, because other answers may have other states.
  const part = parts.find(({ key }) => key === partKey) ?? first;
  const [chosen, setChosen] = useState("");
  const [pointed, setPointed] = useState<string | null>(null);
  const [isTable, setIsTable] = useState(false);
  const lit = pointed ?? (chosen || null);
  const told = map.counties.find(({ geoid }) => geoid === lit);
  const ofChosen = map.counties.find(({ geoid }) => geoid === chosen);
  const isAll = part.states.length === 0;
  const shownStates = states.filter(({ digits }) => isAll || part.states.includes(digits));
  const isListed = !isAll || map.counties.length <= mostListed;
  const onPress = useCallback(
    (geoid: string) => {
      setChosen(geoid);
      const county = map.counties.find((each) => each.geoid === geoid);
      if (county) goTo?.(county.ahj.id);
    },
    [map, goTo],
  );
  if (map.counties.length === 0) {
    return (
      <div className={styles.whole}>
        <Text size={200}>No county to draw: counties are found by their geoIDs.</Text>
        <NotDrawn map={map} goTo={goTo} />
      </div>
    );
  }
  const label = `Map of ${countiesInWords(map.counties.length)}, colored by their own answers to ${question.name}. The table has the same in words.`;
  return (
    <div className={styles.whole}>
      <div className={styles.choices}>
        <Field label="State">
          <Select
            value={part.key}
            onChange={(_, { value }) => {
              setPartKey(value);
              setChosen("");
            }}
          >
            {parts.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="County">
          <Select
            value={chosen}
            onChange={(_, { value }) => {
              setChosen(value);
              // The choice wins over the county that the mouse points at.
              setPointed(null);
            }}
          >
            <option value="">{isListed ? "None chosen" : "Choose a state"}</option>
            {(isListed ? shownStates : []).map(({ digits, name, counties }) => (
              <optgroup key={digits} label={name}>
                {counties.map((county) => (
                  <option key={county.geoid} value={county.geoid}>
                    {part.states.length === 1 ? inWords(county) : inWords(county, `, ${shownName(name)}`)}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        </Field>
      </div>
      {!isTable && (
        <Text className={styles.told}>
          {told ? inWords(told, `, ${shownName(told.ahj.state_code)}`) : "Point at a county, or choose one."}
          {told && told.cities > 0 && ` (and ${citiesInWords(told.cities)} inside)`}
        </Text>
      )}
      <div>
        {isTable ? (
          <CountyTable
            label={`Counties, ${question.name}`}
            counties={shownStates.flatMap(({ counties }) => counties)}
            goTo={goTo}
          />
        ) : (
          <MapDrawing
            states={part.states}
            {...{ label, outlines, looks, colors, lit, onPress }}
            onPoint={setPointed}
          />
        )}
      </div>
      <div>
        {ofChosen && goTo && (
          <Button size="small" onClick={() => goTo(ofChosen.ahj.id)}>
            Go to its row
          </Button>
        )}{" "}
        <Button size="small" onClick={() => setIsTable((before) => !before)}>
          {isTable ? "Show as map" : "Show as table"}
        </Button>{" "}
        {insertMap && (
          <InsertMap
            insert={() =>
              insertMap(drawMapPicture(map, outlines, { states: part.states, question: question.name }))
            }
          />
        )}
      </div>
      <MapLegend map={map} colors={colors} />
      <NotDrawn map={map} goTo={goTo} />
    </div>
  );
}

function InsertMap({ insert }: { insert: () => Promise<string> }) {
  const { act, isBusy, outcome } = useAction();
  return (
    <>
      <Button
        size="small"
        disabledFocusable={isBusy}
        onClick={() => act(async () => `Inserted on ${await insert()}.`)}
      >
        Insert map
      </Button>
      {outcome}
    </>
  );
}

const mostCharacters = 120;

/** A choice of more counties is not offered: making the list would take longer than drawing the map. */
const mostListed = 300;

function inWords({ ahj, text }: Pick<DrawnCounty, "ahj" | "text">, state = ""): string {
  return `${shownName(ahj.name)}${state}: ${shownName(beginning(text, mostCharacters))}`;
}

function citiesInWords(count: number): string {
  return count === 1 ? "1 city or town" : `${count.toLocaleString()} cities and towns`;
}

/** Says what the map leaves out: counties without a shape by name, all others by their number. */
function NotDrawn({ map: { notDrawn, withoutShape }, goTo }: { map: CountyMap; goTo: Props["goTo"] }) {
  const { states, cities, others } = notDrawn;
  const counted = [
    states > 0 ? plural(states, "state") : "",
    cities > 0 ? citiesInWords(cities) : "",
    others > 0 ? plural(others, "other jurisdiction") : "",
  ].filter((each) => each !== "");
  return (
    <>
      {counted.length > 0 && (
        <Text size={200}>Not on the map, which shows counties’ own answers: {counted.join(", ")}.</Text>
      )}
      {withoutShape.length > 0 && (
        <>
          <Text size={200}>
            {countiesInWords(withoutShape.length)} without a shape, too new or too small for this map of 2017:
          </Text>
          <CountyTable label="Counties without a shape" counties={withoutShape} goTo={goTo} />
        </>
      )}
    </>
  );
}
