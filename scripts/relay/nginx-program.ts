import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The path of an installed nginx; NGINX_PATH comes first. */
function findNginx(): string | undefined {
  return [process.env.NGINX_PATH || "nginx", "/usr/sbin/nginx"].find(
    (path) => spawnSync(path, ["-v"]).status === 0,
  );
}

/** Finds nginx or, on Debian, installs it, and returns its path. Throws a plain sentence if neither works. */
export function ensureNginx(): string {
  const found = findNginx();
  if (found) return found;

  if (existsSync("/etc/debian_version") && process.getuid?.() === 0) {
    console.log("No nginx found; installing Debian's for the tests.");
    execFileSync("apt-get", ["update"], { stdio: "inherit" });
    // Run level 1 means a machine without services. Otherwise Debian would start nginx on port 80.
    execFileSync("apt-get", ["install", "-y", "--no-install-recommends", "nginx-light"], {
      stdio: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    });
    const fromDebian = findNginx();
    if (fromDebian) return fromDebian;
  }
  throw new Error(
    "These tests need nginx (on Debian nginx-light), and it is not here. Install it, or name one in NGINX_PATH, then " +
      "run the tests again.",
  );
}
