import {
  Button,
  Field,
  makeStyles,
  MessageBar,
  MessageBarBody,
  Select,
  tokens,
} from "@fluentui/react-components";
import { useMemo, useRef, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import { createTerritories, entryOf, mostEntries } from "../../../settings/choices/saved-territories";
import { createPartStorage } from "../../../workbook/sheet/parts/part-storage";
import type { PaneApp } from "../../pane-app";
import { plural } from "../../ui/labels";
import { NameForm } from "../../ui/lists/NameForm";
import { type Keeper, namesOf, useNamedLists } from "../../ui/lists/use-named-lists";
import { useLastChoice } from "../use-last-choice";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  // A native select is as wide as its longest option.
  narrow: { minWidth: 0, "& select": { minWidth: 0, width: "100%" } },
});

const groups: Record<Keeper, string> = { device: "Your territories", workbook: "In this workbook" };

/** Jurisdictions that the user has kept together, and those of the last import. */
export default function Territories({
  app,
  chosen,
  isBusy,
  onAdd,
}: {
  app: PaneApp;
  chosen: readonly Ahj[];
  isBusy: boolean;
  /** Adds entries as a list gives them: a geoID each, or `ahj:` and an id. */
  onAdd: (entries: readonly string[]) => void;
}) {
  const styles = useStyles();
  const { storage, workbook } = app;
  const saved = useNamedLists(
    useMemo(
      () => ({
        device: createTerritories(storage),
        workbook: createTerritories(createPartStorage(workbook, "urn:regdata:territories")),
      }),
      [storage, workbook],
    ),
  );
  const last = useLastChoice(app, chosen.length === 0)?.entries ?? [];
  const [key, setKey] = useState("");
  const [isNaming, setIsNaming] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  const lists = (["device", "workbook"] as const).flatMap((keeper) =>
    saved.lists[keeper].map((list) => ({ ...list, keeper, key: `${keeper} ${list.name}` })),
  );
  const list = lists.find((each) => each.key === key);
  const isTooLarge = chosen.length > mostEntries;

  return (
    <>
      {lists.length > 0 && (
        <Field label="Saved territory">
          <Select
            ref={select}
            className={styles.narrow}
            value={list?.key ?? ""}
            onChange={(_, { value }) => setKey(value)}
          >
            <option value="">Choose one</option>
            {(["device", "workbook"] as const)
              .filter((keeper) => saved.lists[keeper].length > 0)
              .map((keeper) => (
                <optgroup key={keeper} label={groups[keeper]}>
                  {lists
                    .filter((each) => each.keeper === keeper)
                    .map((each) => (
                      <option key={each.key} value={each.key}>
                        {each.name} ({each.entries.length.toLocaleString()})
                      </option>
                    ))}
                </optgroup>
              ))}
          </Select>
        </Field>
      )}
      <div className={styles.row}>
        {list && (
          <>
            <Button size="small" disabledFocusable={isBusy} onClick={() => onAdd(list.entries)}>
              Add {plural(list.entries.length, "jurisdiction")}
            </Button>
            <Button
              size="small"
              onClick={() => {
                select.current?.focus();
                setKey("");
                saved.remove(list.name, list.keeper);
              }}
            >
              Delete this territory
            </Button>
          </>
        )}
        {chosen.length === 0 && last.length > 0 && (
          <Button size="small" disabledFocusable={isBusy} onClick={() => onAdd(last)}>
            Same {plural(last.length, "jurisdiction")} as last time
          </Button>
        )}
        {chosen.length > 0 && (
          <Button size="small" aria-expanded={isNaming} onClick={() => setIsNaming((before) => !before)}>
            Save as a territory…
          </Button>
        )}
      </div>
      {isNaming && chosen.length > 0 && !isTooLarge && (
        <NameForm
          label="Name of the territory"
          names={namesOf(saved.lists)}
          onSave={(name, where) => {
            saved.save({ name, entries: chosen.map(entryOf) }, where);
            setKey(`${where} ${name}`);
            setIsNaming(false);
          }}
        />
      )}
      {isNaming && isTooLarge && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            A territory holds up to {mostEntries.toLocaleString()} jurisdictions. Choose whole states with
            State instead.
          </MessageBarBody>
        </MessageBar>
      )}
      {saved.problem && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>Your territories can't be {saved.problem}.</MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
