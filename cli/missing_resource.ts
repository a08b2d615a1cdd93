import type { ResourceType } from "../lib/meta/mod.ts";

/** The error of a resource that the server does not serve. Its message tells how to install ours. */
export function missingResource(type: ResourceType, cause: unknown): Error {
  const name = type.group === "" ? type.plural : `${type.plural}.${type.group}`;
  return new MissingResourceError(
    `the server does not have the resource ${name} in version ${type.version}; ` +
      "if it is the operator's own, install it: kubectl xca run --install-crds",
    { cause },
  );
}

/** The server does not serve a resource that a command needs. */
export class MissingResourceError extends Error {
  override readonly name: string = "MissingResourceError";
}
