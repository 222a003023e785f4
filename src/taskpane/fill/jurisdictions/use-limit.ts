import { useEffect, useState } from "react";
import type { Session } from "../../../app";

const lookAgainMs = 2_000;

/** The rest of the request limit, as far as it is known; other users of the key spend it too. */
export function useLimit({ limit }: Session): ReturnType<Session["limit"]> {
  const [known, setKnown] = useState(limit);
  useEffect(() => {
    const look = () =>
      setKnown((before) => {
        const now = limit();
        return before.left === now.left && before.resetsAtMs === now.resetsAtMs ? before : now;
      });
    look();
    const timer = setInterval(look, lookAgainMs);
    return () => clearInterval(timer);
  }, [limit]);
  return known;
}
