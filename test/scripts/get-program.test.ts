import { chromium } from "@playwright/test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ensureBrowser } from "../../scripts/browser";
import type { Machine } from "../../scripts/get-program";
import { ensureNginx } from "../../scripts/relay/nginx-program";

const windowless = "/usr/bin/chromium-headless-shell";
const apt = (name: string) => [
  "apt-get update -qq",
  `apt-get install -qq -y --no-install-recommends ${name}`,
];
const playwright = "npx playwright install chromium";
const sentence =
  /^The browser tests need .*: install one, or name one in CHROME_PATH, then run npm test again\.$/;

/**
 * A machine that holds these programs. `brings`: what is there after each command that succeeds; the other commands fail as on a closed
 * network.
 */
function machineWith(holds: string[], brings: Record<string, string> = {}, installsPackages = true) {
  const ran: string[] = [];
  const said: string[] = [];
  const there = new Set(holds);
  const machine: Machine = {
    installsPackages,
    isThere: (path) => there.has(path),
    run(command) {
      const line = command.join(" ");
      if (command[1] === "-v") return { succeeds: there.has(command[0]!), output: "" };
      ran.push(line);
      const brought = brings[line];
      if (brought === undefined)
        return {
          succeeds: false,
          output: `Getting it\nError: no host\n    at connect (net.js:1) {\n  errno: 1\n}\nError: no host\n`,
        };
      there.add(brought);
      return { succeeds: true, output: "a hundred lines" };
    },
    say: (line) => said.push(line),
  };
  return { machine, ran, said };
}

afterEach(() => void vi.unstubAllEnvs());

const reached = (...commands: string[]) => Object.fromEntries(commands.map((each) => [each, ""]));

describe("the browser of the tests", () => {
  it("is an installed one, CHROME_PATH's before all others, and then nothing is said or run", () => {
    vi.stubEnv("CHROME_PATH", "");
    const own = chromium.executablePath();
    for (const holds of [[windowless, own], ["/usr/bin/google-chrome", own], [own]]) {
      if (process.platform !== "linux" && holds[0]!.startsWith("/usr/bin/google")) continue;
      const { machine, ran, said } = machineWith(holds);
      expect(ensureBrowser({}, machine)).toBe(holds[0]);
      expect([ran, said]).toEqual([[], []]);
    }
    vi.stubEnv("CHROME_PATH", "/opt/mine");
    expect(ensureBrowser({}, machineWith([windowless, "/opt/mine"]).machine)).toBe("/opt/mine");
  });

  it("is Debian's package for its administrator, in one line", () => {
    const [update = "", install = ""] = apt("chromium-headless-shell");
    const { machine, ran, said } = machineWith([], { ...reached(update), [install]: windowless });
    expect(ensureBrowser({}, machine)).toBe(windowless);
    expect(ran).toEqual([update, install]);
    expect(said).toEqual(["No browser found. Installing Debian's package chromium-headless-shell…"]);
  });

  it("is Playwright's for others, in one line", () => {
    const own = chromium.executablePath();
    const { machine, ran, said } = machineWith([], { [playwright]: own }, false);
    expect(ensureBrowser({}, machine)).toBe(own);
    expect(ran).toEqual([playwright]);
    expect(said).toEqual(["No browser found. Downloading Playwright's Chromium…"]);
  });

  it("that can't be had is told in a sentence, after what the steps said without where in their code they said it", () => {
    const { machine, ran, said } = machineWith([], reached("apt-get update -qq"));
    expect(() => ensureBrowser({ hasWindows: true }, machine)).toThrow(sentence);
    expect(ran).toEqual([...apt("chromium"), playwright]);
    expect(said).toEqual([
      "No browser found. Installing Debian's package chromium…",
      ...["  Getting it", "  Error: no host"],
      "That failed. Downloading Playwright's Chromium…",
      ...["  Getting it", "  Error: no host"],
    ]);
  });
});

it("nginx is an installed one or Debian's package, or a sentence says what to do", () => {
  vi.stubEnv("NGINX_PATH", "");
  const found = machineWith(["nginx"]);
  expect(ensureNginx(found.machine)).toBe("nginx");
  expect(found.said).toEqual([]);
  const [update = "", install = ""] = apt("nginx-light");
  const bare = machineWith([], { ...reached(update), [install]: "/usr/sbin/nginx" });
  expect(ensureNginx(bare.machine)).toBe("/usr/sbin/nginx");
  expect(bare.said).toEqual(["No nginx found. Installing Debian's package nginx-light…"]);
  const closed = machineWith([], {}, false);
  expect(() => ensureNginx(closed.machine)).toThrow(/install it, or name one in NGINX_PATH/);
  expect([closed.ran, closed.said]).toEqual([[], []]);
});
