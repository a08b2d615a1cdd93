/**
 * A webhook for conformance cases: an HTTPS server on loopback that both servers can call. What it
 * answers is in the path, so that one serves all cases.
 *
 * @module
 */
import { CertificateAuthority, type PemPair } from "../../../lib/apimachinery/pki/mod.ts";

// deno-lint-ignore no-explicit-any -- the body of a question.
type Review = any;

/** The response of a path; the UID of the review is filled in. */
export type Answer = (review: Review) => Record<string, unknown> | Response;

/** The questions that were asked, oldest first. */
export interface Asked {
  readonly path: string;
  readonly review: Review;
}

/** The certificate that a server presents, and the bundle that its clients trust, as PEM text. */
export interface Shown {
  readonly pair: PemPair;
  readonly bundle: string;
}

/** A webhook server; `using` ends it. */
export class WebhookServer implements AsyncDisposable {
  /** The reviews so far. */
  readonly asked: Asked[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #bundle: string;
  readonly #answers: Record<string, Answer>;

  private constructor(
    server: (handle: (request: Request) => Promise<Response>) => Deno.HttpServer<Deno.NetAddr>,
    bundle: string,
    answers: Record<string, Answer>,
  ) {
    this.#bundle = bundle;
    this.#answers = answers;
    this.#server = server((request) => this.#answer(request));
  }

  /** Starts one with the answers of its paths. @param shown By default what an authority signed. */
  static async start(answers: Record<string, Answer>, shown?: Shown): Promise<WebhookServer> {
    const { pair, bundle } = shown ?? await signed();
    return new WebhookServer(
      (handle) =>
        Deno.serve({ ...pair, hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle),
      bundle,
      answers,
    );
  }

  /** The `clientConfig` of a path. */
  client(path: string): Record<string, unknown> {
    return { url: this.url(path), caBundle: btoa(this.#bundle) };
  }

  url(path: string): string {
    return `https://127.0.0.1:${this.#server.addr.port}/${path}`;
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.slice(1);
    const review = await request.json();
    this.asked.push({ path, review });
    const answer = this.#answers[path]?.(review) ?? new Response("no such path", { status: 404 });
    if (answer instanceof Response) return answer;
    return Response.json({
      apiVersion: review.apiVersion,
      kind: "AdmissionReview",
      response: { uid: review.request.uid, ...answer },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

async function signed(): Promise<Shown> {
  const authority = await CertificateAuthority.create("webhook-ca", new Date());
  const pair = await authority.serving("webhook", ["localhost"], ["127.0.0.1"]);
  return { pair, bundle: authority.cert };
}

/** The `patch` of an answer. */
export function jsonPatch(...operations: unknown[]): Record<string, unknown> {
  const bytes = new TextEncoder().encode(JSON.stringify(operations));
  return {
    allowed: true,
    patchType: "JSONPatch",
    patch: btoa(String.fromCharCode(...bytes)),
  };
}
