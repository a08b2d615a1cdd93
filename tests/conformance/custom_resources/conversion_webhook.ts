/**
 * A conversion webhook for conformance cases: between `v1`, whose objects have a `spec.size`, and
 * `v2`, where it is `spec.width`.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { CertificateAuthority } from "../../../lib/apimachinery/pki/mod.ts";

type Plain = Record<string, unknown>;

/** An object on its way. */
export interface ConvertedObject extends Plain {
  apiVersion: string;
  kind: string;
  metadata: Plain;
  spec?: Plain;
}

/** A review, and what a case makes of it. */
export interface ConversionReview extends Plain {
  request?: { uid: string; desiredAPIVersion: string; objects: ConvertedObject[] };
  response?: Plain;
}

/** Changes the right answer; gives a text to send in its place. */
export type Spoil = (review: ConversionReview, objects: ConvertedObject[]) => string | void;

/** A webhook that is called over TLS. */
export class ConversionWebhook implements AsyncDisposable {
  readonly url: string;
  /** Base64 of PEM. */
  readonly caBundle: string;
  /** `127.0.0.1:` and the port. */
  readonly address: string;
  /** The number of objects of each call. */
  readonly calls: number[];
  readonly #close: () => Promise<void>;

  private constructor(port: number, cert: string, calls: number[], close: () => Promise<void>) {
    this.address = `127.0.0.1:${port}`;
    this.url = `https://${this.address}/convert`;
    this.caBundle = Buffer.from(cert).toString("base64");
    this.calls = calls;
    this.#close = close;
  }

  /** Starts one that answers right but for what `spoil` does. */
  static async start(spoil?: Spoil, status = 200): Promise<ConversionWebhook> {
    const authority = await CertificateAuthority.create("webhook-ca", new Date());
    const pair = await authority.serving("webhook", ["localhost"], ["127.0.0.1"]);
    const calls: number[] = [];
    const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
      let text = "";
      request.on("data", (chunk) => text += chunk);
      request.on("end", () => {
        const review = JSON.parse(text) as ConversionReview;
        calls.push(review.request!.objects.length);
        response.writeHead(status, { "Content-Type": "application/json" });
        response.end(answer(review, spoil));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return new ConversionWebhook(port, authority.cert, calls, close);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

function answer(review: ConversionReview, spoil: Spoil | undefined): string {
  const { uid, desiredAPIVersion, objects } = review.request!;
  const converted = objects.map((object) => convert(object, desiredAPIVersion));
  const response = { uid, result: { status: "Success" }, convertedObjects: converted };
  const answered: ConversionReview = {
    kind: review.kind,
    apiVersion: review.apiVersion,
    response,
  };
  return spoil?.(answered, converted) ?? JSON.stringify(answered);
}

function convert(object: ConvertedObject, apiVersion: string): ConvertedObject {
  const [from, to] = apiVersion.endsWith("/v2") ? ["size", "width"] : ["width", "size"];
  const { [from]: value, ...rest } = object.spec ?? {};
  const spec = value === undefined ? rest : { ...rest, [to]: value };
  return { ...object, apiVersion, ...(object.spec && { spec }) };
}
