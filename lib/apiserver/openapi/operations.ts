/**
 * Describes the operations of a resource's paths in OpenAPI 3. Mirrors `endpoints/installer.go,
 * APIInstaller.registerResourceHandlers`.
 *
 * @module
 */
import type { JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource, Subresource } from "../machinery/resource.ts";
import { definitionName, groupTitle, kindName, tagOf } from "./names.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
const LIST_PARAMETERS = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "shardSelector",
  "timeoutSeconds",
  "watch",
];
const DELETE_PARAMETERS = [
  "dryRun",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "propagationPolicy",
];
const COLLECTION_PARAMETERS = [
  "continue",
  "dryRun",
  "fieldSelector",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "labelSelector",
  "limit",
  "orphanDependents",
  "propagationPolicy",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "shardSelector",
  "timeoutSeconds",
];
const WRITE_PARAMETERS = ["dryRun", "fieldManager", "fieldValidation"];
const BOOLEANS = new Set([
  "allowWatchBookmarks",
  "force",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "sendInitialEvents",
  "watch",
]);
const INTEGERS = new Set(["gracePeriodSeconds", "limit", "timeoutSeconds"]);
const PATCH_TYPES = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
];

/** The kind of an OpenAPI operation, as `x-kubernetes-action` names it. */
type Action = "list" | "get" | "post" | "put" | "patch" | "delete" | "deletecollection";

const METHODS: Readonly<Record<Action, string>> = {
  list: "get",
  get: "get",
  post: "post",
  put: "put",
  patch: "patch",
  delete: "delete",
  deletecollection: "delete",
};
const VERBS: Readonly<Record<Action, string>> = {
  list: "list",
  get: "read",
  post: "create",
  put: "replace",
  patch: "patch",
  delete: "delete",
  deletecollection: "delete",
};
/** The kinds of OpenAPI operations, by the verb of discovery. */
const ACTIONS: Readonly<Record<string, Action>> = {
  list: "list",
  get: "get",
  create: "post",
  update: "put",
  patch: "patch",
  delete: "delete",
  deletecollection: "deletecollection",
};

/**
 * Returns the OpenAPI paths of a resource with their operations, by path. Subresources that connect
 * to a pod, a node or a Service, such as `exec`, are left out.
 */
export function resourcePaths(resource: ApiResource): Record<string, JsonObject> {
  const { group, version, plural, namespaced } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const paths: Record<string, JsonObject> = {};
  const add = (path: string, verbs: readonly string[], sub?: Subresource, all = false): void => {
    const actions = verbs.map((verb) => ACTIONS[verb]).filter((action) => action !== undefined);
    if (actions.length > 0) paths[path] = pathItem(resource, path, actions, sub, all);
  };
  const of = (...wanted: string[]): string[] =>
    wanted.filter((verb) => (resource.verbs as readonly string[]).includes(verb));
  add(collection, of("list", "create", "deletecollection"));
  if (namespaced) add(`${root}/${plural}`, of("list"), undefined, true);
  add(`${collection}/{name}`, of("get", "update", "delete", "patch"));
  for (const subresource of resource.subresources) {
    // Subresources that connect to a node or a pod are not described.
    if (subresource.kind.endsWith("Options")) continue;
    add(`${collection}/{name}/${subresource.name}`, subresource.verbs, subresource);
  }
  return paths;
}

function pathItem(
  resource: ApiResource,
  path: string,
  actions: readonly Action[],
  subresource: Subresource | undefined,
  acrossNamespaces: boolean,
): JsonObject {
  const shared = [
    ...(path.includes("{name}") ? [pathParameter("name")] : []),
    ...(path.includes("{namespace}") ? [pathParameter("namespace")] : []),
    queryParameter("pretty"),
  ];
  const item: JsonObject = {};
  for (const action of actions) {
    const own = parametersOf(resource, action);
    // The parameters of the only operation of a path belong to the path.
    const hoisted = actions.length === 1;
    if (hoisted) shared.push(...own.map(queryParameter));
    item[METHODS[action]] = operation(resource, action, subresource, acrossNamespaces, {
      ...(!hoisted && own.length > 0 && { parameters: own.map(queryParameter) }),
    });
  }
  const byName = (a: JsonObject, b: JsonObject): number => String(a.name) < String(b.name) ? -1 : 1;
  item.parameters = shared.sort(byName);
  return item;
}

