import { Combobox } from "@fluentui/react-components";
import { useState } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Catalogue } from "../../../engine/lookup/catalogue/catalogue";
import { shownName } from "../../ui/labels";
import { SearchOptions } from "../../ui/lists/SearchOptions";
import { useTabGuard } from "../../ui/lists/use-tab-guard";
import { questionOptions, useTypeSearch } from "./use-type-search";

/** Searches for one question. The first result is chosen by Enter. */
export function QuestionSearch({
  catalogue,
  type,
  types,
  hasFocus = false,
  onType,
  onChoose,
}: {
  catalogue: Pick<Catalogue, "categories">;
  /** The chosen question. */
  type: DataPointType | null;
  /** Undefined until the catalogue is loaded. */
  types: readonly DataPointType[] | undefined;
  /** True if it gets the focus when it appears. */
  hasFocus?: boolean;
  onType?: (text: string) => void;
  onChoose: (type: DataPointType) => void;
}) {
  const [text, setText] = useState<string>();
  const tab = useTabGuard();
  const found = useTypeSearch(catalogue, types, text ?? "");
  return (
    <Combobox
      aria-label="Question"
      autoFocus={hasFocus}
      freeform
      placeholder="Question"
      value={text ?? (type ? shownName(type.name) : "")}
      selectedOptions={type ? [String(type.id)] : []}
      onInput={({ currentTarget: { value } }) => {
        tab.noteTyping();
        setText(value);
        onType?.(value);
      }}
      onKeyDown={tab.noteKey}
      // Typed text without a choice is replaced by the chosen question's name.
      onBlur={() => type && setText(undefined)}
      onOptionSelect={(event, { optionValue }) => {
        // Enter chooses the first result, as in the other searches. Tab chooses only if the user has moved through the list.
        if ("key" in event && event.key === "Tab" && !tab.isLookingDown()) return;
        const chosen = types?.find(({ id }) => String(id) === optionValue);
        if (!chosen) return;
        setText(undefined);
        onChoose(chosen);
      }}
    >
      <SearchOptions {...questionOptions(found)} />
    </Combobox>
  );
}
