import type { KubeObject, ObjectKey, UnstructuredObject } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import type { LoggerLike } from "../../controller/ports/logger_like.ts";
import type { WebhookOperation } from "../../controller/definition/operator_webhook.ts";
import type { DenialError, FieldProblem } from "./denial.ts";

/**
 * The user whose request the API server sends to a webhook for admission
 * (k8s.io/api/authentication/v1, UserInfo).
 */
export interface AdmissionUser {
  /** The name of the user who made the request, such as `system:serviceaccount:shop:deployer`. */
  readonly username: string;
  /** The UID of the user who made the request; empty when the authenticator has none. */
  readonly uid: string;
  /** The groups of the user who made the request. */
  readonly groups: readonly string[];
  /** The further attributes of the user from the authenticator, by their keys. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The group, version and kind of the object of an admission request. */
export interface RequestKind {
  /** The API group of the kind; empty for the core group. */
  readonly group: string;
  /** The API version of the kind, such as `v1`. */
  readonly version: string;
  /** The kind in CamelCase, such as `Deployment`, of the objects in a request. */
  readonly kind: string;
}

/**
 * The argument of the handlers of a webhook: the request to the API server, with logger, signal and
 * client.
 */
export interface AdmissionContext {
  /** The UID of the admission review, which the logs of the API server and of the webhook share. */
  readonly uid: string;
  /** The operation of the admission request. */
  readonly operation: WebhookOperation;
  /**
   * The name of the request's object, from the request or else from the metadata of the object, or
   * of the old object in a deletion; empty if the API server has not generated the name yet
   * (`generateName`).
   */
  readonly name: string;
  /**
   * The namespace of the request's object; for a Namespace its own name, which the API server
   * sends; empty for other cluster-scoped objects.
   */
  readonly namespace: string;
  /**
   * The key of the request's object, as in a cache: `namespace/name`, or `name` for an object of a
   * cluster-scoped resource, also for a Namespace.
   */
  readonly key: ObjectKey;
  /** The subresource of the request, such as `scale`; empty for the object itself. */
  readonly subresource: string;
  /** Reports whether the request is a dry run, in which a handler must have no side effects. */
  readonly dryRun: boolean;
  /** The user who made the admission request. */
  readonly user: AdmissionUser;
  /** The kind of the original request, before a conversion of the object for this webhook. */
  readonly requestKind: RequestKind;
  /**
   * The options of the original request, such as `CreateOptions`; `undefined` when the server sent
   * none.
   */
  readonly options: UnstructuredObject | undefined;
  /**
   * The signal of the review: aborted shortly before the API server's timeout, when the connection
   * of the API server ends, and ten seconds after the webhook server begins to stop (at once when
   * the server is disposed). In {@linkcode admit}, the given signal.
   */
  readonly signal: AbortSignal;
  /**
   * The logger of the review; each record carries `webhook`, `uid`, `namespace` and `name`, and in
   * {@linkcode admit} only `namespace` and `name`.
   */
  readonly log: LoggerLike;
  /**
   * The client of the webhook server, for reads of other objects. Each call delays the user's
   * request by a round trip.
   *
   * @throws {Error} At each use of a member of the client, when the webhook server or `admit` has
   * none.
   */
  readonly client: Client;
  /**
   * Adds a warning to the response, which kubectl prints, also with a denial. The API server may
   * truncate warnings of more than 256 characters.
   */
  warn(text: string): void;
}

/** The argument of a defaulter, a function that sets defaults of an object. */
export interface DefaultContext<T extends KubeObject> extends AdmissionContext {
  /** The object of the request, in which the defaulter sets defaults. */
  readonly object: T;
  /** The object before the update that is defaulted; `undefined` for a creation or a connection. */
  readonly oldObject: T | undefined;
}

/** The argument of the validator of creations. */
export interface CreateContext<T extends KubeObject> extends AdmissionContext {
  /** The object whose creation is validated. */
  readonly object: T;
}

/** The argument of the validator of updates. */
export interface UpdateContext<T extends KubeObject> extends AdmissionContext {
  /** The object as the validated update would store it. */
  readonly object: T;
  /** The object before the validated update. */
  readonly oldObject: T;
}

/** The argument of the validator of deletions. */
export interface DeleteContext<T extends KubeObject> extends AdmissionContext {
  /** The stored object whose deletion is validated. */
  readonly object: T;
}

/** The argument of the validator of connections, such as `kubectl exec`. */
export interface ConnectContext extends AdmissionContext {
  /** The options of the validated connection, such as `PodExecOptions`. */
  readonly object: UnstructuredObject;
}

/**
 * The result of a validator: no value or an empty list allows the request. Problems of fields, and
 * a {@linkcode DenialError}, refuse it. Any other value is a programming error and refuses the
 * request too.
 */
// `void` is in the type because a validator that allows returns nothing.
export type Verdict = void | undefined | DenialError | readonly FieldProblem[];

/**
 * A function that sets the defaults of an object: it changes `object` and returns nothing, or
 * returns a changed copy. The function may be called several times for one request, and for objects
 * that already have the defaults; it is not called for deletions. A {@linkcode DenialError},
 * returned or thrown, refuses the request with its message. Another error, a value that JSON does
 * not have, and a change of `apiVersion`, `kind`, name, namespace or UID are logged and refuse the
 * request with code 500.
 */
export type Defaulter<T extends KubeObject> = (
  context: DefaultContext<T>,
) => void | T | DenialError | Promise<void | T | DenialError>;

/**
 * The functions of a validator by operation. The API server calls the webhook only for operations
 * that have a function; {@linkcode admit} allows the others. A thrown {@linkcode DenialError}
 * refuses the request like a returned one; another error is logged and refuses it with code 500.
 */
export interface Validator<T extends KubeObject> {
  /** Validates an object before it is created. @default creations are not validated */
  readonly create?: ((context: CreateContext<T>) => Verdict | Promise<Verdict>) | undefined;
  /** Validates an update of an object. @default updates are not validated */
  readonly update?: ((context: UpdateContext<T>) => Verdict | Promise<Verdict>) | undefined;
  /** Validates the deletion of an object. @default deletions are not validated */
  readonly delete?: ((context: DeleteContext<T>) => Verdict | Promise<Verdict>) | undefined;
  /** Validates a connection to a subresource. @default connections are not validated */
  readonly connect?: ((context: ConnectContext) => Verdict | Promise<Verdict>) | undefined;
}
