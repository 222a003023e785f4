import { Button, makeStyles, MessageBar, MessageBarBody, tokens } from "@fluentui/react-components";
import { useRef, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import { createTerritories, entryOf, mostEntries } from "../../../settings/choices/saved-territories";
import type { PaneApp } from "../../pane-app";
import { plural } from "../../ui/labels";
import { GroupedSelect } from "../../ui/lists/GroupedSelect";
import { NameForm } from "../../ui/lists/NameForm";
import { type Keeper, useNamedLists } from "../../ui/lists/use-named-lists";
import { useLastChoice } from "../use-last-choice";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

const keepers = ["device", "workbook"] as const;
const groupNames: Record<Keeper, string> = { device: "Your territories", workbook: "In this workbook" };

/** Offers the user's saved territories, and the jurisdictions of the last import. */
export default function Territories({
  app,
  chosen,
  isBusy,
  offersLast,
  onAdd,
}: {
  app: PaneApp;
  chosen: readonly Ahj[];
  isBusy: boolean;
  /** True if the jurisdictions of the last import are offered. */
  offersLast: boolean;
  /** Adds entries in the form that a list has: geoIDs, or `ahj:` and an id. */
  onAdd: (entries: readonly string[]) => void;
}) {
  const styles = useStyles();
  const saved = useNamedLists(app, createTerritories, "urn:regdata:territories");
  const last = useLastChoice(app, offersLast && chosen.length === 0)?.entries ?? [];
  const [key, setKey] = useState("");
  const [isNaming, setIsNaming] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  const groups = keepers
    .map((keeper) => ({
      name: groupNames[keeper],
      lists: saved.lists[keeper].map((list) => ({
        ...list,
        keeper,
        key: `${keeper} ${list.name}`,
        count: list.entries.length,
      })),
    }))
    .filter(({ lists }) => lists.length > 0);
  const list = groups.flatMap(({ lists }) => lists).find((each) => each.key === key);
  const isTooLarge = chosen.length > mostEntries;

  return (
    <>
      {groups.length > 0 && (
        <GroupedSelect
          label="Saved territory"
          groups={groups}
          value={list?.key ?? ""}
          select={select}
          onChange={setKey}
        />
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
        {offersLast && chosen.length === 0 && last.length > 0 && (
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
          names={saved.names}
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
