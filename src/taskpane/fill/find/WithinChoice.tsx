import { Combobox, Field, Option, Select } from "@fluentui/react-components";
import { useState } from "react";
import { kindWords, usualKinds } from "../../../engine/lookup/directory/kind-words";
import { stateCodes } from "../../../engine/lookup/directory/states";
import { stateName } from "../../../engine/lookup/search/state-names";
import type { Ahj } from "../../../engine/api/schemas";
import { ChosenTags } from "../../ui/lists/ChosenTags";
import { plural, shownName } from "../../ui/labels";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { Within } from "./find-draft";

const codes = [...stateCodes].sort();
const any = "";
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The choice of the jurisdictions to look among: the whole subscription, states, the chosen jurisdictions, or the rows of an import. */
export function WithinChoice({
  within,
  lastStates,
  chosen,
  imports,
  importId,
  onWithin,
  onImport,
}: {
  within: Within;
  /** The states that were chosen before the user chose something else. */
  lastStates: readonly string[];
  /** The jurisdictions that are chosen in the step. */
  chosen: readonly Ahj[];
  /** The imports of the workbook that still have their table. */
  imports: readonly KeptImport[];
  /** The id of the import whose rows are looked among, if one is chosen. */
  importId: string | undefined;
  onWithin: (within: Within) => void;
  onImport: (kept: KeptImport) => void;
}) {
  const kinds = within.kind === "chosen" ? undefined : within.kinds;
  const count = within.kind === "chosen" && importId === undefined ? within.ahjs.length : chosen.length;
  return (
    <>
      <Field label="Look within">
        <Select
          value={importId ?? within.kind}
          onChange={(_, { value }) => {
            if (value === "all") return onWithin({ kind: "all", kinds });
            if (value === "states") return onWithin({ kind: "states", states: lastStates, kinds });
            if (value === "chosen") return onWithin({ kind: "chosen", ahjs: chosen });
            const kept = imports.find(({ saved }) => saved.id === value);
            if (kept) onImport(kept);
          }}
        >
          <option value="all">The whole subscription</option>
          <option value="states">States</option>
          {(count > 0 || within.kind === "chosen") && (
            <option value="chosen">The {plural(count, "jurisdiction")} chosen below</option>
          )}
          {imports.length > 0 && (
            <optgroup label="An import of this workbook">
              {imports.map(({ saved: { id, name } }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </Select>
      </Field>
      {within.kind === "states" && (
        <StatesChoice
          states={within.states}
          onChange={(states) => onWithin({ kind: "states", states, kinds })}
        />
      )}
      {within.kind !== "chosen" && (
        <Field label="Kind">
          <Select
            value={kinds?.[0] ?? any}
            onChange={(_, { value }) => onWithin({ ...within, kinds: value === any ? undefined : [value] })}
          >
            <option value={any}>Any</option>
            {[...new Set([...usualKinds, ...(kinds ?? [])])].map((kind) => (
              <option key={kind} value={kind}>
                {capitalized(shownName(kindWords(kind)))}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </>
  );
}

function StatesChoice({
  states,
  onChange,
}: {
  states: readonly string[];
  onChange: (states: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const wanted = text.trim().toLowerCase();
  const found = codes.filter((code) => `${code} ${stateName(code) ?? ""}`.toLowerCase().includes(wanted));
  return (
    <>
      <Combobox
        aria-label="States"
        multiselect
        freeform
        placeholder="State"
        value={text}
        selectedOptions={[...states]}
        onInput={({ currentTarget: { value } }) => setText(value)}
        open={isOpen}
        onOpenChange={(_, { open }) => {
          setIsOpen(open);
          if (!open) setText("");
        }}
        onOptionSelect={(_, { selectedOptions }) => {
          // One state is the usual choice, and the list covers what comes next. Typing opens it again.
          setIsOpen(false);
          setText("");
          onChange([...selectedOptions].sort());
        }}
      >
        {found.map((code) => (
          <Option key={code} value={code} text={code}>
            {`${code} · ${stateName(code) ?? code}`}
          </Option>
        ))}
        {found.length === 0 && (
          <Option disabled text="">
            Nothing found
          </Option>
        )}
      </Combobox>
      <ChosenTags
        noun="state"
        items={states.map((code, id) => ({ id, label: stateName(code) ?? code }))}
        onRemove={(id) => onChange(states.filter((_, place) => place !== id))}
        onClear={() => onChange([])}
      />
    </>
  );
}
