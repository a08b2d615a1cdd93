import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { ApiObject, Json } from "../../machinery/api_object.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { jsonEqual } from "../../machinery/json_values.ts";
import type { RegistryPort } from "../../machinery/registry_port.ts";
import { internalError } from "../../machinery/status_error.ts";
import { type AdmissionAttributes, attributesOf } from "../attributes.ts";
import type { Configured } from "../objects_of_kind.ts";
import type { AdmissionPorts } from "../ports.ts";
import {
  type ConfiguredHook,
  configuredHooks,
  invocationOf,
  mayConcern,
} from "./configured_hooks.ts";
import { asMatched, callHook } from "./hook_call.ts";
import { applyWebhookPatch, readPatch } from "./webhook_patch.ts";

/** What was called for one write, so that some may be called again. */
interface Invoked {
  /** Those called so far that want to see what others change after them. */
  readonly previous: Set<string>;
  /** Those of them after which something was changed. */
  readonly due: Set<string>;
  /** The object as the last webhook left it. */
  output: string;
}

/** Calls webhooks that change objects, one after another. */
export class MutatingWebhooks implements Admission {
  readonly name = "MutatingAdmissionWebhook";
  readonly #ports: AdmissionPorts;
  readonly #hooks: Configured<readonly ConfiguredHook[]> = configuredHooks(
    "mutatingwebhookconfigurations",
  );
  readonly #invoked = new WeakMap<AdmissionRequest, Invoked>();

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  handles(request: AdmissionRequest, registry: RegistryPort): boolean {
    const hooks = this.#hooks.of(registry);
    return hooks.length > 0 && mayConcern(hooks, attributesOf(request));
  }

  /** Is called a second time for the same request, when a webhook changed something. */
  async mutate(request: AdmissionRequest, registry: RegistryPort): Promise<{ again: boolean }> {
    let invoked = this.#invoked.get(request);
    const again = invoked !== undefined;
    if (!invoked) {
      invoked = { previous: new Set(), due: new Set(), output: "" };
      this.#invoked.set(request, invoked);
    } else if (invoked.output !== JSON.stringify(request.object)) makeDue(invoked);
    return { again: await this.#run(request, registry, invoked, again) };
  }

  /** Whether one of them changed something. */
  async #run(
    request: AdmissionRequest,
    registry: RegistryPort,
    invoked: Invoked,
    again: boolean,
  ): Promise<boolean> {
    let anyChanged = false;
    for (const configured of this.#hooks.of(registry)) {
      if (again && !invoked.due.has(configured.key)) continue;
      const changed = await this.#call(configured, request, registry);
      if (changed === undefined) continue;
      if (changed) {
        makeDue(invoked);
        anyChanged = true;
      }
      if (configured.hook.reinvocationPolicy === "IfNeeded") invoked.previous.add(configured.key);
    }
    invoked.output = JSON.stringify(request.object);
    return anyChanged;
  }

  /** Whether the webhook changed the object; `undefined` when it was not called. */
  async #call(
    configured: ConfiguredHook,
    request: AdmissionRequest,
    registry: RegistryPort,
  ): Promise<boolean | undefined> {
    const { hook } = configured;
    const attributes = attributesOf(request);
    const match = invocationOf(configured, attributes, registry, this.#ports);
    if (!match) return undefined;
    const object = await asMatched(request.object, match, attributes);
    const call = { hook, attributes, match, mutating: true, ports: this.#ports };
    const response = await callHook(call, object);
    if (!response?.patch) return false;
    const operations = readPatch(hook, response);
    if (!operations || operations.length === 0) return false;
    if (!object) {
      throw internalError(
        `admission webhook ${goQuote(hook.name)} attempted to modify the object, which is not ` +
          "supported for this operation",
      );
    }
    const patched = applyWebhookPatch(object, operations, attributes);
    if (jsonEqual(patched as unknown as Json, object as unknown as Json)) return false;
    request.object = await asRequested(patched, attributes, match.equivalent?.version);
    return true;
  }
}

/** Something was changed: all that were called before are to see it. */
function makeDue({ previous, due }: Invoked): void {
  for (const key of previous) due.add(key);
  previous.clear();
}

/** The object in the version of the request again. */
export async function asRequested(
  object: ApiObject,
  { request }: AdmissionAttributes,
  version: string | undefined,
): Promise<ApiObject> {
  if (version === undefined) return object;
  const { convert, group, version: own, kind } = request.context.resource;
  const [converted = object] = await convert?.([object], own) ?? [];
  converted.apiVersion = group === "" ? own : `${group}/${own}`;
  converted.kind = kind;
  return converted;
}
