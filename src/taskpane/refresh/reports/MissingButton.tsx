import { Button } from "@fluentui/react-components";
import type { useAction } from "../../pictures/use-action";
import type { SummaryWork } from "./summary-work";

/** Writes the list of missing values on a sheet. */
export function MissingButton({
  work,
  act,
  isBusy,
}: { work: Pick<SummaryWork, "writeMissing"> } & Pick<ReturnType<typeof useAction>, "act" | "isBusy">) {
  return (
    <Button
      size="small"
      disabledFocusable={isBusy}
      onClick={() =>
        act(async () => {
          const address = await work.writeMissing();
          return address === null ? "Nothing is missing." : `Written to ${address}.`;
        })
      }
    >
      Missing as a sheet
    </Button>
  );
}
