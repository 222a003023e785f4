/** The service that a build is made for. */
export interface PresetService {
  /** In the form that `parseBaseUrl` gives. */
  baseUrl: string;
  /** Whether users can't enter another one: the add-in then sends keys nowhere else. */
  isFixed: boolean;
}

/** Put in by webpack. */
declare const presetServiceOfBuild: PresetService | null;

/** Null in a build whose users enter the address. */
export const presetService = typeof presetServiceOfBuild === "undefined" ? null : presetServiceOfBuild;
