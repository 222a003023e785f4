import { makeStyles, tokens } from "@fluentui/react-components";

const useStyles = makeStyles({
  table: {
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    borderSpacing: 0,
    "& th": { fontWeight: tokens.fontWeightRegular, color: tokens.colorNeutralForeground2 },
    // A column is at least as wide as its longest word.
    "& th[scope=row]": { overflowWrap: "break-word" },
    "& th, & td": {
      textAlign: "left",
      verticalAlign: "top",
      padding: 0,
      paddingRight: tokens.spacingHorizontalM,
    },
  },
});

/** A small table of names and facts, without a head, or with a head and several columns. */
export function FactTable({
  label,
  head,
  rows,
}: {
  label: string;
  head?: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  const styles = useStyles();
  return (
    <table className={styles.table} aria-label={label}>
      {head && (
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([name, ...facts]) => (
          <tr key={name}>
            {head ? <td>{name}</td> : <th scope="row">{name}</th>}
            {facts.map((fact, at) => (
              <td key={at}>{fact}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
