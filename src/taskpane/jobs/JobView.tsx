import { Field, ProgressBar } from "@fluentui/react-components";
import { waitingForLimit } from "../ui/labels";
import type { Job } from "./jobs";

/** The progress of a running job, in a line and a bar. `label` is said as long as the job tells no step of its own. */
export function JobView({
  job: { step, progress, waitingUntilMs },
  label,
}: {
  job: Pick<Job, "step" | "progress" | "waitingUntilMs">;
  label: string;
}) {
  return (
    <Field label={waitingUntilMs === undefined ? (step ?? label) : waitingForLimit(waitingUntilMs)}>
      {progress ? <ProgressBar value={progress.done} max={Math.max(1, progress.total)} /> : <ProgressBar />}
    </Field>
  );
}
