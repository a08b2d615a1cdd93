/** The address of a webhook, as objects configure it: by URL or by Service. */
export interface WebhookClientConfig {
  /** The URL, unless the webhook is behind a Service. */
  readonly url?: string;
  /** The Service of the webhook. */
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Trusted certificates, as base64 of PEM; empty for those of the machine. */
  readonly caBundle?: string;
}

/** A call of a webhook. */
export interface WebhookRequest {
  /** The address of the webhook. */
  readonly clientConfig: WebhookClientConfig;
  /** The `AdmissionReview` or `ConversionReview`. */
  readonly review: unknown;
  /** The timeout of the call. */
  readonly timeoutSeconds: number;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/**
 * Calls a webhook and returns the parsed JSON of its response. The network comes in through this
 * function, so that a server can run without one.
 *
 * @throws {Error} If there is no readable response. The message is kube-apiserver's, as `Post
 * "https://127.0.0.1:1/?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused`.
 */
export type CallWebhook = (request: WebhookRequest) => Promise<unknown>;
