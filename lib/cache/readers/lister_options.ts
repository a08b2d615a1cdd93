import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import type { LabelSelector } from "@xca/apimachinery/meta";

/**
 * Options that select objects from a cache by label selector, index and namespace; an object must
 * match all given ones.
 */
export interface ListerOptions {
  /** The label selector that listed objects must match, as text or parsed. @default all */
  readonly labelSelector?: string | LabelSelector | undefined;
  /**
   * The name of an index, and the value under which it must list the objects: a lookup, not a
   * search.
   *
   * @default all
   */
  readonly index?: { readonly name: string; readonly value: string } | undefined;
  /** The namespace of the objects to list; empty stands for all. @default all */
  readonly namespace?: string | undefined;
  /** The signal that cancels the list, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * An option that must not be given, since a cache cannot select by fields: declare an index, or
   * list with the client.
   */
  readonly fieldSelector?: never;
}

const KNOWN: Readonly<Record<Exclude<keyof ListerOptions, "fieldSelector">, true>> = {
  labelSelector: true,
  index: true,
  namespace: true,
  signal: true,
};

/**
 * Throws unless the names of the options of a list from a cache are known and the namespace is
 * valid: an unknown option, if it were ignored, would select everything. `what` names the cache in
 * messages.
 *
 * @throws {TypeError} If the options are not an object, an option is unknown, or the namespace is
 * not a string or contains a slash.
 */
export function checkListerOptions(what: string, options: ListerOptions): void {
  const failure = `Cannot list from ${what}`;
  checkOptionNames(failure, options, KNOWN as OptionNames<object>);
  const { namespace } = options;
  if (namespace === undefined || typeof namespace === "string" && !namespace.includes("/")) return;
  throw new TypeError(`${failure}: the namespace must be a name, is ${JSON.stringify(namespace)}`);
}
