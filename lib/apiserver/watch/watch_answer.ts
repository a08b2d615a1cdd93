import type { Collection, LogEvent } from "../storage/collection.ts";
import type { RevisionLog } from "../storage/revision_log.ts";

const encoder = new TextEncoder();

/** What a watch is about. */
export interface WatchRequest {
  readonly log: RevisionLog;
  readonly collection: Collection;
  /** The beginning of the keys that are watched. */
  readonly prefix: string;
  /** `undefined`: from now on, after the state. */
  readonly since: number | undefined;
  readonly signal: AbortSignal;
}

/** Answers a watch: a stream of events, one JSON object a line. */
export function watchAnswer(request: WatchRequest): Response {
  const { log, collection, prefix, since, signal } = request;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const send = (type: string, text: string): void => {
    writer.write(encoder.encode(`{"type":"${type}","object":${text}}\n`)).catch(() => {});
  };
  const onEvent = (event: LogEvent): void => {
    if (event.collection !== collection.name || !event.key.startsWith(prefix)) return;
    send(event.type, event.object.text());
  };
  if (since === undefined) {
    for (const object of collection.list(prefix)) send("ADDED", object.text());
  } else {
    for (const event of collection.eventsAfter(since)) onEvent(event);
  }
  const subscription = log.subscribe(onEvent);
  const end = (): void => {
    subscription[Symbol.dispose]();
    writer.close().catch(() => {});
  };
  signal.addEventListener("abort", end, { once: true });
  writer.closed.catch(() => {}).finally(() => {
    subscription[Symbol.dispose]();
    signal.removeEventListener("abort", end);
  });
  return new Response(readable, {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-cache, private" },
  });
}
