// Mirrors `webhook/validating/dispatcher.go, validatingDispatcher.Dispatch`.
import type { Admission, AdmissionRequest } from "../../machinery/admission.ts";
import type { Registry } from "../../machinery/registry.ts";
import { attributesOf } from "../attributes.ts";
import type { Match } from "../matching.ts";
import type { Configured } from "../objects_of_kind.ts";
import type { AdmissionPorts } from "../ports.ts";
import {
  type ConfiguredHook,
  configuredHooks,
  invocationOf,
  mayConcern,
} from "./configured_hooks.ts";
import { asMatched, callHook } from "./hook_call.ts";

/**
 * The admission plugin that calls validating webhooks, all at the same time. If several refuse the
 * write, the error is that of the first in order.
 */
export class ValidatingWebhooks implements Admission {
  readonly name = "ValidatingAdmissionWebhook";
  readonly #ports: AdmissionPorts;
  readonly #hooks: Configured<readonly ConfiguredHook[]> = configuredHooks(
    "validatingwebhookconfigurations",
  );

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  handles(request: AdmissionRequest, registry: Registry): boolean {
    const hooks = this.#hooks.of(registry);
    return hooks.length > 0 && mayConcern(hooks, attributesOf(request));
  }

  async validate(request: AdmissionRequest, registry: Registry): Promise<void> {
    const attributes = attributesOf(request);
    const due: [ConfiguredHook, Match][] = [];
    for (const configured of this.#hooks.of(registry)) {
      const match = await invocationOf(configured, attributes, registry, this.#ports);
      if (match) due.push([configured, match]);
    }
    const answers = await Promise.allSettled(due.map(async ([{ hook }, match]) => {
      const object = await asMatched(request.object, match, attributes);
      await callHook({ hook, attributes, match, mutating: false, ports: this.#ports }, object);
    }));
    for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
  }
}
