import type { PaneApp } from "../pane-app";
import { TravelledLine } from "../share/TravelledLine";
import { About } from "./About";
import { Connections } from "./ConnectionList";

/** What there is without a connection: whose values the workbook shows, kept connections, and what support asks for. */
export function Unconnected({ app }: { app: PaneApp }) {
  return (
    <>
      <TravelledLine app={app} />
      <Connections app={app} session={null} />
      <About app={app} session={null} />
    </>
  );
}
