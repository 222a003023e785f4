import type { HeldPromise, Mutant } from "./promise";

const policy = "deployment/content-security-policy.ts";
const helpPageTest = "test/deployment/help-page.test.ts";
const relay = "deployment/relay.ts";
const fileServer = "deployment/file-server.ts";
const nginx = "deployment/nginx.conf.template";
const serversTest = "test/deployment/servers.test.ts";
const distTest = "test/deployment/dist.test.ts";
const ofTheService = "says nothing in this server's name: no cookie, nothing about caching or other origins";
const nothingElse = "is told the key and what the question is, and nothing else of who asks";

/** A header that is no longer hidden, by nginx and by `npm run serve`. */
const unhidden = (name: string): Mutant[] => [
  {
    file: nginx,
    text: `    proxy_hide_header ${name};\n`,
    becomes: "",
    test: serversTest,
    title: ofTheService,
  },
  { file: relay, text: `  "${name}",\n`, becomes: "", test: serversTest, title: ofTheService },
];

/** "The page, and whoever serves it". */
export const serverPromises: readonly HeldPromise[] = [
  {
    says: "The page runs scripts of its own address and office.js alone, none inline, and no text as code.",
    mutants: [
      ...[
        ["script-src 'self' ${officeScripts}", "script-src 'self' 'unsafe-inline' ${officeScripts}"],
        ["script-src 'self' ${officeScripts}", "script-src 'self' 'unsafe-eval' ${officeScripts}"],
        ["script-src 'self' ${officeScripts}", "script-src 'self' https: ${officeScripts}"],
        ["\"default-src 'none'\",\n    `script-src", '"default-src *",\n    `script-src'],
        ["\"img-src 'self' data:\",", "\"img-src 'self' data: https:\","],
        ['"base-uri \'none\'",\n    "form-action \'none\'",\n    "object-src', '"object-src'],
        ["    \"form-action 'none'\",\n    \"object-src 'none'\",\n", "    \"form-action 'none'\",\n"],
      ].map(([text = "", becomes = ""]) => ({
        file: policy,
        text,
        becomes,
        test: helpPageTest,
        title: "allows scripts from its own server and Microsoft's alone, none inline, and no eval",
      })),
      {
        file: policy,
        text: "\"style-src 'self'\",\n  \"img-src 'self'\",",
        becomes: "\"script-src 'self'\",\n  \"style-src 'self'\",\n  \"img-src 'self'\",",
        test: helpPageTest,
        title: "brings its policy before anything that it loads",
      },
      {
        file: "src/taskpane/taskpane.html",
        text: '<meta http-equiv="Content-Security-Policy" content="<%= htmlWebpackPlugin.options.policy %>" />',
        becomes: "",
        test: distTest,
        title: "carry their policy before any script",
      },
    ],
  },
  {
    says: "A build with a fixed service sends keys nowhere else: the add-in refuses, and the browser would.",
    mutants: [
      {
        file: "src/app.ts",
        text: "const parsed = usableUrl(address);",
        becomes: "const parsed = parseBaseUrl(address);",
        test: "test/app/fixed-service.test.ts",
        title: "refuses to connect to another, and sends the key nowhere",
      },
      {
        file: "src/app.ts",
        text: "const url = kept && usableUrl(kept.baseUrl);",
        becomes: "const url = kept && parseBaseUrl(kept.baseUrl);",
        test: "test/app/fixed-service.test.ts",
        title: "does not use a connection to another that was kept, however that one is written",
      },
      {
        file: "src/app.ts",
        text: "parsed.baseUrl !== (fixedUrl ?? parsed.baseUrl)",
        becomes: "fixedUrl !== undefined && !parsed.baseUrl.startsWith(fixedUrl)",
        test: "test/app/fixed-service.test.ts",
        title: "does not use a connection to another that was kept, however that one is written",
      },
      {
        file: policy,
        text: "${serviceOrigin ?? [",
        becomes: "${serviceOrigin ?? 0 ? serviceOrigin + ' https:' : [",
        test: helpPageTest,
        title: "lets requests go to the fixed service alone, where there is one",
      },
    ],
  },
  {
    says: "The relay passes on the fourteen endpoints and nothing else, and tells the service nothing else of who asks.",
    mutants: [
      {
        file: fileServer,
        text: "if (methods.length === 0) return context.notFound();",
        becomes: "if (methods.length === 0) return next();",
        test: serversTest,
        title: "refuses %s %s with %d, and the service hears nothing of it",
      },
      {
        file: nginx,
        text: "return 405;",
        becomes: "set $passes 1;",
        test: serversTest,
        title: "refuses %s %s with %d, and the service hears nothing of it",
      },
      {
        file: nginx,
        text: "proxy_pass_request_headers off;",
        becomes: "proxy_pass_request_headers on;",
        test: serversTest,
        title: nothingElse,
      },
      {
        file: nginx,
        text: "    proxy_set_header Accept $http_accept;\n",
        becomes:
          "    proxy_set_header Accept $http_accept;\n    proxy_set_header Accept-Language $http_accept_language;\n",
        test: serversTest,
        title: nothingElse,
      },
      {
        file: relay,
        text: '"Accept", "Content-Type"]',
        becomes: '"Accept", "Content-Type", "Accept-Language"]',
        test: serversTest,
        title: nothingElse,
      },
    ],
  },
  {
    says: "The service says nothing in the name of the relay's server: it sets no cookie and allows no other page.",
    mutants: [
      ...["Set-Cookie", "Expires", "Pragma"].flatMap(unhidden),
      ...["Origin", "Credentials", "Expose-Headers"].flatMap((name) =>
        unhidden(
          name === "Origin" || name === "Credentials"
            ? `Access-Control-Allow-${name}`
            : `Access-Control-${name}`,
        ),
      ),
    ],
  },
  {
    says: "The key is in no log and no file of the relay, and no query is in its access log.",
    mutants: [
      {
        file: nginx,
        text: "$request_method $uri $status",
        becomes: "$request_method $uri $http_x_api_key $status",
        test: serversTest,
        title: "has its key written down nowhere, whatever goes wrong",
      },
      {
        file: fileServer,
        text: "const { pathname, search } = new URL(req.url);",
        becomes: 'const { pathname, search } = new URL(req.url);\n  console.log(req.header("X-API-Key"));',
        test: serversTest,
        title: "has its key written down nowhere, whatever goes wrong",
      },
    ],
  },
  {
    says: "The relay keeps no answer for another request.",
    mutants: [
      {
        file: fileServer,
        text: "  return answer;",
        becomes: "  return ((globalThis as { kept?: Response }).kept ??= answer).clone();",
        test: serversTest,
        title: "is asked anew for each request, so a refresh shows what the service says now",
      },
    ],
  },
  {
    says: "The service's certificate is checked before it sees the key.",
    mutants: [
      {
        file: nginx,
        text: "proxy_ssl_verify on;",
        becomes: "proxy_ssl_verify off;",
        test: "test/deployment/nginx.test.ts",
        title: "a service whose certificate nobody vouches for never sees the key, neither from nginx",
      },
    ],
  },
  {
    says: "What is shipped is pinned, listed with its licence, and the same wherever it is built.",
    mutants: [
      {
        file: "package.json",
        text: '"react": "19.3.1"',
        becomes: '"react": "^19.3.1"',
        test: distTest,
        title: "is pinned to exact versions",
      },
      {
        file: "package.json",
        text: '"webpack": "5.112.2"',
        becomes: '"webpack": "^5.112.2"',
        test: distTest,
        title: "is pinned to exact versions",
      },
      {
        file: "webpack.config.js",
        text: '.filter((resource) => resource?.includes("node_modules"));',
        becomes: '.filter((resource) => resource?.includes("node_modules/react"));',
        test: distTest,
        title: "names the packages that are shipped: whoever adds one adds it here",
      },
      {
        file: "src/main.ts",
        text: "const formulasComeMs = 100;",
        becomes: "const formulasComeMs = 100;\nconsole.log(import.meta.url);",
        test: distTest,
        title: "hold nothing that another machine or another day would make different",
      },
    ],
  },
];
