/**
 * Fakes for tests of webhook servers: a server with a test certificate, and requests as the API server
 * or another client sends them.
 *
 * @module
 */
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { type KubeObject, type ResourceType, resourceType } from "@xca/apimachinery/meta";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import type { WebhookMetrics } from "../../controller/ports/webhook_metrics.ts";
import { type WebhookServer, webhookServer, type WebhookServerOptions } from "./webhook_server.ts";

/** The authority of the servers' and clients' certificates. */
export const authority: CertificateAuthority = await CertificateAuthority.create("ca", new Date());
const certificate = await authority.serving("webhook", ["localhost"], ["127.0.0.1", "::1"]);

/** An object of the tests. */
export interface Desktop extends KubeObject {
  spec: { image: string; replicas?: number };
}

export const Desktop: ResourceType<Desktop> = resourceType<Desktop>({
  group: "example.com",
  version: "v1",
  kind: "Desktop",
  plural: "desktops",
});

/** Starts a webhook server on loopback. */
export async function serve(options: Partial<WebhookServerOptions>): Promise<WebhookServer> {
  const server = webhookServer({
    certificate: {
      load: () => Promise.resolve(certificate),
      watch: () => ({ [Symbol.dispose]() {} }),
    },
    hostname: "127.0.0.1",
    port: 0,
    ...options,
  });
  await server.setUp(new AbortController().signal);
  return server;
}

/** The answer of a webhook server. */
export interface Answer {
  readonly code: number | undefined;
  readonly text: string;
  /** The `response` of the review in the body; `undefined` when there is none. */
  // deno-lint-ignore no-explicit-any -- the body is what the test asserts about.
  readonly response: any;
}

/** Sends a request to a webhook server; `body` is sent as JSON unless it is a text or bytes. */
export function send(
  { port }: Pick<WebhookServer, "port">,
  path: string,
  body?: unknown,
  options: RequestOptions = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const agent = new Agent({ keepAlive: false });
  const outgoing = httpsRequest({
    host: "127.0.0.1",
    port,
    path,
    method: "POST",
    ca: [authority.cert],
    agent,
    headers: { "content-type": "application/json" },
    ...options,
  }, (incoming) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk) => text += chunk);
    incoming.on("error", reject);
    incoming.on("end", () => {
      resolve({ code: incoming.statusCode, text, response: responseOf(text) });
    });
  });
  outgoing.on("error", reject);
  const isRaw = typeof body === "string" || body instanceof Uint8Array || body === undefined;
  outgoing.end(isRaw ? body : JSON.stringify(body));
  return promise.finally(() => agent.destroy());
}

function responseOf(text: string): unknown {
  try {
    return JSON.parse(text).response;
  } catch {
    return undefined;
  }
}

/** Returns a Desktop as the API server sends it. */
export function desktop(spec: unknown = { image: "x" }, metadata: object = {}): KubeObject {
  return {
    apiVersion: "example.com/v1",
    kind: "Desktop",
    metadata: { name: "a", namespace: "default", ...metadata },
    spec,
  } as KubeObject;
}

/** Returns an AdmissionReview about a Desktop, with changes of its request. */
export function reviewOf(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "7f1c",
      kind: { group: "example.com", version: "v1", kind: "Desktop" },
      resource: { group: "example.com", version: "v1", resource: "desktops" },
      name: "a",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "jane", groups: ["developers"] },
      object: desktop(),
      oldObject: null,
      dryRun: false,
      ...changes,
    },
  };
}

/** Webhook metrics that record all calls. */
export class RecordedMetrics implements WebhookMetrics {
  readonly ended: [path: string, code: number][] = [];
  readonly failures: string[] = [];
  open = 0;

  begin(path: string): (code: number, seconds: number) => void {
    this.open++;
    return (code) => {
      this.open--;
      this.ended.push([path, code]);
    };
  }

  failed(webhook: string): void {
    this.failures.push(webhook);
  }
}
