import type { HeldPromise } from "./promise";

const policy = "deployment/content-security-policy.ts";
const helpPageTest = "test/deployment/help-page.test.ts";
const relay = "deployment/relay.ts";
const fileServer = "deployment/file-server.ts";
const nginx = "deployment/nginx.conf.template";
/** The path in the lines of nginx's access log. */
const inLog = "$regdata_${ID}_path $status";
const nginxTest = "test/deployment/nginx.test.ts";
const serversTest = "test/deployment/servers.test.ts";
const containerTest = "test/deployment/container.test.ts";
const distTest = "test/deployment/dist.test.ts";
const pinnedTest = "test/deployment/pinned-packages.test.ts";
const nothingElse = "is told the key and the question, and nothing else about the asker";
const inItsName =
  "says nothing in this server's name: nothing that acts on the browser beyond the answer itself";

/** "The page, and whoever serves it". */
export const serverPromises: readonly HeldPromise[] = [
  {
    says: "They are written under names that nobody can foresee, follow no link there, and keep owner and rights.",
    mutants: [
      {
        file: "command/workbook/safe-write.ts",
        text: 'steps.open(path, "wx", mode)',
        becomes: 'steps.open(path, "w", mode)',
        test: "test/command/workbook/safe-write.test.ts",
        title: "is written beside itself under another name each time, where no link is followed",
      },
    ],
  },
  {
    says: "The page runs scripts of its own address and office.js alone, none inline, and no text as code.",
    mutants: [
      ...[
        ["script-src 'self' ${officeHosts}", "script-src 'self' 'unsafe-inline' ${officeScripts}"],
        ["script-src 'self' ${officeHosts}", "script-src 'self' 'unsafe-eval' ${officeScripts}"],
        ["script-src 'self' ${officeHosts}", "script-src 'self' https: ${officeScripts}"],
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
        title: "refuses to connect to another service, and sends the key nowhere",
      },
      {
        file: "src/app.ts",
        text: "const url = kept && usableUrl(kept.baseUrl);",
        becomes: "const url = kept && parseBaseUrl(kept.baseUrl);",
        test: "test/app/fixed-service.test.ts",
        title: "does not use a saved connection to another service, however its address is written",
      },
      {
        file: "src/app.ts",
        text: "parsed.baseUrl !== (fixedUrl ?? parsed.baseUrl)",
        becomes: "fixedUrl !== undefined && !parsed.baseUrl.startsWith(fixedUrl)",
        test: "test/app/fixed-service.test.ts",
        title: "does not use a saved connection to another service, however its address is written",
      },
      {
        file: policy,
        text: "${serviceOrigin ?? [",
        becomes: "${serviceOrigin ?? 0 ? serviceOrigin + ' https:' : [",
        test: helpPageTest,
        title: "lets requests go only to the fixed service, if there is one",
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
    says: "What the service says in an answer's headers does not act on the browser in the name of the relay, but for those that the add-in reads.",
    mutants: [
      ...[
        "Set-Cookie",
        "Cache-Control",
        "Expires",
        "Pragma",
        "Clear-Site-Data",
        "Strict-Transport-Security",
        "Access-Control-Allow-Origin",
        "Access-Control-Allow-Credentials",
        "NEL",
      ].map((name) => ({
        file: nginx,
        text: `    proxy_hide_header ${name};\n`,
        becomes: "",
        test: serversTest,
        title: inItsName,
      })),
      {
        file: relay,
        text: '  "Access-Control-Allow-Credentials",\n',
        becomes: "",
        test: nginxTest,
        title: "puts the headers of relay.ts on answers, and hides those that it lists",
      },
      ...["Set-Cookie", "Access-Control-Allow-Origin", "Expires"].map((name) => ({
        file: relay,
        text: '  "Age",\n',
        becomes: `  "Age",\n  "${name}",\n`,
        test: serversTest,
        title: inItsName,
      })),
      {
        file: fileServer,
        text: "if (!passes.has(name)) answer.headers.delete(name);",
        becomes: 'if (name.startsWith("set-")) answer.headers.delete(name);',
        test: serversTest,
        title: "passes on no header of the service that relay.ts does not list",
      },
    ],
  },
  {
    says: "A redirect of the relay names no host, whichever a request claims.",
    mutants: [
      {
        file: nginx,
        text: "absolute_redirect off;",
        becomes: "absolute_redirect on;",
        test: serversTest,
        title: "says nothing at %s of the host that the request claims, and sends nobody there",
      },
    ],
  },
  {
    says: "The key is in no log and no file of the relay, and its log of requests holds no query, no header, and no field that a request made up.",
    mutants: [
      {
        file: nginx,
        text: inLog,
        becomes: `$http_x_api_key ${inLog}`,
        test: serversTest,
        title: "has its key written down nowhere, whatever goes wrong",
      },
      {
        file: nginx,
        text: inLog,
        becomes: "$request_uri $status",
        test: serversTest,
        title: "has no question written down, nor a header, while all goes well",
      },
      {
        file: nginx,
        text: inLog,
        becomes: "$uri $status",
        test: nginxTest,
        title: "has the same seven fields whatever a request's path is",
      },
      {
        file: nginx,
        text: inLog,
        becomes: `$http_user_agent ${inLog}`,
        test: serversTest,
        title: "has no question written down, nor a header, while all goes well",
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
      {
        file: nginx,
        text: "proxy_buffering off;",
        becomes: 'proxy_store "/tmp/kept-answers$uri";',
        test: nginxTest,
        title: "keeps no answer and writes down neither query nor header",
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
        title: "shows the key from nginx to no service whose certificate nobody vouches for",
      },
    ],
  },
  {
    says: "`npm run serve` answers this computer alone, under its own names and the manifest's, and logs nothing.",
    mutants: [
      {
        file: fileServer,
        text: "names.includes(name)",
        becomes: "true",
        test: serversTest,
        title:
          "answers to this computer's names and the manifest's, and to no page whose own name leads here",
      },
      {
        file: fileServer,
        text: ", withoutStreamErrors);",
        becomes: ");",
        test: serversTest,
        title: "writes nothing down when an answer or a question breaks off",
      },
      {
        file: fileServer,
        text: 'server.listen(port, "127.0.0.1", done);',
        becomes: 'server.listen(port, "0.0.0.0", done);',
        test: serversTest,
        title:
          "is for this computer alone: it answers on 127.0.0.1 and on no other address, not even of loopback",
      },
    ],
  },
  {
    says: "The container's nginx is Debian's and runs as an ordinary user.",
    mutants: [
      {
        file: "Containerfile",
        text: "ARG DEBIAN=debian:trixie-slim",
        becomes: "ARG DEBIAN=registry.example.com/nginx:latest",
        test: containerTest,
        title: "has two stages, from Debian and no registry by name, and Debian's nginx in the last one",
      },
      {
        file: "Containerfile",
        text: "USER 33:33\n",
        becomes: "",
        test: containerTest,
        title: "runs nginx as an ordinary user, who owns nothing in the image",
      },
      {
        file: "Containerfile",
        text: "USER 33:33\n",
        becomes: "USER 0:0\n",
        test: containerTest,
        title: "runs nginx as an ordinary user, who owns nothing in the image",
      },
    ],
  },
  {
    says: "What is shipped and what builds it is pinned to exact versions, with the checksum of each package for every system.",
    mutants: [
      {
        file: "package.json",
        text: '"react": "19.3.1"',
        becomes: '"react": "^19.3.1"',
        test: pinnedTest,
        title: "pins the packages that are shipped or that build the add-in to exact versions",
      },
      {
        file: "package.json",
        text: '"webpack": "5.112.2"',
        becomes: '"webpack": "^5.112.2"',
        test: pinnedTest,
        title: "pins the packages that are shipped or that build the add-in to exact versions",
      },
      ...["node_modules/react", "node_modules/webpack", "node_modules/@oxlint/binding-darwin-arm64"].map(
        (place) => ({
          file: "package-lock.json",
          text: `    "${place}": {\n`,
          becomes: `    "${place}/none": { "version": "1.0.0" },\n    "${place}": {\n`,
          test: pinnedTest,
          title: "has a version and a SHA-512 of each package, including packages for other systems",
        }),
      ),
    ],
  },
  {
    says: "No package runs a script of its own when it is installed.",
    mutants: [
      {
        file: ".npmrc",
        text: "ignore-scripts=true\n",
        becomes: "",
        test: pinnedTest,
        title:
          "keeps versions exact and registries out of the lock, and lets no package run a script when it is installed",
      },
    ],
  },
  {
    says: "What is shipped is listed with its license, and is the same wherever it is built.",
    mutants: [
      {
        file: "webpack.config.js",
        text: '.filter((resource) => resource?.includes("node_modules"));',
        becomes: '.filter((resource) => resource?.includes("node_modules/react"));',
        test: distTest,
        title: "names every package that is shipped",
      },
      {
        file: "src/main.ts",
        text: "const formulasComeMs = 100;",
        becomes: "const formulasComeMs = 100;\nconsole.log(import.meta.url);",
        test: distTest,
        title: "hold nothing that would differ on another machine or another day",
      },
    ],
  },
];
