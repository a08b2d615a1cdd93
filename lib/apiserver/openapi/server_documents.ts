// Mirrors `server/routes/openapi.go, OpenAPI.InstallV3`.
import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { ResourceTable } from "../resources/resource_table.ts";
import { pathsDocument } from "./document_v3.ts";
import { groupTitle } from "./names.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
const NEGOTIATED = ["application/json", "application/yaml"];

/** The OpenAPI description of the response to a GET of a path without a group version. */
interface PathFacts {
  readonly tag: string;
  readonly operationId: string;
  /**
   * The name of the OpenAPI definition of the response to a GET; absent for a response that is
   * described as a string.
   */
  readonly schema?: string;
  readonly types: readonly string[];
}

const PATHS: Readonly<Record<string, PathFacts>> = {
  ".well-known/openid-configuration": {
    tag: "WellKnown",
    operationId: "getServiceAccountIssuerOpenIDConfiguration",
    types: ["application/json"],
  },
  "api": {
    tag: "core",
    operationId: "getCoreAPIVersions",
    schema: `${META}.APIVersions`,
    types: NEGOTIATED,
  },
  "apis": {
    tag: "apis",
    operationId: "getAPIVersions",
    schema: `${META}.APIGroupList`,
    types: NEGOTIATED,
  },
  "openid/v1/jwks": {
    tag: "openid",
    operationId: "getServiceAccountIssuerOpenIDKeyset",
    types: ["application/jwk-set+json"],
  },
  "version": {
    tag: "version",
    operationId: "getCodeVersion",
    schema: "io.k8s.apimachinery.pkg.version.Info",
    types: ["application/json"],
  },
};

/**
 * Returns the names of the OpenAPI 3 documents of paths without a group version, such as `version`,
 * and of the built-in groups, such as `apis/apps`.
 */
export function serverDocumentNames(table: ResourceTable): string[] {
  const groups = new Set<string>();
  for (const { group, customResourceDefinition } of table.all()) {
    if (group !== "" && customResourceDefinition === undefined) groups.add(`apis/${group}`);
  }
  return [...Object.keys(PATHS), ...groups];
}

/**
 * Builds the OpenAPI 3 document of a path without a group version, given by one of the {@linkcode
 * serverDocumentNames}.
 */
export function serverDocument(name: string): Generator<void, JsonObject> {
  const { tag, operationId, schema, types } = Object.hasOwn(PATHS, name)
    ? PATHS[name]!
    : groupFacts(name.slice("apis/".length));
  const content = schema ? { $ref: `#/components/schemas/${schema}` } : { type: "string" };
  return pathsDocument({
    [`/${name}/`]: {
      get: {
        tags: [tag],
        operationId,
        responses: {
          "200": {
            description: "OK",
            content: Object.fromEntries(types.map((type) => [type, { schema: content }])),
          },
          "401": { description: "Unauthorized" },
        },
      },
    },
  });
}

function groupFacts(group: string): PathFacts {
  const title = groupTitle(group);
  return {
    tag: title.slice(0, 1).toLowerCase() + title.slice(1),
    operationId: `get${title}APIGroup`,
    schema: `${META}.APIGroup`,
    types: NEGOTIATED,
  };
}
