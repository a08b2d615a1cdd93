// Mirrors `util/webhook/client.go, ClientConfig`.

/** The address of a webhook in its configuration: a URL, or a Service. */
export interface WebhookClientConfig {
  /** The URL of the webhook; absent if it is behind a Service. */
  readonly url?: string;
  /** The Service in front of the webhook. */
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /**
   * The certificates by which the webhook's server is verified, as base64 of PEM; absent or empty
   * for those of the machine.
   */
  readonly caBundle?: string;
}

/** A call of a webhook: its address, the review and the timeout. */
export interface WebhookRequest {
  /** The address of the called webhook. */
  readonly clientConfig: WebhookClientConfig;
  /** The `AdmissionReview` or `ConversionReview` that the webhook receives. */
  readonly review: unknown;
  /** The timeout of the webhook call in seconds. */
  readonly timeoutSeconds: number;
  /** The signal that aborts the webhook call. */
  readonly signal?: AbortSignal;
}

/**
 * A function that calls a webhook and returns the parsed JSON of its response. The API server calls
 * webhooks only through this function, so that it can run without a network.
 *
 * @throws {Error} If there is no readable response. The message is kube-apiserver's, such as
 * `Post "https://127.0.0.1:1/?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused`.
 */
export type CallWebhook = (request: WebhookRequest) => Promise<unknown>;
