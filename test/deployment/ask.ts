import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";

export interface Question {
  port: number;
  /** The path exactly as sent: nothing resolves its dots or encodes it. */
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  isSecure?: boolean;
  /** Cancels the request, whether the answer has begun or not. */
  signal?: AbortSignal;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body's bytes as sent, compressed or not. */
  body: Buffer;
}

/** The whole answer; rejects where it breaks off. */
export async function ask(question: Question): Promise<Reply> {
  const answer = await begin(question);
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) };
}

/** Resolves with the answer as soon as its headers are there. */
export async function begin(question: Question): Promise<IncomingMessage> {
  const { port, path, method = "GET", headers = {}, body, isSecure = false, signal } = question;
  const send = isSecure ? secureRequest : plainRequest;
  const request = send({
    host: "127.0.0.1",
    port,
    path,
    method,
    headers: { ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }), ...headers },
    agent: false,
    rejectUnauthorized: false,
    signal,
  });
  request.end(body);
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
}
