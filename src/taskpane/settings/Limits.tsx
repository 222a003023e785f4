import { Text } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { Session } from "../../app";
import { clockTime } from "../../errors";
import { FactTable } from "./FactTable";
import { Section } from "./Section";

const lookAgainMs = 1_000;

/** The rest of the request limit and the time when it resets, as far as the service has told. */
export function Limits({ session, isShown }: { session: Session; isShown: boolean }) {
  const { windows } = useLimits(session, isShown);
  return (
    <Section title="Request limits">
      {windows.length === 0 ? (
        <Text>Unknown until the next request.</Text>
      ) : (
        <FactTable
          label="Request limits"
          head={["Requests left", "Resets"]}
          rows={windows.map(({ left, resetsAtMs }) => [
            left.toLocaleString(),
            `${clockTime(resetsAtMs)}, in ${timeUntil(resetsAtMs)}`,
          ])}
        />
      )}
      <Text size={200}>
        The service limits requests per minute, hour and day. It reports the limit that runs out first.
      </Text>
    </Section>
  );
}

function useLimits({ limit }: Session, isShown: boolean) {
  const [known, setKnown] = useState(limit);
  useEffect(() => {
    if (!isShown) return;
    const look = () => setKnown(limit());
    look();
    const timer = setInterval(look, lookAgainMs);
    return () => clearInterval(timer);
  }, [limit, isShown]);
  return known;
}

function timeUntil(ms: number): string {
  const seconds = Math.max(0, Math.ceil((ms - Date.now()) / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
