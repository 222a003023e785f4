import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** An nginx with its JavaScript module. */
export interface NginxProgram {
  path: string;
  /** The file of the module njs. */
  jsModule: string;
}

/** NGINX_PATH goes first. */
function findNginx(): NginxProgram | undefined {
  for (const path of [process.env.NGINX_PATH || "nginx", "/usr/sbin/nginx"]) {
    const { stderr } = spawnSync(path, ["-V"], { encoding: "utf8" });
    const [, modules] = /--modules-path=(\S+)/.exec(stderr ?? "") ?? [];
    const jsModule = modules && join(modules, "ngx_http_js_module.so");
    if (jsModule && existsSync(jsModule)) return { path, jsModule };
  }
  return undefined;
}

/** Finds nginx or, on Debian, installs it. Throws a plain sentence where it can't be had. */
export function ensureNginx(): NginxProgram {
  const found = findNginx();
  if (found) return found;

  if (existsSync("/etc/debian_version") && process.getuid?.() === 0) {
    console.log("No nginx with its JavaScript module found; installing Debian's for the tests.");
    execFileSync("apt-get", ["update"], { stdio: "inherit" });
    // Level 1 is a machine without services: Debian would start nginx on port 80 otherwise.
    execFileSync(
      "apt-get",
      ["install", "-y", "--no-install-recommends", "nginx-light", "libnginx-mod-http-js"],
      { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" } },
    );
    const fromDebian = findNginx();
    if (fromDebian) return fromDebian;
  }
  throw new Error(
    "These tests need nginx with its JavaScript module (on Debian nginx-light and libnginx-mod-http-js), and neither " +
      "is here. Install both, or name an nginx in NGINX_PATH, then run the tests again.",
  );
}
