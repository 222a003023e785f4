import * as z from "zod/mini";

/** The numbers of office.js's window-to-window messages (`Microsoft.Office.Common` in excel-web-16.00.debug.js). */
const MessageType = { request: 0, response: 1 } as const;
const ActionType = { invoke: 0, registerEvent: 1, unregisterEvent: 2 } as const;
const ResponseType = { answer: 0, event: 1 } as const;
const OK = 0;
const ERROR_HANDLING_REQUEST = -2;

const request = z.object({
  _messageType: z.literal(MessageType.request),
  _actionType: z.number(),
  _actionName: z.string(),
  _conversationId: z.string(),
  _correlationId: z.number(),
  _data: z.unknown(),
});

/** The host's side of the conversation. */
export interface Conversant {
  /** The answer, or what it resolves to, must be JSON. */
  invoke(action: string, data: unknown): unknown;
  /** Throws when there is no such event. */
  register(event: string): void;
  report(problem: string): void;
}

interface Conversation {
  /** Raises an event for which the add-in's page has registered. */
  raise(event: string, data: unknown): void;
  close(): void;
}

/** Answers what office.js in `frame` posts to this window, as long as it comes from there and from `origin`. */
export function converse(
  frame: Window,
  { origin, conversationId }: { origin: string; conversationId: string },
  host: Conversant,
): Conversation {
  const post = (message: object) =>
    frame.postMessage(
      JSON.stringify({
        _messageType: MessageType.response,
        _conversationId: conversationId,
        _origin: window.location.origin,
        _serializerVersion: 1,
        ...message,
      }),
      origin,
    );

  const answer = async ({ _actionType, _actionName, _data }: z.infer<typeof request>): Promise<unknown> => {
    if (_actionType === ActionType.invoke) return (await host.invoke(_actionName, _data)) ?? null;
    if (_actionType === ActionType.registerEvent) host.register(_actionName);
    return { Version: 1, Error: 0 };
  };

  const receive = async (event: MessageEvent) => {
    if (event.source !== frame || event.origin !== origin || typeof event.data !== "string") return;
    const message = request.safeParse(parseJson(event.data));
    if (!message.success || message.data._conversationId !== conversationId) return;
    const { _actionName, _correlationId } = message.data;
    const envelope = { _actionName, _correlationId, _responseType: ResponseType.answer };
    try {
      post({ ...envelope, _errorCode: OK, _data: await answer(message.data) });
    } catch (cause) {
      host.report(`${_actionName}: ${String(cause)}`);
      post({ ...envelope, _errorCode: ERROR_HANDLING_REQUEST, _data: null });
    }
  };

  const listener = (event: MessageEvent) => void receive(event);
  window.addEventListener("message", listener);
  return {
    raise: (event, data) =>
      post({
        _actionName: event,
        _correlationId: -1,
        _errorCode: OK,
        _responseType: ResponseType.event,
        _data: data,
      }),
    close: () => window.removeEventListener("message", listener),
  };
}

/** Other scripts may post anything to this window. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
