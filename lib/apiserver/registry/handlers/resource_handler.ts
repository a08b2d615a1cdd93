// Mirrors `endpoints/installer.go, APIInstaller.registerResourceHandlers`.
import { endpointKey } from "../../machinery/endpoint.ts";
import {
  badRequest,
  methodNotAllowed,
  notFound,
  notImplemented,
  tooLargeVersion,
} from "@xca/apimachinery/internal/errors";
import { booleanParameter } from "@xca/apimachinery/internal/values";
import { watchAnswer } from "../watch/watch_answer.ts";
import type { Call } from "./call.ts";
import { awaitVersion } from "./await_version.ts";
import { COMPONENT_STATUSES, componentStatusAnswer } from "./component_statuses.ts";
import { readDecoded } from "../objects/corrupt_object.ts";
import { endpointAnswer } from "./endpoint_answer.ts";
import { storageKey } from "../../machinery/keys.ts";
import { listAnswer } from "./list_answer.ts";
import { scaleEndpoint } from "../../subresources/scale.ts";
import { presentObject } from "./present.ts";
import { isCached, listRevision, readRevision } from "./revisions.ts";
import {
  fromStorage,
  isShownAsStored,
  isStoredForm,
  shownFromStorage,
} from "../objects/versions.ts";
import {
  createAnswer,
  deleteAnswer,
  deleteCollectionAnswer,
  patchAnswer,
  updateAnswer,
} from "./write_answers.ts";

/**
 * Returns the response to a request for a resource.
 *
 * @throws {StatusError} 405 for a verb that the resource does not have; 501 for a subresource that
 * this server does not implement; the error of the verb.
 */
export async function handleResource(call: Call): Promise<Response> {
  const { resource, subresource, info, endpoints } = call;
  const { plural, group, strategy } = resource;
  const isCustomScale = resource.scalePaths !== undefined && info.subresource === "scale";
  const key = endpointKey(group, plural, info.subresource);
  if (key === COMPONENT_STATUSES) return await componentStatusAnswer(call);
  const endpoint = isCustomScale ? scaleEndpoint : endpoints[key];
  if (endpoint) {
    if (info.verb === "get" && endpoint.get) await checkAskedVersion(call);
    return await endpointAnswer(call, endpoint);
  }
  if (subresource) {
    const part = subresource.name === "status" || strategy.subresources?.[subresource.name];
    if (!part) throw notImplemented(`${plural}/${subresource.name}`);
  }
  switch (info.verb) {
    case "get":
      return await getAnswer(call);
    case "list":
      return await listAnswer(call);
    case "watch":
      return await watchAnswer(call);
    case "create":
      return await createAnswer(call);
    case "update":
      return await updateAnswer(call);
    case "patch":
      return await patchAnswer(call);
    case "delete":
      return await deleteAnswer(call);
    case "deletecollection":
      return await deleteCollectionAnswer(call);
    default:
      throw methodNotAllowed();
  }
}

async function getAnswer(call: Call): Promise<Response> {
  const { registry, resource, info } = call;
  refuseExport(info.query);
  await checkAskedVersion(call);
  const key = storageKey(resource.namespaced ? info.namespace : "", info.name);
  const stored = registry.collectionOf(resource).get(key);
  if (!stored) throw notFound({ group: resource.group, resource: resource.plural }, info.name);
  const { as, type, pretty } = call.negotiated;
  const whole = info.subresource === "";
  const asStored = whole ? isShownAsStored(resource, stored) : isStoredForm(resource);
  if (!as && type === "json" && !pretty && asStored) {
    return presentObject(call, 200, undefined!, stored.bytes());
  }
  const fromStored = whole ? shownFromStorage : fromStorage;
  const [object] = await readDecoded(resource, () => fromStored(resource, [stored]));
  return presentObject(call, 200, object!);
}

/**
 * Checks the `resourceVersion` parameter of a GET request, and waits up to three seconds for a
 * revision that is not reached yet.
 *
 * @throws {StatusError} 500 for an invalid revision, or 400 if the resource is events; 504 if the
 * revision is not reached, for events at once.
 */
async function checkAskedVersion(call: Call): Promise<void> {
  const { registry, resource, info } = call;
  const asked = info.query.get("resourceVersion") ?? "";
  // kube-apiserver has no watch cache of events: a get parses its version as a list does.
  const cached = isCached(resource);
  const revision = cached ? readRevision(asked) : listRevision(asked);
  if (cached && revision > registry.log.revision) {
    await awaitVersion(registry.log, revision, registry.clock, call.signalOf());
  }
  if (revision > registry.log.revision) throw tooLargeVersion(asked, registry.log.revision);
}

/**
 * Refuses a GET whose `export` parameter, which was removed, is present and not `0` or `false`.
 *
 * @throws {StatusError} 400
 */
function refuseExport(query: URLSearchParams): void {
  if (!query.has("export") || !booleanParameter(query, "export")) return;
  throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
}
