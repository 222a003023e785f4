import { Field, ProgressBar } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { waitingForLimit } from "../ui/labels";
import type { Job } from "./jobs";

type Shown = Pick<Job, "step" | "progress" | "leftMs" | "waitingUntilMs" | "isPaused">;

/**
 * The progress of a running job, in a line and a bar. `label` is said as long as the job tells no step of its own. A wait for the request limit
 * comes into sight when it begins.
 */
export function JobView({ job, label }: { job: Shown; label: string }) {
  const { progress } = job;
  const place = useRef<HTMLDivElement>(null);
  const isWaiting = job.waitingUntilMs !== undefined;
  useEffect(() => {
    if (isWaiting) place.current?.scrollIntoView({ block: "nearest" });
  }, [isWaiting]);
  return (
    <Field ref={place} label={runningWords(job, label)}>
      {progress ? <ProgressBar value={progress.done} max={Math.max(1, progress.total)} /> : <ProgressBar />}
    </Field>
  );
}

function runningWords({ step = "", leftMs, waitingUntilMs, isPaused }: Shown, label: string): string {
  const isGoing = !isPaused && waitingUntilMs === undefined;
  const words = [
    isPaused ? "Paused." : waitingUntilMs !== undefined ? waitingForLimit(waitingUntilMs) : step ? "" : label,
    step,
    isGoing && leftMs !== null ? timeWords(leftMs) : "",
  ];
  return words.filter((part) => part !== "").join(" ");
}

function timeWords(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return seconds < 90 ? `About ${seconds} s left.` : `About ${Math.round(seconds / 60)} min left.`;
}
