import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import { attempt } from "@xca/apimachinery/internal/base";
import { keyOf } from "@xca/apimachinery/meta";
import { methodOf } from "../../client/calls/rest.ts";
import { ApiError } from "../../client/errors/api_error.ts";
import type { ClientCall } from "../../client/scoped/scoped_calls.ts";
import { intercept } from "../../client/scoped/scoped_interceptor.ts";
import type { Client } from "../../client/typed/client.ts";
import { endSpan } from "./end_span.ts";
import type { Telemetry } from "./telemetry.ts";

/** The dependencies of a traced client; the argument of {@linkcode tracedClient}. */
export interface TracedClientOptions {
  /** The API module of OpenTelemetry. */
  readonly api: Telemetry;
  /** The OpenTelemetry tracer that creates the spans. */
  readonly tracer: Tracer;
  /**
   * The OpenTelemetry context of the reconcile run's span, the parent of calls that the user's code
   * makes outside of a span of its own.
   */
  readonly parent: Context;
}

/**
 * Returns a client that records a tracing span for each call except `raw`: a child of the caller's
 * active span, or else of the span of the reconcile run. The span ends with the promise or the
 * iteration of the call, and records its error.
 */
export function tracedClient(client: Client, options: TracedClientOptions): Client {
  return intercept(client, {
    around: (call, next) => call.verb === "raw" ? next(call) : traced(call, next, options),
  });
}

function traced<Result>(
  call: ClientCall,
  next: (call: ClientCall) => Result,
  { api, tracer, parent: run }: TracedClientOptions,
): Result {
  const active = api.context.active();
  const parent = api.trace.getSpan(active) ? active : run;
  const span = attempt(() =>
    tracer.startSpan(
      nameOf(call),
      { kind: api.SpanKind.CLIENT, attributes: attributesOf(call) },
      parent,
    )
  );
  if (!span) return next(call);
  let result: Result;
  try {
    result = api.context.with(api.trace.setSpan(parent, span), () => next(call));
  } catch (error) {
    fail(api, span, error);
    throw error;
  }
  const ended = result instanceof Promise
    ? settled(api, span, result)
    : iterated(api, span, result as AsyncIterable<unknown>);
  return ended as Result;
}

async function settled(api: Telemetry, span: Span, result: Promise<unknown>): Promise<unknown> {
  try {
    const value = await result;
    endSpan(span);
    return value;
  } catch (error) {
    fail(api, span, error);
    throw error;
  }
}

async function* iterated(
  api: Telemetry,
  span: Span,
  items: AsyncIterable<unknown>,
): AsyncIterableIterator<unknown> {
  try {
    yield* items;
  } catch (error) {
    fail(api, span, error);
    throw error;
  } finally {
    endSpan(span); // Ending a span again has no effect.
  }
}

function fail(api: Telemetry, span: Span, error: unknown): void {
  if (error instanceof ApiError) {
    attempt(() => span.setAttribute("http.response.status_code", error.code));
  }
  endSpan(span, { api, error });
}

/**
 * Returns the name of a client call's span: the call and the plural of its resource, or the HTTP
 * method of a request; without the name of an object, so that spans can be grouped by their names.
 */
function nameOf(call: ClientCall): string {
  return "type" in call ? `${call.verb} ${call.type.plural}` : `${call.verb} ${httpMethodOf(call)}`;
}

function httpMethodOf(call: Extract<ClientCall, { readonly request: unknown }>): string {
  return call.verb === "connect" ? "GET" : methodOf(call.request);
}

function attributesOf(call: ClientCall): Attributes {
  if (!("type" in call)) {
    return { "http.request.method": httpMethodOf(call), "url.path": call.request.path };
  }
  const { verb, type } = call;
  const key = "key" in call ? call.key : "object" in call
    ? attempt(() => keyOf(call.object)) // An object with generateName has no key yet.
    : undefined;
  const namespace = "namespace" in call.options ? call.options.namespace : undefined;
  return {
    "xca.verb": verb,
    "xca.resource": type.id,
    ...(key !== undefined && { "xca.key": key }),
    ...(namespace !== undefined && { "k8s.namespace.name": namespace }),
  };
}
