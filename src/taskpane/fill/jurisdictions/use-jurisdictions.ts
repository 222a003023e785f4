import { useEffect, useRef, useState } from "react";
import { onAbort } from "../../../async/on-abort";
import type { Session } from "../../../app";
import type { Ahj } from "../../../engine/api/schemas";
import { asFailure, Failure, type FailureKind } from "../../../errors";
import type { JurisdictionList } from "../../../engine/lookup/search/jurisdiction-list";
import type { NameQuestion, ResolvedList, SendQuestion } from "../../../engine/lookup/search/resolve-list";

/** An entry of a list that gives no jurisdiction, and why: a geoID, `ahj:` with an id, or a name. */
export interface UnmatchedGeoid {
  geoid: string;
  kind: FailureKind;
}

export interface Jurisdictions {
  chosen: readonly Ahj[];
  unmatched: readonly UnmatchedGeoid[];
  /** Names that wait for the user's choice. */
  questions: readonly NameQuestion[];
  /** Whether entries of a list may be sent that may be no geoIDs; resolving waits for the answer. */
  sendQuestion: (SendQuestion & { answer(isAllowed: boolean): void }) | undefined;
  /** What the last list was read as. */
  lastList: JurisdictionList | undefined;
  /** Which jurisdictions the names of the last list were taken for. */
  named: readonly { name: string; ahj: Ahj }[];
  /** What adding a whole state brought. */
  lastState: { state: string; found: number; missing: number } | undefined;
  isResolving: boolean;
  /** While resolving waits for the request limit: until when. */
  waitingUntilMs: number | undefined;
  failure: Failure | undefined;
  add(ahj: Ahj): void;
  remove(ahjId: number): void;
  clear(): void;
  /** Adds what `resolve` makes of a list that is being read. Says whether that went well. */
  addList(
    list: Promise<JurisdictionList>,
    resolve: (list: JurisdictionList, options: Resolving) => Promise<ResolvedList>,
  ): Promise<boolean>;
  /** Adds every entitled jurisdiction of a state. */
  addState(state: string): Promise<void>;
  /** Takes one of the candidates for the name, or none. */
  settle(question: NameQuestion, ahj: Ahj | null): void;
  /** Takes for each name of which it is certain who is meant the one that is. */
  settleCertain(): void;
  /** Takes none for any of the names. */
  skipQuestions(): void;
  /** Stops resolving. */
  cancel(): void;
}

interface Resolving {
  signal: AbortSignal;
  onWait(untilMs: number): void;
  maySend(question: SendQuestion): Promise<boolean>;
}

/** The jurisdictions chosen for an import. */
export function useJurisdictions({ lookup }: Session): Jurisdictions {
  const [chosen, setChosen] = useState<readonly Ahj[]>([]);
  const [unmatched, setUnmatched] = useState<readonly UnmatchedGeoid[]>([]);
  const [questions, setQuestions] = useState<readonly NameQuestion[]>([]);
  const [lastList, setLastList] = useState<JurisdictionList>();
  const [named, setNamed] = useState<Jurisdictions["named"]>([]);
  const [lastState, setLastState] = useState<Jurisdictions["lastState"]>();
  const [isResolving, setIsResolving] = useState(false);
  const [waitingUntilMs, setWaitingUntilMs] = useState<number>();
  const [sendQuestion, setSendQuestion] = useState<Jurisdictions["sendQuestion"]>();
  const [failure, setFailure] = useState<Failure>();
  const resolving = useRef<AbortController | null>(null);
  useEffect(() => () => resolving.current?.abort(), []);

  function addAll(ahjs: readonly Ahj[]) {
    setChosen((before) => {
      const byId = new Map([...before, ...ahjs].map((ahj) => [ahj.id, ahj]));
      return [...byId.values()];
    });
  }

  function noteUnmatched(asked: ReadonlySet<string>, missing: readonly UnmatchedGeoid[]) {
    setUnmatched((before) => [...before.filter(({ geoid }) => !asked.has(geoid)), ...missing]);
  }

  async function ask(question: SendQuestion, signal: AbortSignal): Promise<boolean> {
    let release = () => {};
    try {
      return await new Promise<boolean>((answer, cancel) => {
        release = onAbort(signal, () => cancel(new Failure("cancelled")));
        setSendQuestion({ ...question, answer });
      });
    } finally {
      release();
      setSendQuestion(undefined);
    }
  }

  async function run(work: (options: Resolving) => Promise<void>): Promise<boolean> {
    const controller = new AbortController();
    resolving.current = controller;
    setFailure(undefined);
    setIsResolving(true);
    setLastList(undefined);
    setNamed([]);
    setLastState(undefined);
    try {
      await work({
        signal: controller.signal,
        onWait: setWaitingUntilMs,
        maySend: (question) => ask(question, controller.signal),
      });
      return true;
    } catch (thrown) {
      setFailure(asFailure(thrown));
      return false;
    } finally {
      setIsResolving(false);
      setWaitingUntilMs(undefined);
    }
  }

  const addList: Jurisdictions["addList"] = (reading, resolve) =>
    run(async (options) => {
      const list = await reading;
      if (options.signal.aborted) throw new Failure("cancelled");
      setLastList(list);
      const { found, named, ambiguous, unmatched } = await resolve(list, options);
      const asked = new Set([...list.geoids, ...list.ahjIds.map((id) => `ahj:${id}`), ...list.names]);
      addAll([...found, ...named].map(({ ahj }) => ahj));
      setNamed(named);
      setQuestions((before) => [...before.filter(({ name }) => !asked.has(name)), ...ambiguous]);
      noteUnmatched(
        asked,
        unmatched.map(({ entry, kind }) => ({ geoid: entry, kind })),
      );
    });

  function leaveOpen(skipped: readonly NameQuestion[]) {
    const names = new Set(skipped.map(({ name }) => name));
    setQuestions((before) => before.filter(({ name }) => !names.has(name)));
    noteUnmatched(
      names,
      skipped.map(({ name, guess }) => ({ geoid: name, kind: guess ? "nothing-found" : "ambiguous-name" })),
    );
  }

  function take(settled: Jurisdictions["named"]) {
    const names = new Set(settled.map(({ name }) => name));
    addAll(settled.map(({ ahj }) => ahj));
    setNamed((before) => [...before, ...settled]);
    setQuestions((before) => before.filter(({ name }) => !names.has(name)));
  }

  return {
    chosen,
    unmatched,
    questions,
    sendQuestion,
    lastList,
    named,
    lastState,
    isResolving,
    waitingUntilMs,
    failure,
    add: (ahj) => addAll([ahj]),
    remove: (ahjId) => setChosen((before) => before.filter((ahj) => ahj.id !== ahjId)),
    clear() {
      setChosen([]);
      setUnmatched([]);
      setQuestions([]);
      setLastList(undefined);
      setNamed([]);
      setLastState(undefined);
      setFailure(undefined);
    },
    addList,
    async addState(state) {
      await run(async (options) => {
        const { ahjs, missing } = await lookup.directory.list(state, options);
        addAll(ahjs);
        setLastState({ state, found: ahjs.length, missing });
      });
    },
    settle(question, ahj) {
      if (!ahj) return leaveOpen([question]);
      take([{ name: question.name, ahj }]);
    },
    settleCertain: () =>
      take(
        questions.flatMap(({ name, candidates: [ahj], guess }) =>
          guess === "certain" && ahj ? [{ name, ahj }] : [],
        ),
      ),
    skipQuestions: () => leaveOpen(questions),
    cancel: () => resolving.current?.abort(),
  };
}
