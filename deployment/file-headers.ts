/** The headers of the add-in's files, one list for all servers that give them out. */
import { contentSecurityPolicy } from "./content-security-policy";

export interface HeaderRule {
  name: string;
  value: string;
  /** Which files, by their path; all where it is left out. */
  files?: RegExp;
  /** On all other files. */
  otherwise?: string;
}

export const fileHeaders: readonly HeaderRule[] = [
  {
    name: "Cache-Control",
    // A script whose name tells its content never changes; whatever else there is names the scripts of today.
    files: /\.[0-9a-f]{8}\.js$/,
    value: "public, max-age=31536000, immutable",
    otherwise: "no-cache",
  },
  // Excel on the web reads it from a page of Microsoft's.
  { name: "Access-Control-Allow-Origin", files: /\/(?:functions|shortcuts)\.json$/, value: "*" },
  // The page of a build with a fixed service has a narrower policy of its own, and browsers keep to both. Which hosts
  // frame an add-in is Microsoft's to change and nowhere listed (OfficeDev/office-js-docs-pr#4911): no frame-ancestors.
  { name: "Content-Security-Policy", value: contentSecurityPolicy(null) },
  { name: "X-Content-Type-Options", value: "nosniff" },
  { name: "Referrer-Policy", value: "no-referrer" },
];

/** The headers of one file; `path` begins with a slash. */
export function headersOf(path: string): [name: string, value: string][] {
  return fileHeaders.flatMap(({ name, value, files, otherwise }) => {
    const given = !files || files.test(path) ? value : otherwise;
    return given === undefined ? [] : [[name, given]];
  });
}
