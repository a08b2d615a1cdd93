import type { Verb } from "@xca/apimachinery/internal/access";
import { RESOURCE_FACTS } from "../facts/resources.ts";
import { strategyOf } from "../kinds/strategies.ts";
import type { ApiResource, Subresource } from "../machinery/resource.ts";
import type { TypeSchema } from "../machinery/type_schema.ts";
import { structType } from "../types/builtin_type.ts";
import { convertHorizontalPodAutoscaler } from "../kinds/workloads/convert_autoscaler.ts";
import type { ResourceFact, ResourceFacts, VersionFact } from "../types/fact_shapes.ts";
import { packageOfVersion } from "../types/type_facts.ts";

/**
 * Facts about built-in resources that the dump of kube-apiserver lacks: the storage version of
 * resources with several versions, and their conversion.
 */
const STORED: Readonly<
  Record<string, Pick<ApiResource, "storageVersion" | "convert"> | undefined>
> = {
  "autoscaling/horizontalpodautoscalers": {
    storageVersion: "v2",
    convert: (objects, version) =>
      objects.map((object) => convertHorizontalPodAutoscaler(object, version)),
  },
};

/** Returns the Kubernetes release that the embedded API server emulates, such as `v1.37.2`. */
export function builtinRelease(): string {
  return builtinFacts().release;
}

let parsed: ResourceFacts | undefined;

function builtinFacts(): ResourceFacts {
  return parsed ??= JSON.parse(RESOURCE_FACTS);
}

/**
 * Returns new rows of the resource table for all built-in resources and versions, in the order of
 * discovery.
 */
export function builtinResources(): ApiResource[] {
  return builtinFacts().versions.flatMap((version) =>
    version.resources.map((resource) => row(version, resource))
  );
}

function row({ group, version }: VersionFact, fact: ResourceFact): ApiResource {
  const { plural, singular, kind, namespaced, storageVersionHash } = fact;
  const id = `${packageOfVersion(group, version)}.${kind}`;
  let schema: TypeSchema | undefined;
  return {
    group,
    version,
    kind,
    plural,
    singular,
    listKind: `${kind}List`,
    namespaced,
    shortNames: fact.shortNames ?? [],
    categories: fact.categories ?? [],
    verbs: fact.verbs as Verb[],
    subresources: (fact.subresources ?? []) as readonly Subresource[],
    storageVersion: version,
    ...(storageVersionHash && { storageVersionHash }),
    ...STORED[`${group}/${plural}`],
    schema: () => schema ??= structType(id),
    strategy: strategyOf(group, kind),
    ...deprecationOf(group, kind),
  };
}

function deprecationOf(group: string, kind: string): Pick<ApiResource, "deprecationWarning"> {
  const warning = DEPRECATED[group === "" ? kind : `${kind}.${group}`];
  return warning === undefined ? {} : { deprecationWarning: warning };
}

/** The texts of the `Warning` headers of deprecated resources, by kind and group. */
const DEPRECATED: Readonly<Record<string, string>> = {
  ComponentStatus: "v1 ComponentStatus is deprecated in v1.19+",
  Endpoints: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};
