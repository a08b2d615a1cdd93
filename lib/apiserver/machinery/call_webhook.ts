/** Where a webhook of a user is, as objects say it: by URL or by Service. */
export interface WebhookClientConfig {
  /** Where it is, unless it is behind a Service. */
  readonly url?: string;
  /** The Service that it is behind. */
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64 of PEM; empty: the authorities that the machine trusts. */
  readonly caBundle?: string;
}

/** One call of a webhook. */
export interface WebhookRequest {
  /** Where it is. */
  readonly clientConfig: WebhookClientConfig;
  /** The `AdmissionReview` or `ConversionReview`. */
  readonly review: unknown;
  /** How long the answer may take. */
  readonly timeoutSeconds: number;
  /** Breaks the call off. */
  readonly signal?: AbortSignal;
}

/**
 * Calls a webhook of a user and gives the parsed JSON of its answer. The network comes in through this
 * port, so that a server without one can be made.
 *
 * @throws {Error} When there is no answer, or none that can be read; its message is what the real
 * server says, as `Post "https://127.0.0.1:1/?timeout=30s": dial tcp 127.0.0.1:1: connect:
 * connection refused`.
 */
export type CallWebhook = (request: WebhookRequest) => Promise<unknown>;
