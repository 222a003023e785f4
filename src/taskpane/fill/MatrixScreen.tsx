import { useMemo, useState } from "react";
import type { DataPointType } from "../../engine/api/schemas";
import type { Session } from "../../app";
import type { PaneApp } from "../pane-app";
import type { ImportQuestion } from "../../workbook/imports/run/question";
import { importName } from "../../workbook/imports/saved/import-name";
import { ImportPanel } from "./ImportPanel";
import { JurisdictionPicker } from "./jurisdictions/JurisdictionPicker";
import { TypePicker } from "./types/TypePicker";
import { useJurisdictions } from "./jurisdictions/use-jurisdictions";

/** Fills the sheet with a comparison: chosen jurisdictions down, chosen types across. */
export default function MatrixScreen({
  app,
  session,
  isShown,
}: {
  app: PaneApp;
  session: Session;
  isShown: boolean;
}) {
  const jurisdictions = useJurisdictions(session);
  const [types, setTypes] = useState<readonly DataPointType[]>([]);
  const { chosen } = jurisdictions;
  const question = useMemo<ImportQuestion | null>(
    () => (chosen.length > 0 && types.length > 0 ? { kind: "matrix", ahjs: chosen, types } : null),
    [chosen, types],
  );
  return (
    <>
      <JurisdictionPicker app={app} session={session} jurisdictions={jurisdictions} />
      <TypePicker app={app} session={session} chosen={types} onChange={setTypes} />
      <ImportPanel
        app={app}
        session={session}
        question={question}
        catalogue={types}
        sheetName={importName({ ahjs: chosen, types })}
        missing="Choose types, and jurisdictions or a list in the sheet."
        unmatched={jurisdictions.unmatched}
        isShown={isShown}
        typesBeside={types}
      />
    </>
  );
}
