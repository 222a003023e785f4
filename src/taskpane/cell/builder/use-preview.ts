import { config } from "../../../config";
import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../../app";
import type { Failure } from "../../../errors";
import { asFailure } from "../../../errors";
import { type FirstQuestion, firstQuestion } from "../../../workbook/imports/sources/cell-source";
import type { FoundAnswer } from "../../../engine/lookup/answers/answers";
import type { PaneApp } from "../../pane-app";

const { namespace } = config;

/** What a formula would give, as far as it is known. */
export interface Preview extends FirstQuestion {
  /** To its first question. */
  answer: FoundAnswer | Failure | null;
}

export interface ShownPreview {
  /** Undefined while it is being looked up, and where there is no formula. */
  preview: Preview | undefined;
  failure: Failure | undefined;
  isAsking: boolean;
  /** Asks the service for what is not kept. */
  ask(): void;
}

/** Of what is kept: writing a formula sends nothing. */
export function usePreview(
  { workbook }: PaneApp,
  { lookup }: Session,
  { formula, sheetId, isDated }: { formula: string | null; sheetId: string; isDated: boolean },
): ShownPreview {
  const [preview, setPreview] = useState<Preview>();
  const [failure, setFailure] = useState<Failure>();
  const [isAsking, setIsAsking] = useState(false);

  const look = useCallback(
    async (keptOnly: boolean): Promise<Preview | undefined> => {
      const first = formula === null ? null : await firstQuestion(formula, sheetId, { namespace, workbook });
      if (!first) return undefined;
      const { question } = first;
      const found = question && (await lookup.ask({ questions: [question], dated: isDated }, { keptOnly }));
      return { ...first, answer: found?.values[0] ?? null };
    },
    [formula, sheetId, isDated, lookup, workbook],
  );

  const [latest, setLatest] = useState({});
  useEffect(() => {
    let isOver = false;
    setPreview(undefined);
    setFailure(undefined);
    look(true).then(
      (next) => isOver || setPreview(next),
      (thrown: unknown) => isOver || setFailure(asFailure(thrown)),
    );
    return () => {
      isOver = true;
    };
  }, [look, latest]);

  return {
    preview,
    failure,
    isAsking,
    ask() {
      setIsAsking(true);
      look(false)
        // What has come is shown if it is still what is written.
        .then(() => setLatest({}))
        .catch((thrown: unknown) => setFailure(asFailure(thrown)))
        .finally(() => setIsAsking(false));
    },
  };
}
