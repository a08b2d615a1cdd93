import type { ApiObject } from "../machinery/api_object.ts";
import { methodNotAllowed, notFound } from "../machinery/status_error.ts";
import { jsonAnswer } from "../request/answer.ts";
import { watchAnswer } from "../watch/watch_answer.ts";
import { createObject } from "./create_object.ts";
import { deleteObject } from "./delete_object.ts";
import { apiVersionOf, storageKey } from "./keys.ts";
import type { Registry } from "./registry.ts";
import type { RequestScope } from "./request_scope.ts";
import { updateObject } from "./update_object.ts";
import type { Written } from "./written.ts";

/** Answers one call of a verb on a resource. */
export async function handleResource(
  registry: Registry,
  scope: RequestScope,
  request: Request,
): Promise<Response> {
  switch (scope.verb) {
    case "get":
      return getAnswer(registry, scope);
    case "list":
      return listAnswer(registry, scope);
    case "watch":
      return watch(registry, scope);
    case "create": {
      const object = await readObject(scope, request);
      return writtenAnswer(await createObject(registry, scope, () => object));
    }
    case "update": {
      const bytes = await request.text();
      return writtenAnswer(
        await updateObject(registry, scope, () => decode(scope, bytes)),
      );
    }
    case "delete": {
      const { object } = await deleteObject(registry, scope, {});
      return jsonAnswer(200, JSON.stringify(object));
    }
    default:
      throw methodNotAllowed();
  }
}

function writtenAnswer({ object, text, created }: Written): Response {
  return jsonAnswer(created ? 201 : 200, text ?? JSON.stringify(object));
}

async function readObject(scope: RequestScope, request: Request): Promise<ApiObject> {
  return decode(scope, await request.text());
}

/** Slot: decoding by the schema, and defaults. */
function decode(scope: RequestScope, text: string): ApiObject {
  const object = JSON.parse(text) as ApiObject;
  object.apiVersion ??= apiVersionOf(scope.resource);
  object.kind ??= scope.resource.kind;
  object.metadata ??= {};
  scope.resource.strategy.defaults?.(object);
  return object;
}

function getAnswer(registry: Registry, scope: RequestScope): Response {
  const { resource, name, namespace } = scope;
  const stored = registry.collectionOf(resource).get(
    storageKey(resource.namespaced ? namespace : "", name),
  );
  if (!stored) throw notFound({ group: resource.group, resource: resource.plural }, name);
  return jsonAnswer(200, stored.bytes().slice());
}

function listAnswer(registry: Registry, scope: RequestScope): Response {
  const { resource } = scope;
  const stored = registry.collectionOf(resource).list(prefixOf(scope));
  const head = `{"kind":"${resource.listKind}","apiVersion":"${apiVersionOf(resource)}",` +
    `"metadata":{"resourceVersion":"${registry.log.revision}"},"items":[`;
  return jsonAnswer(200, head + stored.map((each) => each.text()).join(",") + "]}");
}

function watch(registry: Registry, scope: RequestScope): Response {
  const version = scope.query.get("resourceVersion") ?? "";
  return watchAnswer({
    log: registry.log,
    collection: registry.collectionOf(scope.resource),
    prefix: prefixOf(scope),
    since: version === "" || version === "0" ? undefined : Number(version),
    signal: scope.signal,
  });
}

function prefixOf({ resource, namespace }: RequestScope): string {
  return resource.namespaced && namespace !== "" ? `${namespace}/` : "";
}
