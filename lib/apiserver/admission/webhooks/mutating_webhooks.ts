// Mirrors `webhook/mutating/dispatcher.go, mutatingDispatcher.Dispatch`.
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import { internalError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, goQuote, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import type { Registry } from "../../machinery/registry.ts";
import { type AdmissionAttributes, attributesOf } from "../attributes.ts";
import type { Configured } from "../objects_of_kind.ts";
import type { AdmissionPorts } from "../ports.ts";
import { Reinvocations } from "../reinvocation.ts";
import {
  type ConfiguredHook,
  configuredHooks,
  invocationOf,
  mayConcern,
} from "./configured_hooks.ts";
import { asMatched, callHook } from "./hook_call.ts";
import { applyWebhookPatch, readPatch } from "./webhook_patch.ts";

/** The admission plugin that calls mutating webhooks one after the other. */
export class MutatingWebhooks implements Admission {
  readonly name = "MutatingAdmissionWebhook";
  readonly #ports: AdmissionPorts;
  readonly #hooks: Configured<readonly ConfiguredHook[]> = configuredHooks(
    "mutatingwebhookconfigurations",
  );
  readonly #invoked: Reinvocations = new Reinvocations();

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  handles(request: AdmissionRequest, registry: Registry): boolean {
    const hooks = this.#hooks.of(registry);
    return hooks.length > 0 && mayConcern(hooks, attributesOf(request));
  }

  /**
   * Changes the object of a write, `request.object`, by all matching webhooks. Returns in `again`
   * whether a webhook changed the object, in which case the API server calls the mutating plugins a
   * second time for the request.
   *
   * @throws {StatusError} The error of {@linkcode callHook} for a write that a webhook refuses, a
   * dry run that it does not support, or a failed call; the error of {@linkcode invocationOf}; 500
   * if a patch is unreadable or does not apply.
   */
  async mutate(request: AdmissionRequest, registry: Registry): Promise<{ again: boolean }> {
    const invoked = this.#invoked.begin(request);
    let anyChanged = false;
    for (const configured of this.#hooks.of(registry)) {
      if (invoked.skips(configured.key)) continue;
      const changed = await this.#call(configured, request, registry);
      if (changed === undefined) continue;
      if (changed) {
        invoked.noteChange();
        anyChanged = true;
      }
      if (configured.hook.reinvocationPolicy === "IfNeeded") invoked.noteCall(configured.key);
    }
    invoked.end(request);
    return { again: anyChanged };
  }

  /**
   * Calls one mutating webhook, and sets `request.object` to the changed object. Returns whether
   * the webhook changed the object (false also for an ignored failure); `undefined` if the webhook
   * does not match and was not called.
   *
   * @throws {StatusError} The error of {@linkcode invocationOf} or {@linkcode callHook}; 500 if the
   * patch is unreadable, does not apply, or belongs to a write without an object.
   */
  async #call(
    configured: ConfiguredHook,
    request: AdmissionRequest,
    registry: Registry,
  ): Promise<boolean | undefined> {
    const { hook } = configured;
    const attributes = attributesOf(request);
    const match = await invocationOf(configured, attributes, registry, this.#ports);
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
    const patched = applyWebhookPatch(object, operations, attributes, match.equivalent);
    if (jsonEqual(patched as unknown as Json, object as unknown as Json)) return false;
    request.object = await asRequested(patched, attributes, match.equivalent?.version);
    return true;
  }
}

/**
 * Converts an object that a webhook or policy changed from `version` back to the version of the
 * request; without a `version`, returns the object unchanged. The result may be the given object,
 * changed in place.
 */
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
