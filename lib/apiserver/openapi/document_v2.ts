import type { Json, JsonObject } from "../machinery/api_object.ts";
import { builtinRelease } from "../resources/builtin_resources.ts";
import type { ResourceTable } from "../resources/resource_table.ts";
import { packageFacts, TYPE_PACKAGES } from "../types/type_facts.ts";
import { customDefinitions } from "./custom_definitions.ts";
import { definitionOf, STYLE_V2 } from "./definitions.ts";
import { resourcePaths } from "./operations.ts";

/** The one OpenAPI 2 document of all that is served. */
export function documentV2(table: ResourceTable): JsonObject {
  const [, release = ""] = /^v(\d+\.\d+)\./.exec(builtinRelease()) ?? [];
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: release },
    paths: pathsOf(table),
    definitions: definitionsOf(table),
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
}

function definitionsOf(table: ResourceTable): JsonObject {
  const definitions = new Map<string, JsonObject>();
  for (const name of TYPE_PACKAGES) {
    for (const struct of Object.keys(packageFacts(name))) {
      const definition = definitionOf(`${name}.${struct}`, STYLE_V2);
      if (definition) definitions.set(`${name}.${struct}`, definition.schema);
    }
  }
  for (const [name, { schema }] of customDefinitions(table.all(), STYLE_V2)) {
    definitions.set(name, schema);
  }
  return Object.fromEntries([...definitions].sort(([a], [b]) => a < b ? -1 : 1));
}

function pathsOf(table: ResourceTable): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const resource of table.all()) {
    for (const [path, item] of Object.entries(resourcePaths(resource))) {
      paths[path] = pathItem(item);
    }
  }
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a < b ? -1 : 1));
}

/** A path of version 3 in the words of version 2. */
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
      // deno-lint-ignore no-explicit-any -- as above
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
