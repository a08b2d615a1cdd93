import type { KubeObject, ObjectKey, UnstructuredObject } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import type { LoggerLike } from "../../controller/ports/logger_like.ts";
import type { WebhookOperation } from "../../controller/definition/operator_webhook.ts";
import type { DenialError, FieldProblem } from "./denial.ts";

/** The user whose request the API server asks about (k8s.io/api/authentication/v1, UserInfo). */
export interface AdmissionUser {
  /** The name of the user, as `system:serviceaccount:shop:deployer`. */
  readonly username: string;
  /** The UID of the user; empty when the authenticator has none. */
  readonly uid: string;
  /** The groups of the user. */
  readonly groups: readonly string[];
  /** Further values of the authenticator, by their keys. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A group and version with a kind, as requests name it. */
export interface RequestKind {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The API version, as `v1`. */
  readonly version: string;
  /** The kind, as `Deployment`. */
  readonly kind: string;
}

/** The request to the API server as every handler of a webhook knows it, with logger, signal and client. */
export interface AdmissionContext {
  /** The UID of the review, which the log of the API server and that of the webhook share. */
  readonly uid: string;
  /** The operation of the request. */
  readonly operation: WebhookOperation;
  /** The name of the object; empty when the server has still to generate it. */
  readonly name: string;
  /** The namespace of the object; empty when it is cluster-scoped. */
  readonly namespace: string;
  /** The key of the object, `namespace/name`, or `name` when it is cluster-scoped. */
  readonly key: ObjectKey;
  /** The subresource of the request, as `scale`; empty for the object itself. */
  readonly subresource: string;
  /** Whether the request changes nothing: a handler must have no side effects then. */
  readonly dryRun: boolean;
  /** The user who made the request. */
  readonly user: AdmissionUser;
  /** The kind that the request was made with, before a conversion of the object for this webhook. */
  readonly requestKind: RequestKind;
  /** The options of the request, as `CreateOptions`; `undefined` when the server sent none. */
  readonly options: UnstructuredObject | undefined;
  /**
   * The signal of the review: aborted shortly before the API server stops waiting, when its connection
   * ends, and when the webhook server stops.
   */
  readonly signal: AbortSignal;
  /** The logger of the review; each record carries `webhook`, `uid`, `namespace` and `name`. */
  readonly log: LoggerLike;
  /**
   * The client of the webhook server, for reads of other objects. Each call costs the request of the user
   * a round trip.
   *
   * @throws {Error} When the webhook server, or `admit`, has no client.
   */
  readonly client: Client;
  /**
   * Adds a warning to the answer, which kubectl prints. It is sent with a denial too. Longer warnings than
   * 256 characters may be cut by the API server.
   */
  warn(text: string): void;
}

/** The argument of a defaulter. */
export interface DefaultContext<T extends KubeObject> extends AdmissionContext {
  /** The object of the request, which the defaulter changes. */
  readonly object: T;
  /** The object before an update; `undefined` on create. */
  readonly oldObject: T | undefined;
}

/** The argument of the validator of creations. */
export interface CreateContext<T extends KubeObject> extends AdmissionContext {
  /** The object to create. */
  readonly object: T;
}

/** The argument of the validator of updates. */
export interface UpdateContext<T extends KubeObject> extends AdmissionContext {
  /** The object as it will be stored. */
  readonly object: T;
  /** The object before the update. */
  readonly oldObject: T;
}

/** The argument of the validator of deletions. */
export interface DeleteContext<T extends KubeObject> extends AdmissionContext {
  /** The object to delete. */
  readonly object: T;
}

/** The argument of the validator of connections, such as `kubectl exec`. */
export interface ConnectContext extends AdmissionContext {
  /** The options of the connection, as `PodExecOptions`. */
  readonly object: UnstructuredObject;
}

/**
 * The result of a validator: nothing or an empty list allows the request. Problems of fields, and a
 * {@linkcode DenialError}, refuse it. Any other value is a mistake of the program and refuses it too.
 */
// `void` is in the type because a validator that allows returns nothing.
export type Verdict = void | undefined | DenialError | readonly FieldProblem[];

/**
 * Sets the defaults of an object: changes `object` and returns nothing, or returns a changed copy. It may
 * run several times for one request, and on objects that have the defaults already. A
 * {@linkcode DenialError}, returned or thrown, refuses the request with its message; another error is
 * logged and refuses it with code 500.
 */
export type Defaulter<T extends KubeObject> = (
  context: DefaultContext<T>,
) => void | T | DenialError | Promise<void | T | DenialError>;

/**
 * The functions of a validator by operation. The API server asks only about the operations that have one.
 * A thrown {@linkcode DenialError} refuses the request like a returned one; another error is logged and
 * refuses it with code 500.
 */
export interface Validator<T extends KubeObject> {
  /** Validates an object before it is created. @default creations are not validated */
  readonly create?: ((context: CreateContext<T>) => Verdict | Promise<Verdict>) | undefined;
  /** Validates an update. @default updates are not validated */
  readonly update?: ((context: UpdateContext<T>) => Verdict | Promise<Verdict>) | undefined;
  /** Validates the deletion of an object. @default deletions are not validated */
  readonly delete?: ((context: DeleteContext<T>) => Verdict | Promise<Verdict>) | undefined;
  /** Validates a connection to a subresource. @default connections are not validated */
  readonly connect?: ((context: ConnectContext) => Verdict | Promise<Verdict>) | undefined;
}
