import { type KubeObject, parseKey, type ResourceType } from "@xca/apimachinery/meta";
import { queryText } from "../../client/calls/query.ts";
import { methodOf, type RestRequest } from "../../client/calls/rest.ts";
import type { RawResource } from "../../client/raw/raw.ts";
import type { ClientCall } from "../../client/scoped/scoped_calls.ts";
import { intercept } from "../../client/scoped/scoped_interceptor.ts";
import type { Client } from "../../client/typed/client.ts";
import { connectVerbs } from "./connect_verbs.ts";
import { formatObservation, Observations, type ObservedAccess } from "./observed_access.ts";
import { accessOfRequest, selectedName } from "./request_access.ts";

/** A recording of the accesses of a client; the result of {@linkcode recordAccess}. */
export interface AccessRecording {
  /** The client whose calls are recorded, for the operator under test. */
  readonly client: Client;
  /** The accesses that were observed until the property is read, each once and sorted. */
  readonly accesses: readonly ObservedAccess[];
  /**
   * The text of the recording so far, as a file for `kubectl xca rbac --check --observed FILE`.
   */
  readonly text: string;
}

/**
 * Returns a recording of accesses, with a client whose calls are recorded by the verbs and
 * resources that they access, for instance for an operator in a test. {@linkcode compareAccess} and
 * `kubectl xca rbac MODULE --check --observed FILE` compare the recording with the declarations of
 * the controllers.
 *
 * A call is recorded before it is sent, so that failed calls count too. A server-side apply counts
 * as `patch` and `create`, since it creates an object that does not exist. Requests that every user
 * may send (discovery, reviews of the own access) are left out.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator";
 * import { recordAccess } from "@xca/operator/rbac";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const recording = recordAccess(client);
 * await recording.client.list(ConfigMap, { namespace: "shop" });
 * const [access] = recording.accesses;
 * assert.equal(access?.request, "GET /api/v1/namespaces/shop/configmaps");
 * ```
 */
export function recordAccess(client: Client): AccessRecording {
  const observations = new Observations();
  const recorded = intercept(client, {
    around: (call, next) => {
      if (call.verb === "raw") {
        return recordedRaw(
          next(call) as RawResource,
          call.type,
          call.options,
          observations,
        ) as ReturnType<typeof next>;
      }
      const fallback = client.config.namespace ?? "default";
      for (const access of accessesOfCall(call, fallback)) observations.add(access);
      return next(call);
    },
  });
  return {
    client: recorded,
    get accesses() {
      return observations.list();
    },
    get text() {
      return formatObservation(observations.list());
    },
  };
}

type TypedCall = Exclude<ClientCall, { readonly verb: "request" | "requestJson" | "connect" }>;

function accessesOfCall(call: ClientCall, fallback: string): ObservedAccess[] {
  if (call.verb === "request" || call.verb === "requestJson") {
    return accessesOfRest(call.request);
  }
  if (call.verb === "connect") {
    const read = accessesOfRest({ ...call.request, method: "GET" });
    return read.flatMap((each) => connectVerbs(each.resource).map((verb) => ({ ...each, verb })));
  }
  const { type } = call;
  const verbs = verbsOf(call);
  const subresource = call.verb === "updateStatus" || call.verb === "patchStatus" ? "status" : "";
  const { namespace, name } = placeOf(call, fallback);
  const caller = "caller" in call.options ? call.options.caller : undefined;
  const all = verbs.map((verb) =>
    observed(type, { verb, subresource, namespace, name, controller: caller ?? "" })
  );
  // The accesses of an apply are those of one request.
  return all.map((each) => ({ ...each, request: all.at(-1)!.request }));
}

/** Returns the RBAC verbs that a call of a typed client method needs. */
function verbsOf(call: TypedCall): string[] {
  switch (call.verb) {
    case "pages":
      return ["list"];
    case "updateStatus":
      return ["update"];
    case "patchStatus":
      return ["patch"];
    case "deleteCollection":
      return ["deletecollection"];
    case "patch":
      return call.patch.type === "apply" ? ["create", "patch"] : ["patch"];
    case "raw":
      return [];
    default:
      return [call.verb];
  }
}

/**
 * Returns the namespace and the name that the request of a typed call has in its path or selector;
 * an empty namespace for all namespaces and cluster-scoped objects, and no name for a create and
 * for other collections.
 */
function placeOf(
  call: TypedCall,
  fallback: string,
): { readonly namespace: string; readonly name: string | undefined } {
  const isCluster = call.type.scope === "Cluster";
  if ("key" in call) {
    const { namespace = "", name } = parseKey(call.key);
    return { namespace, name };
  }
  if ("object" in call) {
    const { namespace, name } = (call.object as KubeObject).metadata;
    const given = "namespace" in call.options ? call.options.namespace : undefined;
    return {
      namespace: isCluster ? "" : namespace ?? given ?? fallback,
      name: call.verb === "create" ? undefined : name,
    };
  }
  const { namespace = "", fieldSelector } = call.options as {
    readonly namespace?: string;
    readonly fieldSelector?: string;
  };
  const verb = call.verb === "pages" ? "list" : call.verb;
  return { namespace, name: selectedName(verb, fieldSelector) };
}

interface Observed {
  readonly verb: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string | undefined;
  readonly controller: string;
}

const METHODS: Readonly<Record<string, string>> = {
  create: "POST",
  delete: "DELETE",
  deletecollection: "DELETE",
  patch: "PATCH",
  update: "PUT",
};

function observed(
  { group, version, plural }: ResourceType,
  { verb, subresource, namespace, name, controller }: Observed,
): ObservedAccess {
  const isOfMany = verb === "list" || verb === "watch" || verb === "create";
  const path = [
    group === "" ? `/api/${version}` : `/apis/${group}/${version}`,
    ...namespace === "" ? [] : ["namespaces", namespace],
    plural,
    ...name === undefined || isOfMany ? [] : [name],
    ...subresource === "" ? [] : [subresource],
  ].join("/");
  return {
    verb,
    group,
    resource: subresource === "" ? plural : `${plural}/${subresource}`,
    namespace,
    ...(name !== undefined && { name }),
    controller,
    request: `${METHODS[verb] ?? "GET"} ${path}${verb === "watch" ? "?watch=1" : ""}`,
  };
}

function accessesOfRest(request: RestRequest): ObservedAccess[] {
  const { path, caller = "" } = request;
  const method = methodOf(request);
  const query = new URLSearchParams(queryText(request.query));
  const access = accessOfRequest({ method, path, query });
  return access ? [{ ...access, controller: caller, request: `${method} ${path}` }] : [];
}

/**
 * Returns a resource of the raw client, as caches read it, whose lists and watches are recorded
 * without a controller.
 */
function recordedRaw(
  raw: RawResource,
  type: ResourceType,
  { namespace = "" }: { readonly namespace?: string | undefined },
  observations: Observations,
): RawResource {
  const record = (verb: string, fieldSelector: string | undefined): void => {
    const name = selectedName(verb, fieldSelector);
    observations.add(observed(type, { verb, subresource: "", namespace, name, controller: "" }));
  };
  return {
    list: (query, onItems, options) => {
      record("list", query.fieldSelector);
      return raw.list(query, onItems, options);
    },
    watch: (query, options) => {
      record("watch", query.fieldSelector);
      return raw.watch(query, options);
    },
  };
}
