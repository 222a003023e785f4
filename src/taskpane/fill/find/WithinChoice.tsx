import { Combobox, Field, Option, Select } from "@fluentui/react-components";
import { useState } from "react";
import { stateCodes } from "../../../engine/lookup/directory/states";
import { stateName } from "../../../engine/lookup/search/state-names";
import type { Ahj } from "../../../engine/api/schemas";
import { ChosenTags } from "../../ui/lists/ChosenTags";
import { plural } from "../../ui/labels";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { Within } from "./find-draft";

const codes = [...stateCodes].sort();

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
  const count = within.kind === "chosen" && importId === undefined ? within.ahjs.length : chosen.length;
  return (
    <>
      <Field label="Look within">
        <Select
          value={importId ?? within.kind}
          onChange={(_, { value }) => {
            if (value === "all") return onWithin({ kind: "all" });
            if (value === "states") return onWithin({ kind: "states", states: lastStates });
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
        <StatesChoice states={within.states} onChange={(states) => onWithin({ kind: "states", states })} />
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
        onOpenChange={(_, { open }) => open || setText("")}
        onOptionSelect={(_, { selectedOptions }) => {
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
