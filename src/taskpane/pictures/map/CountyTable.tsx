import { Link } from "@fluentui/react-components";
import type { DrawnCounty } from "../../../pictures/county-map";
import { beginning, shownName } from "../../ui/labels";
import { useTableStyles } from "../table-styles";

/** The counties of a map in a table. Their names lead to their rows. */
export default function CountyTable({
  label,
  counties,
  goTo,
}: {
  label: string;
  counties: readonly Omit<DrawnCounty, "look">[];
  goTo: ((ahjId: number) => void) | undefined;
}) {
  const styles = useTableStyles();
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">County</th>
          <th scope="col">State</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {counties.map(({ ahj, geoid, text }) => (
          <tr key={geoid}>
            <th scope="row">
              {goTo ? <Link onClick={() => goTo(ahj.id)}>{shownName(ahj.name)}</Link> : shownName(ahj.name)}
            </th>
            <td>{shownName(ahj.state_code)}</td>
            <td>{shownName(beginning(text, mostCharacters))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The number of characters of a text that are shown: a text may be as long as a page. */
const mostCharacters = 120;
