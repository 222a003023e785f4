import { useMemo, useState } from "react";
import { createPlaces } from "../../../engine/lookup/directory/places";
import { nameInFormula } from "../../../workbook/formula-text/formula-name";
import { useAhjFinder } from "../../fill/jurisdictions/use-ahj-finder";
import { useCounties } from "../../fill/jurisdictions/use-counties";
import { useDirectory } from "../../fill/jurisdictions/use-directory";
import { FailureMessage } from "../../ui/FailureMessage";
import { ahjLabel, placedAhjLabel } from "../../ui/labels";
import { type SearchedProps, SearchInput, shownResults } from "./SearchInput";

export function JurisdictionInput({ session, ...props }: SearchedProps) {
  const { ahjs, hint, failure, load } = useDirectory(session);
  const places = useMemo(() => createPlaces(ahjs), [ahjs]);
  const { finder, failure: searchFailure } = useAhjFinder(ahjs, places);
  const [search, setSearch] = useState("");
  const results = useMemo(() => finder.find({ text: search }, shownResults), [finder, search]);
  const countyOf = useCounties(session, results, places);
  return (
    <>
      <SearchInput
        {...props}
        noun="jurisdiction"
        placeholder="Name"
        direction="down"
        hint={hint}
        options={results.map((ahj) => ({
          value: String(ahj.id),
          text: ahjLabel(ahj),
          label: placedAhjLabel(ahj, countyOf(ahj)),
        }))}
        onSearch={(text) => {
          setSearch(text);
          if (text !== "") load();
        }}
        valueOf={async ({ value }) => {
          const ahj = results.find(({ id }) => String(id) === value);
          return ahj && nameInFormula(ahj, session.lookup.directory);
        }}
      />
      {failure && <FailureMessage failure={failure} onRetry={load} />}
      {searchFailure && <FailureMessage failure={searchFailure} />}
    </>
  );
}
