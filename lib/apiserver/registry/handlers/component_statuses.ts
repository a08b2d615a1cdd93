// Mirrors `core/componentstatus/rest.go, REST`.
import { endpointKey } from "../../machinery/endpoint.ts";
import { methodNotAllowed, methodNotSupported, notFound } from "@xca/apimachinery/internal/errors";
import { listOptions } from "../../request/list_options.ts";
import { Arena, type StoredObject } from "../../storage/arena.ts";
import type { Call } from "./call.ts";
import { presentPage } from "./list_answer.ts";
import { presentObject } from "./present.ts";
import { Selection } from "./selection.ts";

/**
 * The key of the resource `componentstatuses` among the endpoints that are not served from storage.
 */
export const COMPONENT_STATUSES: string = endpointKey("", "componentstatuses", "");

/**
 * The name of a component that may run together with the API server: the controller manager or the
 * scheduler, by its name in ComponentStatus.
 */
export type ServerComponent = "controller-manager" | "scheduler";

/** The names of the components that kube-apiserver probes in addition to its storage. */
const COMPONENTS: readonly ServerComponent[] = ["scheduler", "controller-manager"];

/**
 * Returns the ComponentStatuses of the components that kube-apiserver would probe, which are
 * unhealthy unless they are `running`, and of the storage, which is internal and always healthy.
 */
function componentStatuses(running: readonly string[]): readonly StoredObject[] {
  const arena = new Arena();
  const components = COMPONENTS.map((name) =>
    running.includes(name)
      ? componentStatus(arena, name)
      : componentStatus(arena, name, `this server runs no kube-${name}`)
  );
  return [...components, componentStatus(arena, "etcd-0")];
}

function componentStatus(arena: Arena, name: string, failure?: string): StoredObject {
  const health = failure === undefined
    ? { status: "True", message: "ok" }
    : { status: "False", message: failure };
  const status = {
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name },
    conditions: [{ type: "Healthy", ...health }],
  };
  return arena.put(name, 0, JSON.stringify(status));
}

/**
 * Returns the response to requests for component statuses, which are computed instead of stored.
 *
 * @see k8s.io/kubernetes/pkg/registry/core/componentstatus
 * @throws {StatusError} 404 for an unknown name; 405 for a verb other than `get` and `list`.
 */
export async function componentStatusAnswer(call: Call): Promise<Response> {
  const { info, registry, resource } = call;
  const statuses = (): readonly StoredObject[] => componentStatuses(registry.components);
  switch (info.verb) {
    case "get": {
      const found = statuses().find(({ key }) => key === info.name);
      // kube-apiserver names the resource in the singular.
      if (!found) throw notFound({ group: "", resource: "componentstatus" }, info.name);
      return presentObject(call, 200, found.tree());
    }
    case "list": {
      const selection = Selection.of(resource, "", listOptions(info.query));
      const items = statuses().filter((stored) =>
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
