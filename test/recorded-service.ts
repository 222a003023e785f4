import { createService, type Service, type ServiceOptions } from "../reference-service/service";
import { createClient } from "../src/engine/api/client";
import { Failure } from "../src/errors";
import type { App } from "../src/app";
import {
  type AskOptions,
  type LookedUp,
  createLookup,
  type Lookup,
  type LookupDependencies,
  type TypeName,
} from "../src/engine/lookup/lookup";
import { createTransport } from "../src/engine/transport/exchange";

export const baseUrl = "https://service.test";

/** Answers instead of the service; undefined lets the request through. */
export type Interception = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** The reference service as `fetch`, and the requests that it was sent. */
export function recordedService(options: ServiceOptions & { intercept?: Interception } = {}) {
  // The service is made at the first request, since many tests answer everything themselves.
  let service: Service | undefined;
  const requests: string[] = [];
  const underWay = new Set<Request>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    requests.push(`${request.method} ${url.pathname}${decodeURIComponent(url.search)}`);
    const answer = async () =>
      (await options.intercept?.(request)) ?? (service ??= createService(options)).fetch(request);
    // Node no longer tells a request that its signal was aborted once nothing refers to the request, even if somebody listens. This
    // refers to it.
    underWay.add(request);
    // An aborted request rejects, as a browser's fetch does, even if the service is about to answer.
    return Promise.race([answer(), untilAborted(request)]).finally(() => underWay.delete(request));
  };
  return { fetch, requests };
}

/** Never answers, but rejects when the request is aborted. */
export function untilAborted({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

/** Client and lookup for one of the sample keys. */
export function connected(
  key: string,
  {
    dependencies,
    ...options
  }: Parameters<typeof recordedService>[0] & { dependencies?: LookupDependencies } = {},
) {
  const { fetch, requests } = recordedService(options);
  const client = createClient(createTransport({ baseUrl, key }, { fetch, random: () => 0.5 }));
  return {
    fetch,
    requests,
    client,
    lookup: createLookup(client, dependencies),
    credentials: { baseUrl, key },
  };
}

/** Requests by path, without their parameters. */
export function countByPath(requests: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const path = request.replace(/\?.*/, "").replace(/(\/v1\/geoid\/)\w+/, "$1{geoid}");
    counts[path] = (counts[path] ?? 0) + 1;
  }
  return counts;
}

/** The answer to one question, with the AHJ that gives it; throws the failure that a cell would show. */
export async function askOne(
  lookup: Lookup,
  geoid: string,
  type: TypeName,
  options: AskOptions & { dated?: boolean } = {},
) {
  const { dated, ...rest } = options;
  return onlyOne(await lookup.ask({ questions: [{ ahj: geoid, type }], ahjs: [geoid], dated }, rest));
}

/** Asks as a formula in a cell does. */
export async function askInCell(app: Pick<App, "ask">, geoid: string, type: TypeName) {
  return app.ask(
    {
      wants: () => ({ questions: [{ ahj: geoid, type }], ahjs: [geoid] }),
      resultOf(found) {
        if (found instanceof Failure) throw found;
        return onlyOne(found);
      },
    },
    {},
  );
}

function onlyOne({ values, ahjs }: LookedUp) {
  const [[answer = new Failure("unexpected-answer")], [ahj = new Failure("unexpected-answer")]] = [
    values,
    ahjs,
  ];
  if (ahj instanceof Failure) throw ahj;
  if (answer instanceof Failure) throw answer;
  return { ahj, ...answer };
}
