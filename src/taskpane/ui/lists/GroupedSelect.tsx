import { Field, Select } from "@fluentui/react-components";
import type { RefObject } from "react";

/** A group of lists. The user chooses one of the lists, each of which has many entries. */
export interface ListGroup {
  name: string;
  lists: readonly { key: string; name: string; count: number }[];
}

export function GroupedSelect({
  label,
  groups,
  value,
  select,
  onChange,
}: {
  label: string;
  groups: readonly ListGroup[];
  /** The key of the chosen list; "" for none. */
  value: string;
  select: RefObject<HTMLSelectElement | null>;
  onChange: (key: string) => void;
}) {
  return (
    <Field label={label}>
      <Select ref={select} value={value} onChange={(_, { value: key }) => onChange(key)}>
        <option value="">Choose one</option>
        {groups.map(({ name, lists }) => (
          <optgroup key={name} label={name}>
            {lists.map((list) => (
              <option key={list.key} value={list.key}>
                {list.name} ({list.count.toLocaleString()})
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </Field>
  );
}
