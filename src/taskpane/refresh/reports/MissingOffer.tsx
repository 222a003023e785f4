import { makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import type { Session } from "../../../app";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { PaneApp } from "../../pane-app";
import { useAction } from "../../pictures/use-action";
import { MissingButton } from "./MissingButton";
import { createSummaryWork } from "./summary-work";

const useStyles = makeStyles({
  offer: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: tokens.spacingHorizontalS,
  },
});

/** Offers the missing values of an import that was just inserted, which no refresh has reported on yet. */
export default function MissingOffer({
  app,
  session,
  kept,
}: {
  app: PaneApp;
  session: Session;
  kept: KeptImport;
}) {
  const styles = useStyles();
  const [work] = useState(() => createSummaryWork(app, session, kept, () => undefined));
  const { outcome, ...action } = useAction();
  return (
    <div className={styles.offer}>
      <MissingButton work={work} {...action} />
      {outcome}
    </div>
  );
}
