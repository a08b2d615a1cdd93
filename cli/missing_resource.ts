import type { ResourceType } from "../lib/meta/mod.ts";

/**
 * The error of a resource that the server does not serve.
 *
 * @param install What installs its definition; by default what installs that of Xca.
 */
export function missingResource(
  type: ResourceType,
  cause: unknown,
  install = "kubectl xca run --install-crds",
): Error {
  return new MissingResourceError(
    `the server does not have the resource ${resourceName(type)} in version ${type.version}; ` +
      `install it first: ${install}`,
    { cause },
  );
}

/** As its CustomResourceDefinition is named: `xcas.apps.xca.k8s.kb.cx`; of the core group `pods`. */
export function resourceName(type: ResourceType): string {
  return type.group === "" ? type.plural : `${type.plural}.${type.group}`;
}

/** The server does not serve a resource that a command needs. */
export class MissingResourceError extends Error {
  override readonly name: string = "MissingResourceError";
}