function operation(
  resource: ApiResource,
  action: Action,
  subresource: Subresource | undefined,
  acrossNamespaces: boolean,
  parameters: JsonObject,
): JsonObject {
  const { group, version } = resource;
  const kind = isCustom(resource) ? { group, version, kind: resource.kind } : {
    group: subresource?.group ?? group,
    version: subresource?.version ?? version,
    kind: subresource?.kind ?? resource.kind,
  };
  const body = bodyOf(resource, action, subresource);
  return {
    tags: [tagOf(group, version)],
    operationId: operationId(resource, action, subresource, acrossNamespaces),
    ...parameters,
    ...(body && { requestBody: body }),
    responses: responsesOf(resource, action, subresource),
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": kind,
  };
}

function operationId(
  { group, version, kind, namespaced }: ApiResource,
  action: Action,
  subresource: Subresource | undefined,
  acrossNamespaces: boolean,
): string {
  const title = `${groupTitle(group)}${version.slice(0, 1).toUpperCase()}${version.slice(1)}`;
  const collection = action === "deletecollection" ? "Collection" : "";
  const scope = namespaced && !acrossNamespaces ? "Namespaced" : "";
  const words = (subresource?.name ?? "").split("/").map((word) =>
    word.slice(0, 1).toUpperCase() + word.slice(1)
  );
  const behind = acrossNamespaces ? "ForAllNamespaces" : words.join("");
  return `${VERBS[action]}${title}${collection}${scope}${kind}${behind}`;
}

/**
 * Reports whether a resource is custom; kube-apiserver's OpenAPI documents describe custom
 * resources in less detail.
 */
function isCustom({ customResourceDefinition }: ApiResource): boolean {
  return customResourceDefinition !== undefined;
}

function parametersOf(resource: ApiResource, action: Action): readonly string[] {
  switch (action) {
    case "list":
      return LIST_PARAMETERS;
    case "get":
      return isCustom(resource) ? ["resourceVersion"] : [];
    case "deletecollection":
      return isCustom(resource) ? LIST_PARAMETERS : COLLECTION_PARAMETERS;
    case "delete":
      return DELETE_PARAMETERS;
    case "patch":
      return [...WRITE_PARAMETERS, "force"];
    case "post":
    case "put":
      return WRITE_PARAMETERS;
    default:
      return [];
  }
}

function queryParameter(name: string): JsonObject {
  const type = BOOLEANS.has(name) ? "boolean" : INTEGERS.has(name) ? "integer" : "string";
  return { name, in: "query", schema: { type, uniqueItems: true } };
}

function pathParameter(name: string): JsonObject {
  return { name, in: "path", required: true, schema: { type: "string", uniqueItems: true } };
}

function reference(name: string): JsonObject {
  return { schema: { $ref: `#/components/schemas/${name}` } };
}

/** Returns the name of the OpenAPI definition of the objects that an operation reads or writes. */
function subjectName(resource: ApiResource, subresource: Subresource | undefined): string {
  if (!subresource || subresource.kind === resource.kind) return definitionName(resource);
  const { group = resource.group, version = resource.version, kind } = subresource;
  return kindName(group, version, kind);
}

function bodyOf(
  resource: ApiResource,
  action: Action,
  subresource: Subresource | undefined,
): JsonObject | undefined {
  const custom = resource.customResourceDefinition !== undefined;
  const types = custom ? ["application/json", "application/yaml"] : ["*/*"];
  const content = (each: readonly string[], name: string): JsonObject =>
    Object.fromEntries(each.map((type) => [type, reference(name)]));
  switch (action) {
    case "post":
    case "put":
      return { content: content(types, subjectName(resource, subresource)), required: true };
    case "delete":
    case "deletecollection":
      if (custom && action === "deletecollection") return undefined;
      return { content: content(types, `${META}.DeleteOptions`) };
    case "patch": {
      const patches = custom
        ? PATCH_TYPES
        : [...PATCH_TYPES, "application/strategic-merge-patch+json"];
      return { content: content(patches, `${META}.Patch`), required: true };
    }
    default:
      return undefined;
  }
}

function responsesOf(
  resource: ApiResource,
  action: Action,
  subresource: Subresource | undefined,
): JsonObject {
  const subject = subjectName(resource, subresource);
  const name = action === "list"
    ? `${definitionName(resource)}List`
    : action.startsWith("delete")
    ? `${META}.Status`
    : subject;
  const types = ["application/json", "application/yaml"];
  const custom = isCustom(resource);
  if (action === "list" && !custom) types.splice(1, 0, "application/json;stream=watch");
  const described = (description: string): JsonObject => ({
    description,
    content: Object.fromEntries(types.map((type) => [type, reference(name)])),
  });
  return {
    "200": described("OK"),
    ...((action === "post" || action === "put" || (action === "patch" && !custom)) && {
      "201": described("Created"),
    }),
    ...((action === "post" || action === "delete") && { "202": described("Accepted") }),
    "401": { description: "Unauthorized" },
  };
}
