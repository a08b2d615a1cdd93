/** The version of this package in the User-Agent; a test compares it with deno.json. */
export const VERSION = "0.1.0";

/**
 * Returns the default User-Agent of a client: `xca-operator/<version> (deno/<version>;
 * <os>/<arch>)`.
 */
export function defaultUserAgent(): string {
  return `xca-operator/${VERSION} (deno/${Deno.version.deno}; ${Deno.build.os}/${Deno.build.arch})`;
}
