import { Button, MessageBar, MessageBarActions, MessageBarBody, Text } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import type { Session } from "../../app";
import { useConnections } from "../connect/use-connections";
import type { PaneApp } from "../pane-app";
import { FailureMessage } from "../ui/FailureMessage";
import { plural, shownName } from "../ui/labels";
import type { Imports } from "./use-saved-imports";

/** The number of addresses that are shown: a workbook may hold any number of them. */
const mostNamed = 5;

/**
 * Asks before imports that came from another address are refreshed from the connected one. Their address is text from outside: it is shown,
 * but the add-in never connects to it. It offers the user's own connections instead.
 */
export function OtherServiceQuestion({
  app,
  session,
  imports,
}: {
  app: PaneApp;
  session: Session;
  imports: Imports;
}) {
  const connections = useConnections(app);
  const leave = useRef<HTMLButtonElement>(null);
  const { otherService, isBusy } = imports;
  const isAsked = otherService.length > 0;
  // The question is at the top of the screen, so it takes the focus, wherever the button was that led to it.
  useEffect(() => {
    if (isAsked) leave.current?.focus();
  }, [isAsked]);
  if (!isAsked) return null;
  const addresses = [...new Set(otherService.map(({ saved }) => saved.service))];
  const own = connections.list.filter(
    (connection) => addresses.includes(connection.baseUrl) && connections.isUsable(connection),
  );
  const [only] = otherService;
  return (
    <>
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>
          {otherService.length === 1
            ? shownName(only?.saved.name ?? "")
            : plural(otherService.length, "import")}{" "}
          came from <Text weight="semibold">{addresses.slice(0, mostNamed).join(", ")}</Text>
          {addresses.length > mostNamed && ` and ${plural(addresses.length - mostNamed, "more address")}`}.
          You are connected to <Text weight="semibold">{session.credentials.baseUrl}</Text>. Refresh from
          there only if it has the same data: jurisdictions and questions are asked for by their ids.
        </MessageBarBody>
        <MessageBarActions>
          <Button ref={leave} onClick={imports.control.leaveOthers}>
            Not now
          </Button>
          <Button disabledFocusable={isBusy} onClick={imports.control.refreshOthers}>
            Refresh from my connection
          </Button>
          {own.map((connection) => (
            <Button
              key={`${connection.baseUrl} ${connection.key}`}
              disabledFocusable={isBusy || connections.checked !== undefined}
              onClick={() => void connections.use(connection)}
            >
              Connect as {connection.name}
            </Button>
          ))}
        </MessageBarActions>
      </MessageBar>
      {connections.failure && <FailureMessage failure={connections.failure} />}
    </>
  );
}
