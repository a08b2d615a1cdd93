// Mirrors `util/flowcontrol/apf_controller.go, configController`.
import type { Clock } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, goQuote } from "@xca/apimachinery/internal/values";
import { formatTime } from "@xca/apimachinery/meta";
import type { Registry, StoredChange } from "../machinery/registry.ts";
import { addressOf, keyOf } from "./object_key.ts";
import { Worker } from "./worker.ts";

const GROUP = "flowcontrol.apiserver.k8s.io";
const SCHEMAS = "flowschemas";
const LEVELS = "prioritylevelconfigurations";
/** The field manager that writes the conditions of FlowSchemas. */
const MANAGER = "api-priority-and-fairness-config-consumer-v1";

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * The controller that sets the condition `Dangling` of each FlowSchema, which reports a missing
 * priority level.
 *
 * @see k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go, syncFlowSchemaStatusLocked
 */
export class FlowSchemaConditions implements Disposable {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #worker: Worker;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    this.#worker = new Worker(clock, (key) => this.#sync(key));
    this.#worker.follow(registry, (change) => this.#note(change));
  }

  /** Stops the controller of FlowSchema conditions. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  #note(change: StoredChange): void {
    if (change.group !== GROUP || (change.type === "DELETED" && change.resource === SCHEMAS)) {
      return;
    }
    if (change.resource === SCHEMAS) return this.#worker.add(keyOf(change));
    if (change.type === "MODIFIED") return;
    for (const schema of this.#registry.list(GROUP, SCHEMAS)) {
      if (levelOf(schema) !== change.name) continue;
      const name = schema.metadata.name!;
      this.#worker.add(keyOf({ group: GROUP, resource: SCHEMAS, namespace: "", name }));
    }
  }

  async #sync(key: string): Promise<void> {
    const address = addressOf(key);
    const schema = this.#registry.get(GROUP, SCHEMAS, "", address.name);
    if (!schema) return;
    const condition = this.#conditionOf(schema);
    if (isSaid(schema, condition)) return;
    const change = (current: ApiObject): ApiObject => {
      const others = conditionsOf(current).filter(({ type }) => type !== condition.type);
      return { ...current, status: { conditions: [...others, condition] } } as unknown as ApiObject;
    };
    try {
      await this.#registry.update(address, change, {
        subresource: "status",
        fieldManager: MANAGER,
      });
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
  }

  #conditionOf(schema: ApiObject): Condition {
    const level = levelOf(schema);
    const exists = this.#registry.get(GROUP, LEVELS, "", level) !== undefined;
    return {
      type: "Dangling",
      status: exists ? "False" : "True",
      lastTransitionTime: formatTime(this.#clock.now()),
      reason: exists ? "Found" : "NotFound",
      message: "This FlowSchema references the PriorityLevelConfiguration object named " +
        `${goQuote(level)} ${exists ? "and it exists" : "but there is no such object"}`,
    };
  }
}

function levelOf(schema: ApiObject): string {
  const spec = schema["spec"] as unknown as {
    readonly priorityLevelConfiguration: { readonly name: string };
  };
  return spec.priorityLevelConfiguration.name;
}

function conditionsOf(schema: ApiObject): readonly Condition[] {
  const status = schema["status"] as unknown as { readonly conditions?: readonly Condition[] };
  return status?.conditions ?? [];
}

function isSaid(schema: ApiObject, wanted: Condition): boolean {
  return conditionsOf(schema).some(({ type, status, reason, message }) =>
    type === wanted.type && status === wanted.status && reason === wanted.reason &&
    message === wanted.message
  );
}
