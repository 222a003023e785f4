/** The service that a build is made for. */
export interface PresetService {
  /** In the form that `parseBaseUrl` gives. */
  baseUrl: string;
  /** True if users can't enter another address. The add-in then sends keys nowhere else. */
  isFixed: boolean;
}

/** webpack defines this. */
declare const presetServiceOfBuild: PresetService | null;

/** Null in a build whose users enter the address. */
export const presetService = typeof presetServiceOfBuild === "undefined" ? null : presetServiceOfBuild;
