import type { CallOptions } from "./options.ts";
import type { QueryValue } from "./rest.ts";

/**
 * Returns query parameters as the text of a URL query with its `?`; empty without parameters. A
 * value that is `undefined` or an empty text is left out; a list repeats the name.
 */
export function queryText(query: Readonly<Record<string, QueryValue>> = {}): string {
  let params: URLSearchParams | undefined;
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue;
    params ??= new URLSearchParams();
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
  }
  const text = params?.toString() ?? "";
  return text === "" ? "" : `?${text}`;
}

/**
 * Returns the options of a call without those that every call has, {@linkcode CallOptions}, which
 * are not sent to the server.
 */
export function withoutCallOptions<T extends CallOptions>(options: T): Omit<T, keyof CallOptions> {
  const { signal: _1, timeoutMs: _2, caller: _3, ...others } = options;
  return others;
}
