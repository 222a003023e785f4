import type { PaneApp } from "../pane-app";
import { About } from "./About";
import { Connections } from "./Connections";

/** What of the settings is there without a connection: those that are kept, and what support asks for. */
export function Unconnected({ app }: { app: PaneApp }) {
  return (
    <>
      <Connections app={app} session={null} />
      <About app={app} session={null} />
    </>
  );
}
