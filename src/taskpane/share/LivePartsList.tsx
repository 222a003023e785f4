import { makeStyles, Text, tokens } from "@fluentui/react-components";
import { plural } from "../ui/labels";
import type { LiveParts } from "./use-share";

const useStyles = makeStyles({
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
});

const mostNamed = 5;

/** What of the workbook goes on living with whoever opens it. */
export function LivePartsList({ live: { formulas, frozen, imports } }: { live: LiveParts }) {
  const styles = useStyles();
  const names = imports.slice(0, mostNamed).map(({ saved }) => saved.name);
  if (imports.length > mostNamed) names.push(`${imports.length - mostNamed} more`);
  return (
    <div>
      <Text weight="semibold">What stays live</Text>
      <ul className={styles.list} role="list" aria-label="What stays live">
        {formulas + frozen + imports.length === 0 && (
          <li>Nothing of RegData: the workbook holds plain values.</li>
        )}
        {formulas > 0 && (
          <li>{plural(formulas, "formula")}: they ask again with the key of whoever opens the workbook.</li>
        )}
        {frozen > 0 && (
          <li>
            {plural(frozen, "frozen formula")}: plain values. Unfreeze brings them back, here and for
            colleagues with RegData.
          </li>
        )}
        {imports.length > 0 && (
          <li>
            {plural(imports.length, "import")}: plain tables. Colleagues with RegData can refresh them with
            their own key: {names.join(", ")}.
          </li>
        )}
      </ul>
    </div>
  );
}
