// Mirrors `pkg/builder3/openapi.go, BuildOpenAPISpec`.
import type { Json, JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import { builtinRelease } from "../resources/builtin_resources.ts";
import { customDefinitions } from "./custom_definitions.ts";
import { definitionOf, STYLE_V3 } from "./definitions.ts";
import { groupTitle, tagOf } from "./names.ts";
import { resourcePaths } from "./operations.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

/**
 * Returns the name of the OpenAPI 3 document of a group version, as it appears in the index of
 * documents: `apis/apps/v1`, or `api/v1` for the core group.
 */
export function documentName(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/**
 * Builds the OpenAPI 3 document of one group version in steps, between which other work may run;
 * `undefined` for a group version without resources.
 */
export function* versionDocument(
  resources: readonly ApiResource[],
  group: string,
  version: string,
): Generator<void, JsonObject | undefined> {
  if (resources.length === 0) return undefined;
  const isCustom = resources.every(({ customResourceDefinition }) => customResourceDefinition);
  const paths: Record<string, JsonObject> = isCustom
    ? {}
    : { [`/${documentName(group, version)}/`]: resourceListPath(group, version) };
  for (const resource of resources) {
    Object.assign(paths, resourcePaths(resource));
    yield;
  }
  const sorted = Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a < b ? -1 : 1));
  const schemas = yield* schemasOf(resources, sorted);
  return isCustom ? customDocument(sorted, schemas) : document(sorted, schemas);
}

function resourceListPath(group: string, version: string): JsonObject {
  const title = `${groupTitle(group)}${version.slice(0, 1).toUpperCase()}${version.slice(1)}`;
  const schema = { $ref: `#/components/schemas/${META}.APIResourceList` };
  const content = {
    "application/json": { schema },
    "application/yaml": { schema },
  };
  return {
    get: {
      tags: [tagOf(group, version)],
      operationId: `get${title}APIResources`,
      responses: {
        "200": { description: "OK", content },
        "401": { description: "Unauthorized" },
      },
    },
  };
}

/** Builds the OpenAPI 3 document of paths without a resource, such as `/version`. */
export function* pathsDocument(paths: JsonObject): Generator<void, JsonObject> {
  return document(paths, yield* schemasOf([], paths));
}

function document(paths: JsonObject, schemas: JsonObject): JsonObject {
  const [, release = ""] = /^v(\d+\.\d+)\./.exec(builtinRelease()) ?? [];
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: release },
    paths,
    components: {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      securitySchemes: {
        BearerToken: {
          type: "apiKey",
          description: "Bearer Token authentication",
          name: "authorization",
          in: "header",
        },
      },
    },
  };
}

/**
 * Returns the OpenAPI 3 document of a group version of custom resources, with the `info` of
 * k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder.
 */
function customDocument(paths: JsonObject, schemas: JsonObject): JsonObject {
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths,
    components: { schemas },
  };
}

/** Returns, in steps, the OpenAPI schemas that paths refer to, directly or not. */
function* schemasOf(
  resources: readonly ApiResource[],
  paths: JsonObject,
): Generator<void, JsonObject> {
  const custom: ReturnType<typeof customDefinitions> = new Map();
  for (const resource of resources) {
    for (const [name, made] of customDefinitions([resource], STYLE_V3)) custom.set(name, made);
    yield;
  }
  const schemas: JsonObject = {};
  const watched = resources.some(({ verbs, customResourceDefinition }) =>
    verbs.includes("watch") && customResourceDefinition === undefined
  );
  const references = new Set<string>();
  for (const path of Object.values(paths)) {
    referencesOf(path, references);
    yield;
  }
  const waiting = [...references, ...(watched ? [`${META}.WatchEvent`] : [])];
  const own = new Set(resources.map(({ group, version }) => `${group}/${version}`));
  while (waiting.length > 0) {
    const name = waiting.pop()!;
    if (Object.hasOwn(schemas, name)) continue;
    const definition = custom.get(name) ?? definitionOf(name, STYLE_V3);
    if (!definition) continue;
    schemas[name] = withOwnKinds(definition.schema, own);
    waiting.push(...definition.references);
    yield;
  }
  const sorted = Object.entries(schemas).sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(sorted);
}

/** Builds the JSON text of an OpenAPI 3 document in steps of one path or schema. */
export function* documentText(document: JsonObject): Generator<void, string> {
  const { paths, components, ...head } = document;
  const { schemas, ...rest } = components as JsonObject;
  const members = function* (object: JsonObject): Generator<void, string> {
    const texts: string[] = [];
    for (const [name, value] of Object.entries(object)) {
      texts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
      yield;
    }
    return `{${texts.join(",")}}`;
  };
  const pathsText = yield* members(paths as JsonObject);
  const parts = Object.entries(rest).map(([name, value]) =>
    `${JSON.stringify(name)}:${JSON.stringify(value)}`
  );
  if (schemas) parts.unshift(`"schemas":${yield* members(schemas as JsonObject)}`);
  return `${JSON.stringify(head).slice(0, -1)},"paths":${pathsText},"components":{${parts}}}`;
}

/**
 * Returns the OpenAPI schema of a type that all groups share, with the kinds restricted to those of
 * the document's group version and of the core group's `v1`. A schema with fewer than two kinds is
 * returned unchanged.
 */
function withOwnKinds(schema: JsonObject, own: ReadonlySet<string>): JsonObject {
  const key = "x-kubernetes-group-version-kind";
  const kinds = schema[key] as readonly { group: string; version: string }[] | undefined;
  if (!kinds || kinds.length < 2) return schema;
  const kept = kinds.filter(({ group, version }) =>
    (group === "" && version === "v1") || own.has(`${group}/${version}`)
  );
  return { ...schema, [key]: kept as unknown as Json };
}

function referencesOf(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (value === null || typeof value !== "object") return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && typeof inner === "string") {
      found.add(inner.slice(STYLE_V3.prefix.length));
    } else referencesOf(inner, found);
  }
  return found;
}
