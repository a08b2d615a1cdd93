/** The version of this package; a test compares it with deno.json. */
export const VERSION = "0.1.0";

/** What we call ourselves: `xca-operator/<version> (deno/<version>; <os>/<arch>)`. */
export function defaultUserAgent(): string {
  return `xca-operator/${VERSION} (deno/${Deno.version.deno}; ${Deno.build.os}/${Deno.build.arch})`;
}
