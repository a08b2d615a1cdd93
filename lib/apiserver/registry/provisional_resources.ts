import type { ApiResource } from "../machinery/resource.ts";
import { strategyOf } from "../kinds/strategies.ts";
import type { ResourceFinder } from "./resource_finder.ts";

function row(kind: string, plural: string, namespaced: boolean): ApiResource {
  return {
    group: "",
    version: "v1",
    kind,
    plural,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    namespaced,
    shortNames: [],
    categories: [],
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    subresources: kind === "ConfigMap"
      ? []
      : [{ name: "status", kind, verbs: ["get", "patch", "update"] }],
    storageVersion: "v1",
    schema: () => undefined,
    strategy: strategyOf("", kind),
  };
}

const ROWS = [
  row("ConfigMap", "configmaps", true),
  row("Namespace", "namespaces", false),
  row("Pod", "pods", true),
  row("Secret", "secrets", true),
];

/** A table of a few resources, until the whole one is there. */
export const PROVISIONAL_RESOURCES: ResourceFinder = {
  find: (group, version, plural) =>
    ROWS.find((each) => each.group === group && each.version === version && each.plural === plural),
  all: () => ROWS,
  versionsOf: (group, plural) =>
    ROWS.filter((each) => each.group === group && each.plural === plural),
};
