/** The parsed name of a resource or a kind, as users type it. */
export interface ResourceName {
  /** The plural, singular, short name or kind in the typed name. */
  readonly name: string;
  /** The API group in the typed name; empty when there is none. */
  readonly group: string;
  /** The API version in the typed name; empty when there is none. */
  readonly version: string;
}

/**
 * The two possible interpretations of a resource argument such as `x.a.b`: the result of {@linkcode
 * parseResourceArgument}.
 */
export interface ResourceArgument {
  /**
   * The interpretation of a resource argument as `name.version.group`; `undefined` if it has fewer
   * than two dots.
   */
  readonly qualified: ResourceName | undefined;
  /** The interpretation of a resource argument as `name` or `name.group`. */
  readonly loose: ResourceName;
}

/**
 * Returns the interpretations of a resource argument of the command line: `deployments`,
 * `deployments.apps` or `deployments.v1.apps`. In `x.a.b` the middle may be a version or the
 * beginning of a group, which only the server can decide.
 *
 * @throws {TypeError} When the argument is empty or begins with a dot.
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
