/** The name of a resource or a kind as people type it, taken apart. */
export interface ResourceName {
  /** The plural, singular, short name or kind. */
  readonly name: string;
  /** The API group of the name; empty when none is given. */
  readonly group: string;
  /** The API version of the name; empty when none is given. */
  readonly version: string;
}

/** The two readings of a resource argument such as `x.a.b`. */
export interface ResourceArgument {
  /** The reading of a resource argument as `name.version.group`, if there are two dots or more. */
  readonly qualified: ResourceName | undefined;
  /** The reading of a resource argument as `name` or `name.group`. */
  readonly loose: ResourceName;
}

/**
 * Parses a resource argument of the command line: `deployments`, `deployments.apps` or
 * `deployments.v1.apps`. Whether the middle of the last is a version or the beginning of a group,
 * only the server can tell: `x.a.b` may be either.
 *
 * @throws {TypeError} When there is no name.
 */
export function parseResourceArgument(argument: string): ResourceArgument {
  const [name, ...rest] = argument.split(".") as [string, ...string[]];
  if (name === "") {
    throw new TypeError(
      `Cannot look up a resource: it must be named as "pods", "deployments.apps" or ` +
        `"deployments.v1.apps": current value is ${JSON.stringify(argument)}`,
    );
  }
  const [version = "", ...group] = rest;
  return {
    qualified: rest.length < 2 ? undefined : { name, version, group: group.join(".") },
    loose: { name, version: "", group: rest.join(".") },
  };
}
