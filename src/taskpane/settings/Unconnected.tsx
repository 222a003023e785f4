import type { PaneApp } from "../pane-app";
import { LastKnownLine } from "../share/LastKnownLine";
import { About } from "./About";
import { Connections } from "./ConnectionList";

/** The settings without a connection: whose values the workbook shows, the stored connections, and the facts for support. */
export function Unconnected({ app }: { app: PaneApp }) {
  return (
    <>
      <LastKnownLine app={app} />
      <Connections app={app} session={null} />
      <About app={app} session={null} />
    </>
  );
}
