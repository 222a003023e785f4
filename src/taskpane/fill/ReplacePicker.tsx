import {
  Button,
  Field,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Select,
} from "@fluentui/react-components";
import { useRef } from "react";
import type { TableSize } from "../../workbook/sheet/layout/table-plan";
import { FailureMessage } from "../ui/FailureMessage";
import { plural } from "../ui/labels";
import type { Replaceable, ReplaceableImports } from "./use-replaceable";

// A native select is as wide as its longest name.
const useStyles = makeStyles({ narrow: { minWidth: 0, "& select": { minWidth: 0, width: "100%" } } });

/** Chooses an earlier import to be replaced, and says what that takes away before it is done. */
export function ReplacePicker({
  replaceable: { imports, chosen, failure, choose },
  size,
  isRunning,
  onReplace,
}: {
  replaceable: ReplaceableImports;
  /** Of the new table; null while there is none. */
  size: TableSize | null;
  isRunning: boolean;
  onReplace: (chosen: Replaceable) => void;
}) {
  const styles = useStyles();
  const select = useRef<HTMLSelectElement>(null);
  if (imports.length === 0) return null;
  return (
    <>
      <Field label="In place of an earlier import">
        <Select
          ref={select}
          className={styles.narrow}
          value={chosen?.kept.saved.id ?? ""}
          onChange={(_, { value }) => choose(imports.find(({ saved }) => saved.id === value) ?? null)}
        >
          <option value="">None</option>
          {imports.map(({ saved: { id, name }, place }) => (
            <option key={id} value={id}>
              {name} ({place?.address})
            </option>
          ))}
        </Select>
      </Field>
      {failure && <FailureMessage failure={failure} />}
      {chosen && size && !isRunning && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>“{chosen.kept.saved.name}” will be replaced.</MessageBarTitle>
            {plural(chosen.rows, "row")} × {plural(chosen.columns, "column")} in {chosen.address} make room
            for at most {plural(size.rows, "row")} × {plural(size.columns, "column")}.
            {chosen.ownColumns.length > 0 &&
              ` Your own columns in it are lost: ${chosen.ownColumns.join(", ")}.`}
            {chosen.ownRows > 0 && ` ${plural(chosen.ownRows, "row")} of your own would be lost, too.`}
          </MessageBarBody>
          <MessageBarActions>
            <Button
              onClick={() => {
                select.current?.focus();
                onReplace(chosen);
              }}
            >
              Replace it
            </Button>
            <Button
              onClick={() => {
                select.current?.focus();
                choose(null);
              }}
            >
              Leave it
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
    </>
  );
}
