// Mirrors `util/webhook/client.go, ClientManager.HookClient`.
import { Buffer } from "node:buffer";
import { type Clock, errorText, linkedAbort, systemClock } from "@xca/apimachinery/base";
import { goQuote } from "@xca/apimachinery/internal/values";
import type {
  CallWebhook,
  WebhookClientConfig,
  WebhookRequest,
} from "../machinery/call_webhook.ts";
import type { RegistryReader } from "../machinery/registry_reader.ts";
import { CertificateError, connectToWebhook, isCertificateProblem } from "./webhook_connection.ts";
import { webhookPath } from "./webhook_path.ts";

const HTTPS_PORT = 443;
/**
 * The size limit of a webhook's response in bytes. kube-apiserver has no limit, so this one is
 * large: a response that kube-apiserver accepts must not count as a failed call here, which a
 * failure policy could ignore.
 */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** The server and URL to which a webhook call is sent. */
interface Target {
  /** The URL of the webhook for error messages. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** The host name that the webhook's certificate must be valid for. */
  readonly serverName: string;
}

/** The HTTP response of a webhook. */
interface Answer {
  readonly code: number;
  /** The `Content-Type` header of the webhook's response; empty if absent. */
  readonly contentType: string;
  readonly text: string;
}

/**
 * Returns a function that sends a review to a webhook over TLS and resolves to the JSON value of
 * the response's body. The function trusts the `caBundle` of the webhook's configuration, without
 * one the machine's root certificates, and calls a Service at its cluster IP. It rejects with
 * kube-apiserver's message if the call fails, also by a status code outside of 200 to 299, or if it
 * takes longer than `timeoutSeconds` as a whole.
 */
export function webhookClient(
  registry: Pick<RegistryReader, "get">,
  clock: Clock = systemClock,
): CallWebhook {
  return async (request) => {
    const { target, problem } = resolve(request, registry);
    const post = `Post ${goQuote(target.url)}`;
    if (problem !== undefined) throw new Error(`${post}: ${problem}`);
    using limit = linkedAbort({
      signals: [request.signal],
      timeoutMs: request.timeoutSeconds * 1000,
      timeoutReason: () => new Error("timeout"),
      clock,
    });
    let answer: Answer;
    try {
      answer = await send(target, request, limit.signal);
    } catch (thrown) {
      const error = limit.signal.aborted ? limit.signal.reason : thrown;
      throw new Error(`${post}: ${connectionProblem(error, target, request)}`, { cause: error });
    }
    return read(answer);
  };
}

function resolve(
  { clientConfig, timeoutSeconds }: WebhookRequest,
  registry: Pick<RegistryReader, "get">,
): { readonly target: Target; readonly problem?: string } {
  const { service } = clientConfig;
  const url = new URL(clientConfig.url ?? serviceUrl(clientConfig));
  const path = `${webhookPath(clientConfig)}?timeout=${timeoutSeconds}s`;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || HTTPS_PORT;
  const target = {
    url: `https://${service ? `${host}:${port}` : url.host}${path}`,
    host,
    port,
    path,
    serverName: host,
  };
  if (!service) return { target };
  const found = registry.get("", "services", service.namespace, service.name);
  const address = (found?.spec as { clusterIP?: string } | undefined)?.clusterIP;
  if (!found) return { target, problem: `service ${goQuote(service.name)} not found` };
  return { target: { ...target, host: address ?? host } };
}

function serviceUrl({ service }: WebhookClientConfig): string {
  const { name, namespace, port = HTTPS_PORT } = service!;
  return `https://${name}.${namespace}.svc:${port}`;
}

async function send(
  target: Target,
  { clientConfig, review }: WebhookRequest,
  signal: AbortSignal,
): Promise<Answer> {
  // Loading node:https takes a tenth of the start time of an in-process API server, and few servers
  // call webhooks.
  const { Agent, request: httpsRequest } = await import("node:https");
  const body = JSON.stringify(review);
  const { caBundle = "" } = clientConfig;
  const ca = Buffer.from(caBundle, "base64").toString("latin1");
  // node:https (Deno 2.9) needs --allow-sys for the machine's root certificates; node:tls does not.
  const socket = await connectToWebhook({ ...target, ca, signal });
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = () => socket;
  return await new Promise<Answer>((resolve, reject) => {
    const sent = httpsRequest({
      host: target.host,
      port: target.port,
      path: target.path,
      method: "POST",
      headers: {
        "Accept": "application/json, */*",
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        "Host": target.port === HTTPS_PORT
          ? target.serverName
          : `${target.serverName}:${target.port}`,
        "User-Agent": "kube-apiserver-admission",
      },
      agent,
      signal,
    }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) sent.destroy(new Error("the answer is too large"));
        else chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          code: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "",
          text: Buffer.concat(chunks).toString("utf8"),
        }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Returns kube-apiserver's message about a failed connection to a webhook. */
function connectionProblem(
  error: unknown,
  target: Target,
  { timeoutSeconds }: WebhookRequest,
): string {
  if (error instanceof CertificateError) return error.message;
  const { code = "" } = error as { code?: string };
  const text = errorText(error);
  const address = `${target.host}:${target.port}`;
  if (code === "ECONNREFUSED" || /refused/i.test(text)) {
    return `dial tcp ${address}: connect: connection refused`;
  }
  if (code === "ENOTFOUND" || /lookup|getaddrinfo|not known/i.test(text)) {
    return `dial tcp: lookup ${target.host}: no such host`;
  }
  if (text === "timeout") {
    return timeoutSeconds >= 30
      ? "net/http: request canceled (Client.Timeout exceeded while awaiting headers)"
      : "context deadline exceeded";
  }
  if (isCertificateProblem(error)) {
    return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
  }
  if (/ECONNRESET|reset|hang up|closed/i.test(code + text)) return "EOF";
  return text;
}

/**
 * Returns the JSON value of the body of a webhook's HTTP response.
 *
 * @throws {Error} If the status code is not 200 to 299, or the body is not JSON.
 */
function read({ code, contentType, text }: Answer): unknown {
  const isText = contentType === "" || contentType.startsWith("text/");
  if (code < 200 || code > 299) throw new Error(refusal(code, isText ? text : ""));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`couldn't get version/kind; json parse error: ${errorText(error)}`);
  }
}

/**
 * Returns client-go's message about a webhook's response with an error status code, whose body is
 * not read as a `Status`. `text` is the body, empty if it is not text.
 */
function refusal(code: number, text: string): string {
  switch (code) {
    case 400:
      return "the server rejected our request for an unknown reason";
    case 401:
      return "the server has asked for the client to provide credentials";
    case 403:
      return "the server does not allow access to the requested resource";
    case 404:
      return "the server could not find the requested resource";
    case 405:
      return "the server does not allow this method on the requested resource";
    case 503:
      return "the server is currently unable to handle the request";
    default:
      if (code < 500) return "the server rejected our request for an unknown reason";
      return `an error on the server (${goQuote(text.trim() || "unknown")}) has prevented the ` +
        "request from succeeding";
  }
}
