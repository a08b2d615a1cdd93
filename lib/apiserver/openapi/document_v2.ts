// Mirrors `pkg/builder/openapi.go, BuildOpenAPISpec`.
import type { TimeSlice } from "@xca/apimachinery/internal/base";
import type { Json, JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import { builtinRelease } from "../resources/builtin_resources.ts";
import type { ResourceTable } from "../resources/resource_table.ts";
import { packageFacts, TYPE_PACKAGES } from "../types/type_facts.ts";
import { customDefinitions } from "./custom_definitions.ts";
import { definitionOf, STYLE_V2 } from "./definitions.ts";
import { resourcePaths } from "./operations.ts";

/** A path or a definition of an OpenAPI 2 document. Parts of unchanged resources are built once. */
export interface DocumentPart {
  readonly name: string;
  /** The JSON text of a path or definition in the OpenAPI 2 document. */
  readonly text: string;
  /** The protobuf encoding of a path or definition in the OpenAPI 2 document, set on first use. */
  protobuf?: Uint8Array;
}

/**
 * The OpenAPI 2 document of all served resources, in parts, without the security definitions, which
 * {@linkcode textPieces} adds.
 */
export interface DocumentV2 {
  /** The members `swagger` and `info` of the OpenAPI 2 document. */
  readonly head: JsonObject;
  /** The paths of the OpenAPI 2 document, sorted by name. */
  readonly paths: readonly DocumentPart[];
  /** The definitions of the OpenAPI 2 document, sorted by name. */
  readonly definitions: readonly DocumentPart[];
}

/**
 * Builds the OpenAPI 2 document with the paths of all served resources, and the definitions of
 * these and of all built-in types; yields to other work whenever the time slice is used.
 */
export async function documentV2(table: ResourceTable, slice: TimeSlice): Promise<DocumentV2> {
  const [, release = ""] = /^v(\d+\.\d+)\./.exec(builtinRelease()) ?? [];
  const resources = [...table.all()];
  const paths = new Map<string, DocumentPart>();
  const definitions = new Map<string, DocumentPart>();
  for (const name of TYPE_PACKAGES) {
    for (const part of builtinDefinitions(name)) definitions.set(part.name, part);
    if (slice.used) await slice.next();
  }
  for (const resource of resources) {
    for (const part of pathsOf(resource)) paths.set(part.name, part);
    for (const part of definitionsOf(resource)) definitions.set(part.name, part);
    if (slice.used) await slice.next();
  }
  return {
    head: { swagger: "2.0", info: { title: "Kubernetes", version: release } },
    paths: sorted(paths),
    definitions: sorted(definitions),
  };
}

/** Yields the JSON text of an OpenAPI 2 document in pieces. */
export function* textPieces({ head, paths, definitions }: DocumentV2): Iterable<string> {
  yield JSON.stringify(head).slice(0, -1);
  yield* members("paths", paths);
  yield* members("definitions", definitions);
  yield `,${JSON.stringify(SECURITY).slice(1)}`;
}

const SECURITY: JsonObject = {
  securityDefinitions: {
    BearerToken: {
      description: "Bearer Token authentication",
      type: "apiKey",
      name: "authorization",
      in: "header",
    },
  },
  security: [{ BearerToken: [] }],
};

function* members(field: string, parts: readonly DocumentPart[]): Iterable<string> {
  let before = `,${JSON.stringify(field)}:{`;
  for (const { name, text } of parts) {
    yield `${before}${JSON.stringify(name)}:${text}`;
    before = ",";
  }
  yield parts.length === 0 ? `${before}}` : "}";
}

function sorted(parts: ReadonlyMap<string, DocumentPart>): DocumentPart[] {
  return [...parts.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

const builtinParts = new Map<string, readonly DocumentPart[]>();
const pathParts = new WeakMap<ApiResource, readonly DocumentPart[]>();
const customParts = new WeakMap<ApiResource, readonly DocumentPart[]>();

/** Returns the OpenAPI 2 definitions of a package of built-in types. */
function builtinDefinitions(name: string): readonly DocumentPart[] {
  let parts = builtinParts.get(name);
  if (parts === undefined) {
    parts = Object.keys(packageFacts(name)).flatMap((struct) => {
      const definition = definitionOf(`${name}.${struct}`, STYLE_V2);
      return definition ? [partOf(`${name}.${struct}`, definition.schema)] : [];
    });
    builtinParts.set(name, parts);
  }
  return parts;
}

/** Returns the OpenAPI 2 definitions of a custom resource; none for a built-in resource. */
function definitionsOf(resource: ApiResource): readonly DocumentPart[] {
  let parts = customParts.get(resource);
  if (parts === undefined) {
    parts = [...customDefinitions([resource], STYLE_V2)]
      .map(([name, { schema }]) => partOf(name, schema));
    customParts.set(resource, parts);
  }
  return parts;
}

function pathsOf(resource: ApiResource): readonly DocumentPart[] {
  let parts = pathParts.get(resource);
  if (parts === undefined) {
    parts = Object.entries(resourcePaths(resource))
      .map(([path, item]) => partOf(path, pathItem(item)));
    pathParts.set(resource, parts);
  }
  return parts;
}

function partOf(name: string, value: JsonObject): DocumentPart {
  return { name, text: JSON.stringify(value) };
}

/** Converts a path item of OpenAPI 3 to OpenAPI 2. */
function pathItem(item: JsonObject): JsonObject {
  const made: JsonObject = {};
  for (const [key, value] of Object.entries(item)) {
    made[key] = key === "parameters"
      ? (value as JsonObject[]).map(parameter)
      : operation(value as JsonObject);
  }
  return made;
}

// deno-lint-ignore no-explicit-any -- a document of this folder's own making
function operation({ requestBody, responses, parameters = [], ...rest }: any): JsonObject {
  const bodyTypes = Object.keys(requestBody?.content ?? {});
  const body = requestBody && {
    name: "body",
    in: "body",
    ...(requestBody.required && { required: true }),
    schema: renamed(requestBody.content[bodyTypes[0]!].schema),
  };
  return {
    ...rest,
    consumes: bodyTypes.length > 0 ? bodyTypes : ["*/*"],
    produces: ["application/json", "application/yaml"],
    schemes: ["https"],
    parameters: [...(body ? [body] : []), ...parameters.map(parameter)],
    responses: Object.fromEntries(
      // deno-lint-ignore no-explicit-any -- a document of this folder's own making
      Object.entries<any>(responses).map(([code, { description, content }]) => {
        const schema = content?.["application/json"]?.schema;
        return [code, { description, ...(schema && { schema: renamed(schema) }) }];
      }),
    ),
  };
}

function parameter({ schema, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...(schema as JsonObject) };
}

function renamed({ $ref }: { $ref: string }): Json {
  return { $ref: $ref.replace("#/components/schemas/", STYLE_V2.prefix) };
}
