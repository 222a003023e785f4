import { Input } from "@fluentui/react-components";

/** The field for an API key. It hides the key, and keeps browsers from saving it. */
export function KeyInput({
  value,
  onChange,
  autoFocus = false,
}: {
  value: string;
  onChange: (key: string) => void;
  autoFocus?: boolean;
}) {
  return (
    <Input
      type="password"
      // Password managers ignore "off": they would offer to save the key, and to synchronize it.
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      value={value}
      onChange={(_, { value: key }) => onChange(key)}
    />
  );
}
