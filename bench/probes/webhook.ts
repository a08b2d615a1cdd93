/**
 * A server of reviews of Pods, for `webhook_bench.ts`: `ours` is a webhook server of the library,
 * `bare` a server of `node:https` that parses the review and answers that it is allowed.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { CertificateAuthority, type PemPair } from "@xca/apimachinery/pki";
import { Pod } from "@xca/operator/meta";
import { managerMetrics } from "@xca/operator/manager";
import { webhookFor, webhookServer } from "@xca/operator/webhook";
import { TextLineStream } from "../support/text_lines.ts";
import { cpuMs } from "./figures.ts";
import { say } from "./say.ts";

const authority = await CertificateAuthority.create("bench", new Date());
const pair = await authority.serving("localhost", ["localhost"], ["127.0.0.1"]);

async function serveOurs(pair: PemPair): Promise<number> {
  const server = webhookServer({
    webhooks: [
      webhookFor(Pod).validator({
        create: ({ object, warn }) => {
          if (object.spec?.hostNetwork) warn("the pod uses the network of its node");
        },
      }),
    ],
    certificate: {
      load: () => Promise.resolve(pair),
      watch: () => ({ [Symbol.dispose]() {} }),
    },
    metrics: managerMetrics().webhooks,
    hostname: "127.0.0.1",
    port: 0,
  });
  await server.setUp(new AbortController().signal);
  return server.port!;
}

async function serveBare({ cert, key }: PemPair): Promise<number> {
  const server = https.createServer({ cert, key }, (request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString());
      const { uid } = review.request;
      const body = JSON.stringify({
        kind: "AdmissionReview",
        apiVersion: "admission.k8s.io/v1",
        response: { uid, allowed: true, status: { code: 200 } },
      });
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const port = await (Deno.args[0] === "ours" ? serveOurs(pair) : serveBare(pair));
const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
for await (const _line of lines) await say(JSON.stringify({ port, cpuMs: cpuMs() }));
Deno.exit(0);
