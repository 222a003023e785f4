import { useCallback, useState } from "react";
import { useTypeSearch } from "../../fill/types/use-type-search";
import { FailureMessage } from "../../ui/FailureMessage";
import { shownName } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";
import { type SearchedProps, SearchInput, shownResults } from "./SearchInput";

export function QuestionInput({ session, ...props }: SearchedProps) {
  const { catalogue } = session.lookup;
  const [search, setSearch] = useState<string>();
  const isWanted = search !== undefined;
  const load = useCallback(
    async () => (isWanted ? await catalogue.types() : undefined),
    [catalogue, isWanted],
  );
  const { value: types, failure, retry } = useLoad(load);
  const found = useTypeSearch(types, search ?? "");
  const results = (found.value ?? []).slice(0, shownResults);
  return (
    <>
      <SearchInput
        {...props}
        noun="question"
        placeholder="Permit fee"
        direction="across"
        hint={isWanted && !found.value && !failure ? "Loading the catalogue" : undefined}
        options={results.map(({ id, name }) => ({
          value: String(id),
          text: name,
          label: `${shownName(name)} (${id})`,
        }))}
        onSearch={setSearch}
        valueOf={({ value }) => Promise.resolve(Number(value))}
      />
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {found.failure && <FailureMessage failure={found.failure} onRetry={found.retry} />}
    </>
  );
}
