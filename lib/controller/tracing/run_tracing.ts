import type { Link, Span, SpanContext, Tracer } from "@opentelemetry/api";
import { attempt } from "@xca/apimachinery/internal/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { type Trigger, triggerFacts, triggerPriority } from "../sources/trigger.ts";
import { endSpan } from "./end_span.ts";
import { type Telemetry, telemetry } from "./telemetry.ts";
import { tracedClient } from "./traced_client.ts";

/**
 * The maximum number of events to which the span of a reconcile run is linked. Of more events the
 * oldest are dropped.
 */
const MAX_LINKS = 16;

/**
 * The reconciler of a controller, as {@linkcode RunTracing.run} calls it: a {@linkcode
 * ControllerDefinition}.
 */
export interface TracedReconciler {
  /**
   * Reconciles the object that a reconcile context names, and returns the result or a promise of
   * it.
   */
  reconcile(context: ReconcileContext): unknown;
}

/**
 * A recorder of the tracing spans of one controller: one per reconcile run; one per API call of the
 * run except `raw`, as a child of the run's span unless the user's code has an active span; and one
 * per event and key that the event queues, to which the run's span is linked. No span is recorded
 * for the events of first lists and resyncs, and none at all while no SDK of OpenTelemetry is
 * registered, or its API is not loaded yet.
 */
export class RunTracing {
  readonly #controller: string;
  /**
   * The span contexts of the last events that have queued a key which has not run since, the oldest
   * first.
   */
  readonly #events = new Map<ObjectKey, SpanContext[]>();
  #tracer: Tracer | undefined;

  /**
   * Creates the recorder of a controller's tracing spans, and loads OpenTelemetry's API if an SDK
   * is registered.
   */
  constructor(controller: string) {
    this.#controller = controller;
    telemetry(); // Loads the API before the first run, when an SDK is registered.
  }

  /**
   * Records the tracing span of an event that has queued a key, to which the key's next run is
   * linked; does nothing for first lists and resyncs, and without a registered SDK.
   */
  triggered(key: ObjectKey, trigger: Trigger): void {
    const api = telemetry();
    if (!api || triggerPriority(trigger.event) !== undefined) return;
    const { relation, resource, event, object, resourceVersion } = triggerFacts(trigger);
    const attributes = {
      "xca.controller": this.#controller,
      "xca.relation": relation,
      "xca.resource": resource,
      "xca.key": object,
      "xca.resource_version": resourceVersion,
    };
    const kind = api.SpanKind.CONSUMER;
    const name = `${event} ${trigger.source.type.plural}`;
    const span = attempt(() => this.#tracerOf(api).startSpan(name, { kind, attributes }));
    if (!span) return;
    endSpan(span);
    const context = attempt(() => span.spanContext());
    if (!context || !api.isSpanContextValid(context)) return;
    const events = this.#events.get(key);
    if (!events) return void this.#events.set(key, [context]);
    events.push(context);
    if (events.length > MAX_LINKS) events.shift();
  }

  /**
   * Calls the reconciler and returns its result. Once an SDK is registered and OpenTelemetry's API
   * is loaded, calls it in a tracing span, with a client that records spans, and returns a promise.
   */
  run(reconciler: TracedReconciler, context: ReconcileContext): unknown {
    const api = telemetry();
    if (!api) return reconciler.reconcile(context);
    const span = attempt(() => this.#start(api, context));
    return span ? this.#traced(api, span, { reconciler, context }) : reconciler.reconcile(context);
  }

  async #traced(
    api: Telemetry,
    span: Span,
    { reconciler, context }: {
      readonly reconciler: TracedReconciler;
      readonly context: ReconcileContext;
    },
  ): Promise<unknown> {
    const parent = api.trace.setSpan(api.context.active(), span);
    const tracer = this.#tracerOf(api);
    const client = tracedClient(context.client, { api, tracer, parent });
    const inSpan = { ...context, client };
    try {
      const result: unknown = await api.context.with(parent, () => reconciler.reconcile(inSpan));
      endSpan(span);
      return result;
    } catch (error) {
      endSpan(span, { api, error });
      throw error;
    }
  }

  #start(api: Telemetry, context: ReconcileContext): Span {
    const { key, namespace, name, reconcileID, attempt } = context;
    const links: Link[] = (this.#events.get(key) ?? []).map((context) => ({ context }));
    this.#events.delete(key);
    return this.#tracerOf(api).startSpan(`reconcile ${this.#controller}`, {
      links,
      attributes: {
        "xca.controller": this.#controller,
        "xca.key": key,
        "k8s.namespace.name": namespace,
        "xca.name": name,
        "xca.reconcile_id": reconcileID,
        "xca.attempt": attempt,
      },
    });
  }

  #tracerOf(api: Telemetry): Tracer {
    return this.#tracer ??= api.trace.getTracer("@xca/operator");
  }
}
