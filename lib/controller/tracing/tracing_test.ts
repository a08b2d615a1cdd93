import assert from "node:assert/strict";
import {
  type Attributes,
  type Context,
  context,
  type ContextManager,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { controllerFor } from "../definition/controller_builder.ts";
import { defineOperator } from "../operator/operator.ts";
import { runOperator } from "../operator/run_operator.ts";
import { ApiServer } from "@xca/apiserver";
import { clientOf } from "../../testing/embedded_client.ts";
import type { Reconciler } from "../definition/reconciler.ts";
import { loadTelemetry } from "./telemetry.ts";

/** A tracing span as a test recorded it. */
interface Recorded {
  readonly name: string;
  readonly attributes: Attributes;
  readonly links: readonly Link[];
  readonly id: string;
  readonly parent: string | undefined;
  status?: string | undefined;
  exception?: string | undefined;
  ended: number;
}

/** A tracer provider that records spans for tests, registered while it is not disposed. */
class Recorder implements Disposable {
  readonly spans: Recorded[] = [];

  constructor() {
    trace.setGlobalTracerProvider({ getTracer: () => this.#tracer });
    context.setGlobalContextManager(new NoContext());
  }

  readonly #tracer = {
    startSpan: (name: string, options: SpanOptions = {}, parent: Context = ROOT_CONTEXT): Span =>
      this.#start(name, options, parent),
    startActiveSpan: () => assert.fail("not used"),
  };

  #start(name: string, { attributes = {}, links = [] }: SpanOptions, parent: Context): Span {
    const id = String(this.spans.length + 1).padStart(16, "0");
    const recorded: Recorded = {
      name,
      attributes: { ...attributes },
      links,
      id,
      parent: trace.getSpanContext(parent)?.spanId,
      ended: 0,
    };
    this.spans.push(recorded);
    const spanContext: SpanContext = { traceId: "1".padStart(32, "0"), spanId: id, traceFlags: 1 };
    const span: Span = {
      spanContext: () => spanContext,
      setAttribute: (key, value) => (Object.assign(recorded.attributes, { [key]: value }), span),
      setAttributes: () => span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: ({ code }) => (recorded.status = SpanStatusCode[code], span),
      updateName: () => span,
      end: () => void recorded.ended++,
      isRecording: () => true,
      recordException: (exception) => {
        recorded.exception = typeof exception === "string" ? exception : exception.message;
      },
    };
    return span;
  }

  [Symbol.dispose](): void {
    trace.disable();
    context.disable();
  }
}

/** A context manager of OpenTelemetry that knows only the root context. */
class NoContext implements ContextManager {
  active(): Context {
    return ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    _context: Context,
    call: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return call.call(self, ...args);
  }
  bind<T>(_context: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

/** Runs an operator on ConfigMaps until `during` has ended and the operator is idle. */
async function reconciled(
  reconcile: Reconciler,
  during: (client: ReturnType<typeof clientOf>) => Promise<unknown>,
): Promise<void> {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const controller = controllerFor(ConfigMap).owns(Secret).reconcile(reconcile);
  const operator = defineOperator({ name: "copier", controllers: [controller] });
  await using running = runOperator(operator, { client });
  await running.ready;
  await during(client);
  await running.idle();
}

const map = { metadata: { namespace: "default", name: "web" } };

Deno.test("tracing: one span per run, child spans per call, and a link to the event", async () => {
  using recorder = new Recorder();
  await loadTelemetry();
  await reconciled(async ({ key, client }) => {
    await client.list(Secret, { namespace: "default" });
    for await (const _ of client.pages(Secret)) { /* the pages are counted by their span */ }
    await client.get(Secret, key);
  }, async (client) => {
    await client.create(Secret, map);
    await client.create(ConfigMap, map);
  });
  const { spans } = recorder;
  const event = spans.find(({ name }) => name === "added configmaps")!;
  const run = spans.find(({ name, links }) => name.startsWith("reconcile ") && links.length > 0)!;
  assert.equal(run.name, "reconcile configmap");
  assert.equal(run.parent, undefined);
  assert.deepEqual(run.links.map(({ context }) => context.spanId), [event.id]);
  assert.equal(run.attributes["xca.key"], "default/web");
  assert.equal(run.attributes["xca.attempt"], 1);
  const calls = spans.filter(({ parent }) => parent === run.id);
  assert.deepEqual(calls.map(({ name }) => name), ["list secrets", "pages secrets", "get secrets"]);
  assert.equal(calls[2]!.attributes["xca.key"], "default/web");
  for (const { name, ended, status } of spans) assert(ended > 0 && !status, name);
});

Deno.test("tracing: a call that fails and the run that it fails have the error", async () => {
  using recorder = new Recorder();
  await loadTelemetry();
  let runs = 0;
  await reconciled(async ({ key, client }) => {
    if (runs++ === 0) await client.get(Secret, key);
  }, (client) => client.create(ConfigMap, map));
  const call = recorder.spans.find(({ name }) => name === "get secrets")!;
  assert.equal(call.status, "ERROR");
  assert.equal(call.attributes["http.response.status_code"], 404);
  const run = recorder.spans.find(({ id }) => id === call.parent)!;
  assert.equal(run.status, "ERROR");
  assert.match(run.exception!, /not found/);
});

Deno.test("tracing: an SDK that throws changes no run", async () => {
  const broken = (): never => assert.fail("the SDK is broken");
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan: broken, startActiveSpan: broken }),
  });
  try {
    await loadTelemetry();
    const read: string[] = [];
    await reconciled(async ({ client }) => {
      const { items } = await client.list(ConfigMap, { namespace: "default" });
      read.push(...items.map(({ metadata }) => metadata.name!));
    }, (client) => client.create(ConfigMap, map));
    assert(read.includes("web"));
  } finally {
    trace.disable();
  }
});
