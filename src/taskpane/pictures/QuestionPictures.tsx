import { Text } from "@fluentui/react-components";
import { type ReactNode, useState } from "react";
import { type PicturedAnswer, unitOfFormat } from "../../pictures/pictured-answers";
import type { QuestionPicture } from "../../pictures/question-picture";
import { Details } from "../ui/Details";
import { beginning, shownName } from "../ui/labels";
import { lazyView } from "../ui/loading/lazy-view";
import { ScreenBoundary } from "../ui/loading/ScreenBoundary";
import type { MapPicture } from "./map/map-picture";
import { HistogramView, SelectedKey } from "./HistogramView";
import { KindBars } from "./KindBars";
import StateTableView from "./StateTableView";

const CountyMapView = lazyView(() => import("./map/CountyMapView"));

/** Pictures of one question of an import or a find: its answers as a whole, by state, and on a map. */
export function QuestionPictures({
  picture: { question, counts, amounts, kinds },
  answers,
  selected,
  goTo,
  insertMap,
}: {
  picture: QuestionPicture;
  /** One answer for each jurisdiction, made when a picture needs them. Pass a stable function. */
  answers: () => readonly PicturedAnswer[];
  /** The answer in the row that is selected in the sheet; null if there is none. */
  selected: PicturedAnswer | null;
  /** Shows the row of a jurisdiction in the sheet; left out if there is no sheet yet. */
  goTo?: (ahjId: number) => void;
  /** Puts a picture of the map into the sheet, and returns the sheet's name. */
  insertMap?: (picture: MapPicture) => Promise<string>;
}) {
  const facts = [
    `${counts.value.toLocaleString()} with a value`,
    `${counts.none.toLocaleString()} none`,
    ...(counts.unknown > 0 ? [`${counts.unknown.toLocaleString()} not known`] : []),
    ...(counts.edited > 0 ? [`${counts.edited.toLocaleString()} edited and left out`] : []),
  ];
  const { isAmount, textOf } = unitOfFormat(question, amounts?.numberFormat ?? null);
  const shown = selected?.shown;
  const selectedText = typeof shown === "object" ? textOf(shown) : shown;
  const selectedValue = typeof shown === "object" && isAmount(shown) ? shown.value : null;
  return (
    <>
      <Text weight="semibold">{shownName(question.name)}</Text>
      <Text size={200}>{facts.join(", ")}</Text>
      {amounts && <HistogramView amounts={amounts} selected={selectedValue} />}
      {selected && selectedText !== undefined && (
        <Text size={200}>
          {selectedValue !== null && <SelectedKey />}
          Selected row: {shownName(beginning(selectedText, mostCharacters))}, {shownName(selected.ahj.name)}
        </Text>
      )}
      <KindBars kinds={kinds} />
      {counts.value > 0 && (
        <>
          <Opened title="By state">
            <StateTableView question={question} answers={answers} />
          </Opened>
          <Opened title="Map">
            <CountyMapView {...{ question, answers, goTo, insertMap }} />
          </Opened>
        </>
      )}
    </>
  );
}

const mostCharacters = 120;

/** Draws its content only while it is open. */
function Opened({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Details title={title} onToggle={setIsOpen}>
      {isOpen && <ScreenBoundary>{children}</ScreenBoundary>}
    </Details>
  );
}
