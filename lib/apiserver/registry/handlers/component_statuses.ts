// Mirrors `core/componentstatus/rest.go, REST`.
import { endpointKey } from "../../machinery/endpoint.ts";
import { methodNotAllowed, methodNotSupported, notFound } from "@xca/apimachinery/internal/errors";
import { listOptions } from "../../request/list_options.ts";
import { Arena, type StoredObject } from "../../storage/arena.ts";
import type { Call } from "./call.ts";
import { presentPage } from "./list_answer.ts";
import { presentObject } from "./present.ts";
import { Selection } from "./selection.ts";

/** The key of the endpoint for ComponentStatuses. */
export const COMPONENT_STATUSES: string = endpointKey("", "componentstatuses", "");

/**
 * The health of the components that kube-apiserver probes. This server probes nothing: its storage
 * is internal, and it runs none of the other components.
 */
const COMPONENTS = {
  "scheduler": { status: "False", message: "this server runs no kube-scheduler" },
  "controller-manager": {
    status: "False",
    message: "this server runs no kube-controller-manager",
  },
  "etcd-0": { status: "True", message: "ok" },
};

let made: readonly StoredObject[] | undefined;

function componentStatuses(): readonly StoredObject[] {
  return made ??= makeStatuses(new Arena());
}

function makeStatuses(arena: Arena): StoredObject[] {
  return Object.entries(COMPONENTS).map(([name, { status, message }]) =>
    arena.put(
      name,
      0,
      JSON.stringify({
        kind: "ComponentStatus",
        apiVersion: "v1",
        metadata: { name },
        conditions: [{ type: "Healthy", status, message }],
      }),
    )
  );
}

/**
 * Returns the response to requests for component statuses, which are computed instead of stored.
 *
 * @see k8s.io/kubernetes/pkg/registry/core/componentstatus
 * @throws {StatusError}
 */
export async function componentStatusAnswer(call: Call): Promise<Response> {
  const { info, resource } = call;
  switch (info.verb) {
    case "get": {
      const found = componentStatuses().find(({ key }) => key === info.name);
      // kube-apiserver names the resource in the singular.
      if (!found) throw notFound({ group: "", resource: "componentstatus" }, info.name);
      return presentObject(call, 200, found.tree());
    }
    case "list": {
      const selection = Selection.of(resource, "", listOptions(info.query));
      const items = componentStatuses().filter((stored) =>
        selection.covers(stored.key) && selection.matches(stored.tree())
      );
      const page = { items, revision: undefined, continueToken: "", remainingItemCount: undefined };
      return await presentPage(call, page);
    }
    case "watch":
      throw methodNotSupported({ group: "", resource: resource.plural }, "watch");
    default:
      throw methodNotAllowed();
  }
}
