/** What an {@linkcode UnreachableError} is made of. */
export interface UnreachableErrorInit extends ErrorOptions {
  /** The server's URL, without user information. */
  readonly server: string;
  /** Whether the request surely never reached the server. @default {false} */
  readonly neverSent?: boolean;
  /** Whether it may pass by itself. @default {true} */
  readonly mayPass?: boolean;
}

/**
 * There is no talking to the server: no such host, connection refused, certificate not trusted, no
 * answer in time. The message says which server and why, and what to try next; `cause` has the rest.
 */
export class UnreachableError extends Error {
  /** The error's name, the same for every instance. */
  override readonly name = "UnreachableError";
  /** The server's URL, without user information. */
  readonly server: string;
  /** Whether the request surely never reached the server, so that sending it again does no harm. */
  readonly neverSent: boolean;
  /** Whether it may pass by itself; a certificate of somebody else does not. */
  readonly mayPass: boolean;

  /** Makes the error. */
  constructor(message: string, init: UnreachableErrorInit) {
    super(message, { cause: init.cause });
    this.server = init.server;
    this.neverSent = init.neverSent ?? false;
    this.mayPass = init.mayPass ?? true;
  }
}

/** The peer was silent for longer than the deadline: of a watch, or of the body of an answer. */
export class IdleTimeoutError extends Error {
  /** The error's name, the same for every instance. */
  override readonly name = "IdleTimeoutError";
  /** The deadline, in milliseconds. */
  readonly idleTimeoutMs: number;

  /** Makes the error of `what`, as `watch of pods.v1`. */
  constructor(what: string, idleTimeoutMs: number) {
    super(`Cannot go on with the ${what}: no byte came for ${idleTimeoutMs} ms`);
    this.idleTimeoutMs = idleTimeoutMs;
  }
}

/** The body of an answer was cut before its end; `cause` tells by what. */
export class StreamBrokenError extends Error {
  /** The error's name, the same for every instance. */
  override readonly name = "StreamBrokenError";

  /** Makes the error of `what`, as `watch of pods.v1`. */
  constructor(what: string, reason: string, options?: ErrorOptions) {
    super(`Cannot read the ${what} to its end: ${reason}`, options);
  }
}
