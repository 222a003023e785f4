import { Button, Card, makeStyles, Text, tokens } from "@fluentui/react-components";
import type { Ahj } from "../../../engine/api/schemas";
import type { Job } from "../../jobs/jobs";
import { JobView } from "../../jobs/JobView";
import { FailureMessage } from "../../ui/FailureMessage";
import { shownName } from "../../ui/labels";
import { FactList } from "./FactList";
import type { JurisdictionFacts } from "../facts/jurisdiction-facts";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  card: { overflowWrap: "anywhere" },
});

/** The jurisdiction that a cell names, and its location. */
export function JurisdictionCard({
  facts: { name, isPadded, ahj, failure, detail, county, state },
  job,
  actions,
}: {
  facts: JurisdictionFacts;
  /** The work that the user has started on the cell. */
  job: Job | undefined;
  /** Undefined without a key. */
  actions: { lookUp: () => void; getData: (ahj: Ahj) => void } | undefined;
}) {
  const styles = useStyles();
  const population = detail?.population;
  if (failure) return <FailureMessage failure={failure} />;
  const asking = job && <JobView job={job} label="Asking the service" />;
  if (!ahj) {
    const what =
      typeof name === "number" ? `The jurisdiction with AHJ ID ${name}` : `${name} looks like a geoID. It`;
    return (
      <>
        <Text>
          {what} has not been looked up on this device yet.{!actions && " Connect to look it up."}
        </Text>
        {actions && (
          <div className={styles.row}>
            <Button size="small" disabledFocusable={job !== undefined} onClick={actions.lookUp}>
              Look it up
            </Button>
          </div>
        )}
        {asking}
      </>
    );
  }
  return (
    <>
      <Card className={styles.card} appearance="outline">
        <Text size={500}>{shownName(ahj.name)}</Text>
        <Text>{ladderWords(ahj, county, state)}</Text>
        {isPadded && <Text size={200}>The cell lacks the zero in front of {name}.</Text>}
        <FactList
          facts={[
            ["geoID (FIPS)", ahj.geoid ?? "none"],
            ["AHJ ID", String(ahj.id)],
            [
              "Population",
              typeof population === "number"
                ? population.toLocaleString("en-US")
                : population && shownName(population),
            ],
          ]}
        />
      </Card>
      {actions && (
        <div className={styles.row}>
          <Button size="small" onClick={() => actions.getData(ahj)}>
            Get data for it
          </Button>
          {!detail && (
            <Button size="small" disabledFocusable={job !== undefined} onClick={actions.lookUp}>
              Look up county and population
            </Button>
          )}
        </div>
      )}
      {asking}
    </>
  );
}

/** The jurisdiction's type and the jurisdictions above it: `City in Alameda County, California`. */
function ladderWords({ type }: Ahj, county: string | null, state: string | null): string {
  const above = [county, state].filter((name) => name !== null).map(shownName);
  const kind = shownName(type.charAt(0).toUpperCase() + type.slice(1));
  return above.length === 0 ? kind : `${kind} in ${above.join(", ")}`;
}
