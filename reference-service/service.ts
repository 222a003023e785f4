/** The reference service: all of docs/interface.md on sample data, as one function from Request to Response. */
import { rateHeaders } from "../src/engine/transport/rate-headers";
import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { endpoints, type EndpointName } from "../src/engine/api/endpoints";
import { createRules, type SideOfMonth, unchangedRules } from "./answers/month-of-changes";
import { createDataset, sampleDataset } from "./dataset";
import { answerOrRefusal, refusal, refuse, written, type Answer, type JsonAnswer } from "./http/envelope";
import type { Geography } from "./geography/geography";
import { createHandlers, type Asked } from "./http/handlers";
import type { Organization } from "./geography/organizations";
import { createQuirks, type QuirkName } from "./quirks/quirks";
import { createRateLimiter, type RateLimits } from "./http/key-limit";

export interface ServiceOptions {
  /** The AHJs: see `createGeography` and `readGazetteer`. Default: the generated AHJs. */
  geography?: Geography;
  /** The rate limits of every organization. Default: each organization's own. */
  limits?: RateLimits;
  /** The clock, in milliseconds since 1970: for the rate windows and the `Date` header. Default: `Date.now`. */
  now?: () => number;
  /** The names of `quirks`, other readings of docs/interface.md, "Left open". Default: none. */
  quirks?: readonly QuirkName[];
  /** Answers as before or after a month in which some rules change. Default: as without such a month. */
  month?: SideOfMonth;
  /** Further keys, each with the sample key whose organization it gives access to as well. Default: none. */
  keys?: Readonly<Record<string, string>>;
}

export interface Service {
  fetch(request: Request): Response | Promise<Response>;
}

const exposedHeaders = [...Object.values(rateHeaders), "Content-Disposition"];

interface ServiceEnv {
  Variables: { organization: Organization | undefined };
}

function keyRefusal({ req }: Context<ServiceEnv>): JsonAnswer {
  return req.header("X-API-Key") === undefined
    ? refusal("API_KEY_MISSING", "The request has no X-API-Key header.")
    : refusal("API_KEY_INVALID", "The API key is not known.");
}

/** Creates a service with rate windows of its own. All services of the process share the generated data. */
export function createService(options: ServiceOptions = {}): Service {
  const { geography, limits, now = Date.now } = options;
  const dataset = geography ? createDataset(geography) : sampleDataset();
  const subscribers = new Map(
    dataset.organizations.map((organization) => [
      organization.key,
      { organization, limiter: createRateLimiter(limits ?? organization.limits, now) },
    ]),
  );
  for (const [key, sampleKey] of Object.entries(options.keys ?? {})) {
    const subscriber = subscribers.get(sampleKey);
    if (!subscriber) throw new Error(`There is no sample key ${sampleKey}.`);
    subscribers.set(key, subscriber);
  }
  const quirks = createQuirks(options.quirks ?? [], dataset.geography);
  const send = (answer: Answer, asked?: Asked) => written(quirks.answer(answer, asked));
  const app = new Hono<ServiceEnv>();

  app.use(async (c, next) => {
    await next();
    quirks.headers(c.res.headers);
  });

  app.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "POST"],
      allowHeaders: ["X-API-Key", "Content-Type"],
      exposeHeaders: exposedHeaders,
      maxAge: 600,
    }),
  );

  app.use(async (c, next) => {
    await next();
    // A socket's server would add the header; callers without a socket also read the service's clock from it.
    c.res.headers.set("Date", new Date(now()).toUTCString());
  });

  app.use(async (c, next) => {
    const subscriber = subscribers.get(c.req.header("X-API-Key") ?? "");
    c.set("organization", subscriber?.organization);
    if (subscriber === undefined) return next();

    const { allowed, remaining, resetsAtMs } = subscriber.limiter.take();
    if (allowed) await next();
    else {
      const seconds = Math.max(1, Math.ceil((resetsAtMs - now()) / 1000));
      c.res = send(
        refusal("RATE_LIMIT_EXCEEDED", `Too many requests. Try again in ${seconds} s.`, {
          [rateHeaders.retryAfter]: String(seconds),
        }),
      );
    }
    c.res.headers.set(rateHeaders.left, String(remaining));
    c.res.headers.set(rateHeaders.reset, String(Math.ceil(resetsAtMs / 1000)));
    return undefined;
  });

  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c: Context<ServiceEnv>, methods) => {
        if (c.get("organization") === undefined) return send(keyRefusal(c));
        const description = `${c.req.method} is not possible here.`;
        return send(refusal("METHOD_NOT_ALLOWED", description, { Allow: methods.join(", ") }));
      },
    }),
  );

  const rules = options.month === undefined ? unchangedRules : createRules(options.month, now());
  const handlers = createHandlers(dataset, rules);
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, path } = endpoints[name];
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), async (c) => {
      const organization = c.get("organization");
      if (organization === undefined) return send(keyRefusal(c));
      const asked = quirks.asked({
        endpoint: name,
        organization,
        path: (parameter) => c.req.param(parameter) ?? "",
        query: new URL(c.req.url).searchParams,
        body: () =>
          c.req.text().catch(() => refuse("BODY_INCOMPLETE", "The request ended in the middle of its body.")),
      });
      return send(await answerOrRefusal(() => handlers[name](asked)), asked);
    });
  }

  app.notFound((c) => send(refusal("NOT_FOUND", `There is nothing at ${c.req.path}.`)));
  app.onError((error) => {
    console.error(error);
    return send(refusal("INTERNAL_ERROR", "The service failed to answer. This is a fault of the service."));
  });

  return { fetch: (request) => app.fetch(request) };
}
