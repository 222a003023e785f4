import { Button, MessageBar, MessageBarActions, MessageBarBody } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { Session } from "../../../app";
import { createOpeningChoice } from "../../../workbook/imports/saved/opening-choice";
import { setLoadsAtOpening } from "../../../workbook/sheet/startup";
import type { PaneApp } from "../../pane-app";
import type { OpeningNews } from "./look-at-opening";
import { openingSentence } from "./opening-sentence";

/** The apps whose workbook was looked at. It happens once, even if the connection changes later. */
const lookedAt = new WeakSet<PaneApp>();

/** Looks for changes if the workbook wants it, and tells the result. Shows the pane if there are changes. */
export default function OpeningNewsBar({
  app,
  session,
  onShow,
}: {
  app: PaneApp;
  session: Session;
  onShow: () => void;
}) {
  const [news, setNews] = useState<OpeningNews>();
  useEffect(() => {
    if (lookedAt.has(app)) return;
    lookedAt.add(app);
    async function look() {
      if (await app.hold.look()) return;
      if (!(await createOpeningChoice(app.workbook, setLoadsAtOpening).read())) return;
      const { lookAtOpening } = await import("./look-at-opening");
      const found = await lookAtOpening(app, session, session.closed);
      setNews(found);
      if (found.changes > 0) await Office.addin.showAsTaskpane();
    }
    // A failure is not shown here: the list of imports tells it when the user opens the list.
    look().catch(() => undefined);
  }, [app, session]);
  if (!news) return null;
  const close = () => setNews(undefined);
  return (
    <MessageBar intent={news.failure ? "warning" : "info"} layout="multiline">
      <MessageBarBody>{openingSentence(news)}</MessageBarBody>
      <MessageBarActions>
        {news.changes > 0 && (
          <Button
            onClick={() => {
              onShow();
              close();
            }}
          >
            Show imports
          </Button>
        )}
        <Button onClick={close}>OK</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
