import { Text } from "@fluentui/react-components";
import { useCallback } from "react";
import type { Collection, DataPointType } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import { Details } from "../../ui/Details";
import { FailureMessage } from "../../ui/FailureMessage";
import { plural, shownName } from "../../ui/labels";
import { LineList } from "../../ui/lists/LineList";
import { useLoad } from "../../ui/loading/use-load";

/** The questions and categories that a collection lists, by name. */
export function CollectionDefinition({
  session: {
    lookup: { catalogue },
  },
  collection: { data_point_type_ids, category_ids },
  types,
}: {
  session: Session;
  collection: Collection;
  /** The whole catalogue. */
  types: readonly DataPointType[];
}) {
  const hasCategories = category_ids.length > 0;
  const load = useCallback(
    async () => (hasCategories ? await catalogue.categories() : []),
    [catalogue, hasCategories],
  );
  const { value: categories, failure, retry } = useLoad(load);
  const list = (label: string, ids: readonly number[], named: readonly { id: number; name: string }[]) => {
    const names = new Map(named.map(({ id, name }) => [id, name]));
    return (
      <LineList
        label={label}
        items={ids}
        line={(id) => `${shownName(names.get(id) ?? "Not in the catalogue")} (${id})`}
      />
    );
  };
  const categoryCount = category_ids.length === 1 ? "1 category" : `${category_ids.length} categories`;

  return (
    <>
      {data_point_type_ids.length > 0 && (
        <Details title={`It lists ${plural(data_point_type_ids.length, "question")}`}>
          {list("Questions", data_point_type_ids, types)}
        </Details>
      )}
      {hasCategories && categories && (
        <Details title={`It takes the questions of ${categoryCount}`}>
          {list("Categories", category_ids, categories)}
        </Details>
      )}
      {failure && <FailureMessage failure={failure} onRetry={retry} />}
      {data_point_type_ids.length > 0 && hasCategories && (
        <Text>
          The service decides whether a question must be in both or in one of the two. The table shows what
          comes.
        </Text>
      )}
    </>
  );
}
