import { makeStyles, Text, tokens } from "@fluentui/react-components";
import { plural } from "../ui/labels";
import type { LiveParts } from "./share-control";

const useStyles = makeStyles({
  list: { margin: 0, paddingLeft: tokens.spacingHorizontalL, overflowWrap: "anywhere" },
});

const mostNamed = 5;

/** The parts of the workbook that still change for anybody who opens it. */
export function LivePartsList({ live: { formulas, frozen, imports } }: { live: LiveParts }) {
  const styles = useStyles();
  const names = imports.slice(0, mostNamed).map(({ saved }) => saved.name);
  if (imports.length > mostNamed) names.push(`${imports.length - mostNamed} more`);
  return (
    <div>
      <Text weight="semibold">Still connected to RegData</Text>
      <ul className={styles.list} role="list" aria-label="Still connected to RegData">
        {formulas + frozen + imports.length === 0 && <li>Nothing. The workbook holds plain values.</li>}
        {formulas > 0 && (
          <li>{plural(formulas, "formula")}: updated with the key of whoever opens the workbook.</li>
        )}
        {frozen > 0 && (
          <li>
            {plural(frozen, "frozen formula")}: plain values until somebody with RegData chooses Unfreeze.
          </li>
        )}
        {imports.length > 0 && (
          <li>
            {plural(imports.length, "import")}: plain tables that colleagues can refresh with their own key:
            <ul className={styles.list}>
              {names.map((name, index) => (
                <li key={index}>{name}</li>
              ))}
            </ul>
          </li>
        )}
      </ul>
    </div>
  );
}
