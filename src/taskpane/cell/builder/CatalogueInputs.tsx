import { useCallback, useMemo, useState } from "react";
import type { Session } from "../../../app";
import { groupBy } from "../../../lists";
import { constant } from "../../../workbook/formula-text/argument-constants";
import { FailureMessage } from "../../ui/FailureMessage";
import { shownName } from "../../ui/labels";
import { useLoad } from "../../ui/loading/use-load";
import { ChoiceInput, type InputProps, longestText } from "./PlainInputs";

type Props = InputProps & { session: Session };

export function CategoryInput({ session, ...props }: Props) {
  const { catalogue } = session.lookup;
  const load = useCallback(() => catalogue.categories(), [catalogue]);
  return <NamedInput {...props} load={load} whenOmitted="Any" />;
}

export function CollectionInput({ session, ...props }: Props) {
  const { catalogue } = session.lookup;
  const load = useCallback(() => catalogue.recentCollections(), [catalogue]);
  return <NamedInput {...props} load={load} whenOmitted="Choose a collection" />;
}

interface NamedItem {
  id: number | string;
  name: string;
}

/** A choice from a list of the service's, which is fetched when the user is about to choose. */
function NamedInput({
  load,
  ...props
}: InputProps & { load: () => Promise<readonly NamedItem[]>; whenOmitted: string }) {
  const [isWanted, setIsWanted] = useState(false);
  const loadWanted = useCallback(async () => (isWanted ? await load() : []), [isWanted, load]);
  const { value: items, failure, retry } = useLoad(loadWanted);
  const options = useMemo(() => optionsOf(items ?? []), [items]);
  return (
    <div onFocus={() => setIsWanted(true)} onPointerEnter={() => setIsWanted(true)}>
      <ChoiceInput {...props} options={options} />
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
    </div>
  );
}

/**
 * Options by name, as people read a formula. An item that shares its name, or whose name could be taken for an id or is too long for Excel,
 * goes by its id.
 */
function optionsOf(items: readonly NamedItem[]) {
  const byName = groupBy(items, ({ name }) => name);
  return items.map(({ id, name }) => {
    const isOwn = byName.get(name)?.length === 1 && !/^\s*\d*\s*$/.test(name) && name.length <= longestText;
    return { text: constant([isOwn ? name : id]), label: shownName(name) };
  });
}
