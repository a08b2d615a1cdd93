import { markClass } from "@xca/apimachinery/internal/base";
import { errorText } from "@xca/apimachinery/base";
import {
  type ApiResource,
  preferredResources,
  type ServerResources,
} from "./discovery_resource.ts";
import { type KindName, mappingsOf } from "./rest_mapping.ts";
import { parseResourceArgument } from "./rest_mapping_argument.ts";

/** The largest number of names that an error about an unknown resource suggests. */
const SUGGESTIONS = 3;

/**
 * The error of a lookup of a resource that the server does not serve. The message of a lookup by
 * name begins as that of kubectl, `the server doesn't have a resource type "x"`; the most similar
 * names and the groups that could not be discovered follow.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { NoMatchError } from "@xca/operator/client";
 *
 * function hint(error: unknown): string {
 *   return error instanceof NoMatchError ? `did you mean ${error.suggestions[0]}?` : "unknown";
 * }
 * const facts = { wanted: "deploymnts", suggestions: ["deployments"], failures: [] };
 * assert.equal(hint(new NoMatchError("no such resource", facts)), "did you mean deployments?");
 * ```
 */
export class NoMatchError extends Error {
  /** The name of this error class, `NoMatchError`. */
  override readonly name = "NoMatchError";
  /** The resource name or kind that was looked up. */
  readonly wanted: string;
  /**
   * The names of the server's resources, or kinds, that are most similar to the wanted one, at most
   * three, the most similar first; empty when none is similar.
   */
  readonly suggestions: readonly string[];
  /**
   * The API groups and versions that could not be discovered; the resource may be in one of these.
   */
  readonly failures: ServerResources["failures"];

  /** Creates the error of a lookup that found no resource. */
  constructor(
    message: string,
    facts: {
      readonly wanted: string;
      readonly suggestions: readonly string[];
      readonly failures: ServerResources["failures"];
    },
  ) {
    const { wanted, suggestions, failures } = facts;
    const names = suggestions.map((name) => JSON.stringify(name)).join(" or ");
    const missing = failures.map(({ apiVersion, error }) => `${apiVersion} (${errorText(error)})`);
    super(
      message + (names ? `; did you mean ${names}?` : "") +
        (missing.length > 0 ? `; it may be in what could not be discovered: ${missing}` : ""),
    );
    this.wanted = wanted;
    this.suggestions = suggestions;
    this.failures = failures;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/NoMatchError"));
  }
}

/**
 * The error of a lookup whose name two resources of one version match equally well.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { AmbiguousResourceError } from "@xca/operator/client";
 *
 * function candidates(error: unknown): readonly string[] {
 *   return error instanceof AmbiguousResourceError ? error.matches.map(({ id }) => id) : [];
 * }
 * assert.deepEqual(candidates(new AmbiguousResourceError("web", [])), []);
 * ```
 */
export class AmbiguousResourceError extends Error {
  /** The name of this error class, `AmbiguousResourceError`. */
  override readonly name = "AmbiguousResourceError";
  /** The resources that the ambiguous name matches. */
  readonly matches: readonly ApiResource[];

  /** Creates the error of a lookup that found several resources. */
  constructor(wanted: string, matches: readonly ApiResource[]) {
    const names = matches.map(({ id }) => id).join(", ");
    super(`Cannot tell which resource ${JSON.stringify(wanted)} is: ${names} match alike`);
    this.matches = matches;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/AmbiguousResourceError"));
  }
}

/** Creates the NoMatchError of an argument that no resource matches. */
export function noMatch(server: ServerResources, argument: string): NoMatchError {
  const { name, group } = parseResourceArgument(argument).loose;
  // Shows the group when the argument named one.
  const show = (resource: ApiResource): string =>
    group && resource.group
      ? `${resource.plural}.${resource.group}`
      : shortestName(server, resource);
  return new NoMatchError(`the server doesn't have a resource type ${JSON.stringify(name)}`, {
    wanted: argument,
    suggestions: suggest(server, name, show),
    failures: server.failures,
  });
}

/** Creates the NoMatchError of a kind that no resource has. */
export function noKindMatch(server: ServerResources, wanted: KindName): NoMatchError {
  const { kind, group, version } = wanted;
  const place = group === undefined
    ? version && ` in version ${version}`
    : ` in ${[group || "the core group", version].filter(Boolean).join("/")}`;
  return new NoMatchError(
    `the server doesn't have a resource of kind ${JSON.stringify(kind)}${place ?? ""}`,
    {
      wanted: kind,
      suggestions: suggest(server, kind.toLowerCase(), ({ kind }) => kind),
      failures: server.failures,
    },
  );
}

/**
 * Returns at most three names of the server's resources that a typing error may have changed to the
 * given name, the most similar first. `show` returns the name to suggest for a resource.
 */
function suggest(
  server: ServerResources,
  name: string,
  show: (resource: ApiResource) => string,
): string[] {
  const lower = name.toLowerCase();
  const most = Math.max(1, Math.floor(lower.length / 3));
  const near = preferredResources(server).map((resource) => {
    const { plural, singular, kind, shortNames } = resource;
    // Short names have two or three letters and are near to every other short name.
    const names = [plural, singular, kind.toLowerCase()].map((each) => distance(lower, each));
    return { resource, steps: Math.min(...names, shortNames.includes(lower) ? 0 : Infinity) };
  });
  const sorted = near.filter(({ steps }) => steps <= most).toSorted((a, b) => a.steps - b.steps);
  return [...new Set(sorted.map(({ resource }) => show(resource)))].slice(0, SUGGESTIONS);
}

/**
 * Returns the plural of a resource, with its group if the plural alone refers to another resource;
 * a resource of the core group has its plural only.
 */
function shortestName(server: ServerResources, resource: ApiResource): string {
  const { plural, group, id } = resource;
  const plain = mappingsOf(server, plural)[0]?.resource;
  return plain?.id === id || group === "" ? plural : `${plural}.${group}`;
}

/**
 * Returns the edit distance of two names: the number of letters to insert, drop, replace or swap
 * with their neighbour.
 */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let steps = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, beforeLast[j - 2]! + 1);
      }
      row.push(steps);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
