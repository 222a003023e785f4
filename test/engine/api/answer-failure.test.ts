import { describe, expect, it } from "vitest";
import {
  failureOfReply,
  isAddressTooLong,
  isForAll,
  mayPassSmaller,
} from "../../../src/engine/api/answer-failure";
import { Failure } from "../../../src/errors";

const replied = (status: number, body: unknown = {}) =>
  failureOfReply({ status, body: JSON.stringify(body) }, (text) => text.replaceAll("k3y", "••••"));

describe("an answer's status alone", () => {
  it.each([
    [399, "unexpected-answer"],
    [400, "invalid-request"],
    [401, "wrong-key"],
    [403, "no-rights"],
    [404, "not-found"],
    [429, "rate-limited"],
    [499, "invalid-request"],
    [500, "service-error"],
    [599, "service-error"],
  ])("%i is %s", (status, kind) => {
    expect(replied(status)).toMatchObject({ kind, status });
  });
});

describe("an answer whose body is odd", () => {
  it.each([
    [403, { error: "AHJ_ACCESS_DENIED", detail: { a: 1 }, description: ["x"] }, "outside-subscription"],
    [403, "<html>", "no-rights"],
    [401, "", "wrong-key"],
    [422, { detail: [{ loc: ["header", "x-api-key"], msg: "missing", type: "x" }] }, "wrong-key"],
    [405, "", "invalid-request"],
    [500, "<html>", "service-error"],
  ])("with status %i and %j is %s", (status, body, kind) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(failureOfReply({ status, body: text }, (said) => said).kind).toBe(kind);
  });
});

describe("an answer about a denied access", () => {
  it.each([
    [404, "AHJ_ACCESS_DENIED", "not-found"],
    [403, "ACCESS_DENIED", "no-rights"],
    [500, "AHJ_ACCESS_DENIED", "service-error"],
  ])("with status %i and %s is %s", (status, error, kind) => {
    expect(replied(status, { error }).kind).toBe(kind);
  });

  it("means the key if the service names the key's header, in whatever case and among other faults", () => {
    const loc = ["header", "X-API-Key"];
    expect(
      replied(422, {
        detail: [
          { loc: ["query", "page"], msg: "" },
          { loc, msg: "" },
        ],
      }).kind,
    ).toBe("wrong-key");
    expect(replied(422, { detail: [{ loc: ["header"], msg: "" }] }).kind).toBe("invalid-request");
    expect(replied(422, { detail: "header/x-api-key" }).kind).toBe("invalid-request");
  });
});

describe("the service's own words in a failure", () => {
  it.each([
    ["a detail", { detail: "No page 9", description: "Not it" }, "The service says: “No page 9”"],
    ["a description", { description: "Page 9?" }, "The service says: “Page 9?”"],
    [
      "each of several faults, with its place",
      { detail: [{ loc: ["query", "ids", 0], msg: "not a number" }, { msg: "odd" }, { loc: ["body"] }] },
      "The service says: “query.ids.0: not a number; : odd; body: ”",
    ],
    ["an odd detail", { detail: 5, description: "Page 9?" }, "The service says: “Page 9?”"],
    ["nothing", {}, ""],
    [
      "with marks that turn or hide text",
      { detail: "a\u202eb\u0000c\u200bd\ne" },
      "The service says: “a b c d e”",
    ],
    ["the key", { detail: "k3y is odd" }, "The service says: “•••• is odd”"],
  ])("are quoted where they are %s", (_, body, detail) => {
    expect(replied(400, body).detail ?? "").toBe(detail);
    expect(replied(404, body).detail ?? "").toBe(detail);
    expect(replied(500, body).detail ?? "").toBe(detail);
  });

  it.each([401, 403, 429, 302])("add nothing to ours with a %i", (status) => {
    expect(replied(status, { detail: "Words" }).detail ?? "").toBe("");
  });

  it("are cut to a readable length", () => {
    const { message } = replied(500, { description: "x".repeat(5_000) });
    expect(message).toMatch(/The service says: “x{300}”/);
    expect(message).toContain("(HTTP 500)");
  });

  it("are none if the body is no object", () => {
    for (const body of [null, [], "text", 5]) {
      expect(replied(400, body)).toMatchObject({ kind: "invalid-request" });
      expect(replied(400, body).detail ?? "").toBe("");
    }
  });
});

describe("a smaller request after a failure", () => {
  it.each([
    [413, "", "yes"],
    [422, "Too many ids", "yes"],
    [422, "too large", "yes"],
    [422, "too big", "yes"],
    [422, "At most 50 ids", "yes"],
    [422, "This exceeds what is allowed", "yes"],
    [422, "The limit is 50", "yes"],
    [422, "The maximum is 50", "yes"],
    [422, "odd", "no"],
    [422, "", "no"],
    [400, "Too many ids", "no"],
    [500, "", "no"],
    [502, "", "perhaps"],
    [503, "", "no"],
    [504, "", "perhaps"],
  ])("after %i “%s” may pass: %s", (status, detail, passes) => {
    expect(mayPassSmaller(replied(status, { detail }))).toBe(passes);
  });

  it("may pass after a timeout, but not if nobody could be reached", () => {
    expect(mayPassSmaller(new Failure("timeout"))).toBe("perhaps");
    expect(mayPassSmaller(new Failure("unreachable"))).toBe("no");
    expect(mayPassSmaller(new Failure("invalid-request", { status: 422 }))).toBe("no");
  });

  it("is asked for because of the address's length with 414 and 431 only", () => {
    const tooLong = [400, 413, 414, 415, 430, 431].filter((status) => isAddressTooLong(replied(status)));
    expect(tooLong).toEqual([414, 431]);
  });
});

describe("a failure", () => {
  it.each(["wrong-key", "no-rights", "rate-limited", "cancelled"] as const)(
    "%s ends all further requests",
    (kind) => {
      expect(isForAll(new Failure(kind))).toBe(true);
    },
  );

  it.each([
    "not-found",
    "outside-subscription",
    "invalid-request",
    "service-error",
    "timeout",
    "unreachable",
  ] as const)("%s ends its own request only", (kind) => {
    expect(isForAll(new Failure(kind))).toBe(false);
  });
});
