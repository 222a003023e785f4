import { getProgram, type Machine } from "../get-program";

/** The path of an installed nginx; NGINX_PATH comes first. */
function findNginx({ run }: Machine): string | undefined {
  return [process.env.NGINX_PATH || "nginx", "/usr/sbin/nginx"].find((path) => run([path, "-v"]).succeeds);
}

/** Finds nginx or, on Debian, installs it, and returns its path. Throws a plain sentence if neither works. */
export function ensureNginx(machine?: Machine): string {
  return getProgram(
    {
      name: "nginx",
      find: findNginx,
      debianPackage: "nginx-light",
      sorry:
        "These tests need nginx (on Debian nginx-light), and it is not here: install it, or name one in NGINX_PATH, then " +
        "run the tests again.",
    },
    machine,
  );
}
