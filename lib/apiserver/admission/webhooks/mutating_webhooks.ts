import { applyJsonPatch, type JsonPatchOperation } from "../../patch/json_patch.ts";
import { decodeObject } from "../../decode/decode_object.ts";
import { errorText } from "../../../base/error_text.ts";
import { sameJson } from "../../cel/rules/correlation.ts";
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { ApiObject, Json } from "../../machinery/api_object.ts";
import { goQuote } from "../../machinery/go_text.ts";
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
import { asMatched, callFailure, callHook } from "./hook_call.ts";
import type { Hook } from "./hook.ts";
import type { ReviewResponse } from "./review.ts";

/** What was called for one write, so that some may be called again. */
interface Invoked {
  /** Those that want to see what others changed after them. */
  readonly reinvocable: Set<string>;
  /** Those of them that are to be called again. */
  readonly again: Set<string>;
  /** The object as the last webhook left it. */
  output: string;
}

/** Calls webhooks that change objects, one after another. */
export class MutatingWebhooks implements Admission {
  readonly name = "MutatingAdmissionWebhook";
  readonly reinvoked = true;
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

  /** Runs a second time for the same request when something was changed after the first. */
  async mutate(request: AdmissionRequest, registry: RegistryPort): Promise<void> {
    const first = this.#invoked.get(request);
    if (!first) {
      const invoked = { reinvocable: new Set<string>(), again: new Set<string>(), output: "" };
      this.#invoked.set(request, invoked);
      await this.#run(request, registry, invoked, () => true);
      if (invoked.again.size === 0) return;
      await this.#rerun(request, registry, invoked);
      return;
    }
    if (first.output === JSON.stringify(request.object)) return;
    for (const key of first.reinvocable) first.again.add(key);
    await this.#rerun(request, registry, first);
  }

  async #rerun(
    request: AdmissionRequest,
    registry: RegistryPort,
    invoked: Invoked,
  ): Promise<void> {
    const again = new Set(invoked.again);
    invoked.again.clear();
    await this.#run(request, registry, invoked, (key) => again.has(key));
    invoked.again.clear();
  }

  async #run(
    request: AdmissionRequest,
    registry: RegistryPort,
    invoked: Invoked,
    isDue: (key: string) => boolean,
  ): Promise<void> {
    for (const configured of this.#hooks.of(registry)) {
      if (!isDue(configured.key)) continue;
      const changed = await this.#call(configured, request, registry);
      if (changed === undefined) continue;
      if (changed) { for (const key of invoked.reinvocable) invoked.again.add(key); }
      if (configured.hook.reinvocationPolicy === "IfNeeded") {
        invoked.reinvocable.add(configured.key);
      }
    }
    invoked.output = JSON.stringify(request.object);
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
    const patched = patch(object, operations, attributes);
    if (sameJson(patched as unknown as Json, object as unknown as Json)) return false;
    request.object = await back(patched, attributes, match.equivalent?.version);
    return true;
  }
}

/** @throws {StatusError} 500 when it cannot be read; `undefined` when that is to be ignored. */
function readPatch(
  hook: Hook,
  { patch, patchType }: ReviewResponse,
): JsonPatchOperation[] | undefined {
  let problem: string;
  if (patchType !== undefined && patchType !== "JSONPatch") {
    problem = `unsupported patch type ${goQuote(patchType)}`;
  } else {
    try {
      const bytes = Uint8Array.from(atob(patch!), (each) => each.charCodeAt(0));
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch (error) {
      problem = `received undecodable patch in webhook response: ${errorText(error)}`;
    }
  }
  if (hook.failurePolicy === "Ignore") return undefined;
  throw callFailure(hook, problem);
}

/** @throws {StatusError} 500 when the patch does not fit, or what comes of it is no such object. */
function patch(
  object: ApiObject,
  operations: readonly JsonPatchOperation[],
  { request }: AdmissionAttributes,
): ApiObject {
  try {
    const patched = applyJsonPatch(structuredClone(object), operations);
    const { resource, subresource } = request.context;
    const own = resource.subresources.find(({ name }) => name === subresource);
    const decoded = decodeObject({
      bytes: new TextEncoder().encode(JSON.stringify(patched)),
      contentType: "application/json",
      resource,
      ...(own && own.kind !== resource.kind && {
        kind: {
          group: own.group ?? resource.group,
          version: own.version ?? resource.version,
          kind: own.kind,
        },
      }),
      fieldValidation: "Ignore",
      warn: () => {},
    });
    if (!own || own.kind === resource.kind) resource.strategy.defaults?.(decoded);
    return decoded;
  } catch (error) {
    throw internalError(errorText(error));
  }
}

/** The object in the version of the request again. */
async function back(
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
