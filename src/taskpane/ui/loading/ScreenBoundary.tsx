import { ProgressBar } from "@fluentui/react-components";
import { Component, type ReactNode } from "react";
import { asFailure } from "../../../errors";
import { FailureMessage } from "../FailureMessage";
import { Waiting } from "./lazy-view";

/** Shows a screen when its script has loaded, and a failure if it can't be loaded; the other screens go on. */
export class ScreenBoundary extends Component<
  {
    children: ReactNode;
    /** Shown until the script has loaded. */
    fallback?: ReactNode;
  },
  { cause: unknown }
> {
  override state: { cause: unknown } = { cause: undefined };

  static getDerivedStateFromError(cause: unknown) {
    return { cause };
  }

  override render() {
    const { cause } = this.state;
    if (cause !== undefined) return <FailureMessage failure={asFailure(cause)} />;
    const { children, fallback = <ProgressBar aria-label="Loading" /> } = this.props;
    return <Waiting value={fallback}>{children}</Waiting>;
  }
}
