// Mirrors `registry/rest/create.go, RESTCreateStrategy`.
import type { FieldError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "./request_context.ts";
import type { RegistryReader } from "./registry_reader.ts";

/**
 * The errors (or warnings) that a validation found, or a generator that finds them and yields to
 * other requests.
 */
export type Steps<T = FieldError> = readonly T[] | Generator<void, readonly T[]>;

/** The result of a kind's validation; a promise if code must be loaded first. */
export type Findings<T = FieldError> = Steps<T> | Promise<Steps<T>>;

/**
 * A strategy: the rules of one kind for creation, update and deletion (`rest.RESTCreateStrategy`,
 * `RESTUpdateStrategy`, `RESTDeleteStrategy`). The registry calls the functions in the order of
 * kube-apiserver:
 *
 * create: `defaults`, mutating admission, `prepareForCreate`, `validateCreate`, `warnings`,
 * validating admission, `allocate`, store;
 * update: `defaults`, mutating admission, `prepareForUpdate`, `validateChange`, `validateUpdate`,
 * `warnings`, validating admission, `allocate`, store.
 *
 * All functions are optional. The functions are synchronous, except that a validation may first
 * have to load code. `defaults` and `prepareFor...` may change the object in place, `validate...`
 * must not, and nothing changes the `old` object.
 */
export interface KindStrategy {
  /**
   * Sets the absent fields that have defaults, in place, as decoding does in kube-apiserver. Called
   * for each decoded, patched or otherwise changed object before admission, so also for objects
   * that have their defaults already.
   */
  defaults?(object: ApiObject): void;
  /**
   * Prepares a new object: clears the fields that a client may not set at creation (the status),
   * and sets those of the server.
   */
  prepareForCreate?(object: ApiObject, context: RequestContext, registry: RegistryReader): void;
  /**
   * Reports whether kube-apiserver stores a new object without defaults that reads show. The
   * registry then sets these defaults when it stores the object, and stores the object again at the
   * next write, even if that changes nothing.
   */
  readsMoreThanStored?(object: ApiObject): boolean;
  /**
   * Changes an object that is about to be stored to the form that reads will show, in place.
   * Reports whether the object changed; the next write then stores the object, even if the write
   * changes nothing. Runs in steps, between which other requests may run.
   */
  readBack?(object: ApiObject): Generator<void, boolean>;
  /**
   * Validates a new object of the kind. The registry validates the metadata, and passes their
   * errors as `found`.
   */
  validateCreate?(
    object: ApiObject,
    context: RequestContext,
    registry: RegistryReader,
    found: readonly FieldError[],
  ): Findings;
  /**
   * Prepares a changed object: restores the fields that this endpoint cannot change, and increments
   * the generation if the change requires it, such as one of the spec.
   */
  prepareForUpdate?(
    object: ApiObject,
    old: ApiObject,
    context: RequestContext,
    registry: RegistryReader,
  ): void;
  /**
   * Sets whether the kind's own validation returns the errors in `found` among its own, so that the
   * registry does not add them; for an update, `found` are the errors of the kind's own metadata
   * rules.
   *
   * @default {false}
   */
  readonly placesMetadataErrors?: boolean;
  /**
   * Sets whether a declarative rule validates the object's name, so that the error about the name
   * follows all others.
   * @default {false}
   */
  readonly declaresName?: boolean;
  /**
   * Validates the parts of a change that the kind checks before it checks the metadata a second
   * time. The errors precede those of {@linkcode KindStrategy.validateUpdate}, which is called in
   * any case.
   */
  validateChange?(object: ApiObject, old: ApiObject): readonly FieldError[];
  /**
   * Validates a changed object of the kind. The registry validates that immutable metadata are
   * unchanged. `found` are the errors of the metadata and of {@linkcode
   * KindStrategy.validateChange}, which the registry reports itself.
   */
  validateUpdate?(
    object: ApiObject,
    old: ApiObject,
    context: RequestContext,
    registry: RegistryReader,
    found: readonly FieldError[],
  ): Findings;
  /**
   * Returns the texts of `Warning` headers about an object of the kind. `old` is absent for a
   * creation.
   */
  warnings?(object: ApiObject, old: ApiObject | undefined): Steps<string>;
  /**
   * Allocates the addresses and ports of the cluster that the object needs, when the object is
   * about to be stored, so not in a dry run. The object is in its stored form; the function may
   * change the object.
   *
   * @throws {StatusError} If a requested address or port is taken, or none is free.
   */
  allocate?(
    object: ApiObject,
    old: ApiObject | undefined,
    context: RequestContext,
    registry: RegistryReader,
  ): void;
  /**
   * Releases the addresses and ports that {@linkcode KindStrategy.allocate} allocated, after the
   * object is deleted.
   */
  release?(object: ApiObject, registry: RegistryReader): void;
  /** The rules of the kind's `status` subresource. */
  readonly status?: Pick<
    KindStrategy,
    "prepareForUpdate" | "validateUpdate" | "warnings" | "metadataOfUpdate"
  >;
  /**
   * The rules of the kind's other subresources that are part of the object, such as `resize` of a
   * pod.
   */
  readonly subresources?: Readonly<Record<string, NonNullable<KindStrategy["status"]>>>;
  /**
   * Returns the problems of the name of an object of the kind; with `prefix`, of its
   * `generateName`.
   *
   * @default {the problems of a DNS subdomain}
   */
  validateName?(name: string, prefix: boolean): readonly string[];
  /**
   * Sets whether a PUT request, also one of a subresource, creates a missing object of the kind.
   *
   * @default {false}
   */
  readonly allowCreateOnUpdate?: boolean;
  /**
   * Sets whether a PUT without a resourceVersion overwrites the stored object; otherwise the server
   * refuses the PUT.
   *
   * @default {true}; `false` for custom kinds
   */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * Returns the grace period of a deletion in seconds; `undefined` to delete at once. `requested`
   * is the grace period in the `DeleteOptions`, if any. May change the object. Called only for an
   * object that is not being deleted yet.
   */
  gracePeriodSeconds?(
    object: ApiObject,
    requested: number | undefined,
    context: RequestContext,
  ): number | undefined;
  /**
   * Refuses the deletion of an object of the kind, or changes the object before its deletion.
   * @throws {StatusError} To refuse the deletion.
   */
  beforeDelete?(object: ApiObject, context: RequestContext, registry: RegistryReader): void;
  /**
   * Replaces the generic first deletion of a kind whose objects always remain until something
   * completes the deletion (namespaces): marks the object as deleted, in place. The registry sets
   * its finalizers for propagation. A later deletion or update removes the object once its
   * finalizers are empty and {@linkcode KindStrategy.heldBack} returns false.
   */
  markDeleted?(object: ApiObject, context: RequestContext): void;
  /**
   * Reports whether a deleted object of the kind remains even without `metadata.finalizers`.
   *
   * @default {false}
   */
  heldBack?(object: ApiObject): boolean;
  /**
   * The kind of another group whose collection and form store the objects (`events.k8s.io` in the
   * core group); lists and watches of both groups show all of them.
   */
  readonly storedAs?: ForeignStorage;
  /**
   * The functions for the form of the kind's objects in the responses to reads, writes and
   * deletions, if it differs from the stored form. Only for a kind that no webhook converts.
   */
  readonly onRead?: ReadForm;
  /**
   * The propagation of a deletion that names none; with `Unsupported`, the garbage collector
   * ignores the kind in any case.
   *
   * @default {"Background"}
   */
  readonly defaultPropagation?: "Background" | "Orphan" | "Unsupported";
  /** The text of the `Warning` header of a deletion that names no propagation policy. */
  readonly deletionWarning?: string;
  /**
   * The checks of the metadata that the kind itself runs in an update, after the checks that all
   * kinds run: `change` checks the change; `all` checks the change, then the whole metadata as at a
   * creation; `all first` runs the same two checks in the other order; `none` runs neither. A kind
   * that accepts finalizers without a domain checks at most the change.
   *
   * A kind with `none` accepts finalizers without a domain, and at a creation reports the errors of
   * the metadata only if there are no other errors.
   *
   * @default {"all"}; for a subresource other than `scale` the value of the kind, or {"change"} if
   * the kind has no value or `all first`
   */
  readonly metadataOfUpdate?: "all" | "all first" | "change" | "none";
  /**
   * Returns the values of an object's {@linkcode KindStrategy.selectableFieldNames}, by name; a
   * field without a value here counts as empty.
   */
  selectableFields?(object: ApiObject): Readonly<Record<string, string>>;
  /**
   * The names of the fields that a field selector of the kind can name, beside `metadata.name` and
   * `metadata.namespace`; a request that names another field is refused.
   */
  readonly selectableFieldNames?: readonly string[];
  /**
   * The paths of fields, such as `status`, that writers of the object itself never own.
   *
   * @default {`status` if the kind has that subresource}; for CertificateSigningRequests also
   * `spec`
   */
  readonly resetFields?: readonly (readonly string[])[];
  /**
   * The paths of fields that writers of the `status` subresource never own.
   *
   * @default {those that `managed_fields/reset_fields.ts` has for the resource, else `spec`}
   */
  readonly statusResetFields?: readonly (readonly string[])[];
}

/**
 * The functions for the form of objects that responses show, where it differs from the stored one
 * ({@linkcode KindStrategy.onRead}).
 */
export interface ReadForm {
  /**
   * Reports whether responses may show another form of the object with this JSON text, so that most
   * objects need not be parsed.
   */
  concerns(text: string): boolean;
  /** Changes a stored object to its form in responses, in place. */
  change(object: ApiObject): void;
}

/**
 * The version of another API group in which the objects of a kind are stored, and the functions
 * that convert the objects ({@linkcode KindStrategy.storedAs}). Both functions may change the
 * object in place.
 */
export interface ForeignStorage {
  readonly group: string;
  readonly version: string;
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
}
