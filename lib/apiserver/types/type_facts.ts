import { TYPE_FACTS } from "../facts/types.ts";
import type { PackageFacts, StructFact } from "./fact_shapes.ts";

const packages = new Map<string, PackageFacts>();

/** The names of the Go packages of built-in types, such as `io.k8s.api.core.v1`. */
export const TYPE_PACKAGES: readonly string[] = Object.keys(TYPE_FACTS);

/**
 * Returns the facts about the structs of a Go package, by the name of the struct; empty for an
 * unknown package. The first call for a package parses the facts.
 */
export function packageFacts(name: string): PackageFacts {
  const known = packages.get(name);
  if (known) return known;
  const text = TYPE_FACTS[name];
  const facts: PackageFacts = text === undefined ? {} : JSON.parse(text);
  packages.set(name, facts);
  return facts;
}

/**
 * Returns the generated facts about a Go struct by its OpenAPI name, such as
 * `io.k8s.api.core.v1.Pod`; `undefined` for an unknown name.
 */
export function structFact(id: string): StructFact | undefined {
  const facts = packageFacts(packageOf(id));
  const name = id.slice(id.lastIndexOf(".") + 1);
  return Object.hasOwn(facts, name) ? facts[name] : undefined;
}

/** Returns the package name in a struct's OpenAPI name. */
export function packageOf(id: string): string {
  return id.slice(0, id.lastIndexOf("."));
}

/** Returns the name of the Go package with the kinds of a built-in group version. */
export function packageOfVersion(group: string, version: string): string {
  if (group === "") return `io.k8s.api.core.${version}`;
  if (group === "apiextensions.k8s.io") {
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}`;
  }
  if (group === "apiregistration.k8s.io") {
    return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}`;
  }
  return `io.k8s.api.${group.split(".")[0]}.${version}`;
}
