import { Input, makeStyles } from "@fluentui/react-components";

const useStyles = makeStyles({ masked: { WebkitTextSecurity: "disc" } });

/** A browser that can't mask a text field gets one for passwords: seeing the key is worse than an offer to save it. */
const isMasking = CSS.supports("-webkit-text-security", "disc");

/**
 * The field for an API key. It hides the key, and no browser offers to save it: that offer has ended panes, and Excel with them
 * (OfficeDev/office-js#6834), and would copy the key to wherever the browser synchronizes. No spelling service reads it.
 */
export function KeyInput({
  value,
  onChange,
  autoFocus = false,
}: {
  value: string;
  onChange: (key: string) => void;
  autoFocus?: boolean;
}) {
  const styles = useStyles();
  return (
    <Input
      type={isMasking ? "text" : "password"}
      input={{ className: styles.masked, spellCheck: false, autoCapitalize: "off", autoCorrect: "off" }}
      // Browsers and password managers that ignore "off" leave fields for one-time codes alone.
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      value={value}
      onChange={(_, { value: key }) => onChange(key)}
    />
  );
}
