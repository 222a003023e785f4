import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  tokens,
} from "@fluentui/react-components";
import { type ReactNode, useRef, useState } from "react";
import { asFailure, type Failure } from "../../errors";
import { FailureMessage } from "./FailureMessage";

const useStyles = makeStyles({
  row: { display: "flex", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
});

/** A button that asks once more before it does its work. */
export function Confirmed({
  label,
  children,
  confirm,
  name,
  isDisabled = false,
  besides,
  onConfirm,
}: {
  label: string;
  /** The button's accessible name if several buttons have the same label. */
  name?: string;
  isDisabled?: boolean;
  /** Tells what will happen. */
  children: ReactNode;
  /** The label of the button that goes ahead. */
  confirm: string;
  /** Other buttons in the same row, before this one. */
  besides?: ReactNode;
  onConfirm: () => Promise<void>;
}) {
  const styles = useStyles();
  const [isAsking, setIsAsking] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const button = useRef<HTMLButtonElement>(null);

  // The focus moves before its button disappears. Otherwise Tab would leave the pane.
  function close() {
    button.current?.focus();
    setIsAsking(false);
  }

  function goAhead() {
    close();
    onConfirm().catch((thrown: unknown) => setFailure(asFailure(thrown)));
  }

  return (
    <>
      <div className={styles.row}>
        {besides}
        <Button
          ref={button}
          size="small"
          aria-label={name}
          disabledFocusable={isDisabled}
          aria-expanded={isAsking}
          onClick={() => {
            setFailure(undefined);
            setIsAsking((before) => !before);
          }}
        >
          {label}
        </Button>
      </div>
      {isAsking && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{children}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={goAhead}>{confirm}</Button>
            <Button onClick={close}>Cancel</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}
