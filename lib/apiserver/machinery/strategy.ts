import type { FieldError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "./request_context.ts";
import type { RegistryReader } from "./registry_reader.ts";

/**
 * The errors found, or a generator that finds them in steps between which other requests may run.
 */
export type Findings = readonly FieldError[] | Generator<void, readonly FieldError[]>;

/**
 * What is particular to one kind. The generic registry calls it in the order of the real server:
 *
 * create: `defaults`, mutating admission, `prepareForCreate`, `validateCreate`, `warnings`, validating
 * admission, `allocate`, store;
 * update: `defaults`, mutating admission, `prepareForUpdate`, `validateUpdate`, `warnings`, validating
 * admission, `allocate`, store.
 *
 * Every part is optional and synchronous. Objects may be changed in place in `defaults` and
 * `prepareFor...`, never in `validate...`. An `old` object is never changed.
 */
export interface KindStrategy {
  /** Fills in what is absent, as the real server does when it decodes. Called for stored text too. */
  defaults?(object: ApiObject): void;
  /** Clears what a creator may not set (the status, say) and sets what the server sets. */
  prepareForCreate?(object: ApiObject, context: RequestContext, registry: RegistryReader): void;
  /**
   * Whether a new object is stored with less than what is filled in when it is read: the write after
   * stores that, though it changes nothing.
   */
  readsMoreThanStored?(object: ApiObject): boolean;
  /**
   * Brings an object that is about to be stored to what reads will show of it, in place; whether that
   * is something else. The write after stores that, though it changes nothing.
   */
  readBack?(object: ApiObject): boolean;
  /**
   * What is wrong with a new object. Metadata is checked by the registry: `found` is what it says of
   * them.
   */
  validateCreate?(
    object: ApiObject,
    context: RequestContext,
    registry: RegistryReader,
    found: readonly FieldError[],
  ): Findings;
  /** Puts back what this endpoint may not change, and counts the generation up. */
  prepareForUpdate?(
    object: ApiObject,
    old: ApiObject,
    context: RequestContext,
    registry: RegistryReader,
  ): void;
  /**
   * The kind's own checks give what was `found` by themselves, where it belongs; of a change, what was
   * found is what the kind's own rules say of metadata. @default {false}
   */
  readonly placesMetadataErrors?: boolean;
  /**
   * What is wrong with the change, where the kind looks at that before it looks at the metadata once
   * more and at all else.
   */
  validateChange?(object: ApiObject, old: ApiObject): readonly FieldError[];
  /** What is wrong with the change. Immutable metadata is checked by the registry. */
  validateUpdate?(
    object: ApiObject,
    old: ApiObject,
    context: RequestContext,
    registry: RegistryReader,
    found: readonly FieldError[],
  ): Findings;
  /** What to say in `Warning` headers. `old` is absent on create. */
  warnings?(object: ApiObject, old: ApiObject | undefined): readonly string[];
  /**
   * Takes what the object claims of the cluster (an address, a port), after validation and not on a
   * dry run. May change the object. @throws {StatusError} When it cannot be had.
   */
  allocate?(
    object: ApiObject,
    old: ApiObject | undefined,
    context: RequestContext,
    registry: RegistryReader,
  ): void;
  /** Gives back what {@linkcode KindStrategy.allocate} took, once the object is gone. */
  release?(object: ApiObject, registry: RegistryReader): void;
  /** The same steps for the `status` subresource. */
  readonly status?: Pick<
    KindStrategy,
    "prepareForUpdate" | "validateUpdate" | "warnings" | "metadataOfUpdate"
  >;
  /** The same for other subresources that are a part of the object, as `resize` of a pod. */
  readonly subresources?: Readonly<Record<string, NonNullable<KindStrategy["status"]>>>;
  /** How names of this kind are checked. @default DNS subdomain */
  validateName?(name: string, prefix: boolean): readonly string[];
  /** Whether a PUT of a name that is not there creates it. @default {false} */
  readonly allowCreateOnUpdate?: boolean;
  /** Whether a PUT without a resourceVersion overwrites. @default {true}; `false` for custom kinds */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * How long the deletion of this object waits for someone to finish it, in seconds; `undefined`:
   * it goes at once. May change the object (as the deletion of a pod does).
   */
  gracePeriodSeconds?(
    object: ApiObject,
    requested: number | undefined,
    context: RequestContext,
  ): number | undefined;
  /** Refuses or changes a deletion before it begins. @throws {StatusError} */
  beforeDelete?(object: ApiObject, context: RequestContext, registry: RegistryReader): void;
  /**
   * Takes the place of the generic first deletion, for a kind that always stays until something
   * finished it (a namespace): marks the object deleted, in place; its finalizers for propagation
   * are set by the registry. The object goes by a later deletion or update once its finalizers are
   * empty and {@linkcode KindStrategy.heldBack} says false.
   */
  markDeleted?(object: ApiObject, context: RequestContext): void;
  /** Whether a deleted object stays though `metadata.finalizers` is empty. @default {false} */
  heldBack?(object: ApiObject): boolean;
  /**
   * The objects stand in the store of another group's kind, in its form (the events of
   * `events.k8s.io` in that of the core group); watches and lists of both see all of them.
   */
  readonly storedAs?: ForeignStorage;
  /** What reads of the object itself show otherwise than it is stored. */
  readonly onRead?: ReadForm;
  /**
   * The default propagation when a deletion names none; `Unsupported`: the garbage collector knows
   * nothing of this kind, whatever a deletion names. @default {"Background"}
   */
  readonly defaultPropagation?: "Background" | "Orphan" | "Unsupported";
  /** What to say when a deletion does not name a propagation. */
  readonly deletionWarning?: string;
  /**
   * What the kind's own rules look at of the metadata of a changed object, after what holds for all
   * kinds: their change, or all of them once more, before their change or after it. `none`: neither there nor of a new object, whose
   * metadata are then looked at when nothing else is wrong. @default {"all"}, of a part {"change"}
   */
  readonly metadataOfUpdate?: "all" | "all first" | "change" | "none";
  /** The fields that a field selector may name, beside `metadata.name` and `metadata.namespace`. */
  selectableFields?(object: ApiObject): Readonly<Record<string, string>>;
  /** The names of those fields, so that an unknown one is refused though nothing is stored. */
  readonly selectableFieldNames?: readonly string[];
  /** Paths that a writer of the object itself never owns, as `status`. @default by `resetFields` of the kind */
  readonly resetFields?: readonly (readonly string[])[];
  /** Paths that a writer of `status` never owns. */
  readonly statusResetFields?: readonly (readonly string[])[];
}

/** See {@linkcode KindStrategy.onRead}. */
export interface ReadForm {
  /** Whether it may concern an object of this text: most are shown as they are, unread. */
  concerns(text: string): boolean;
  /** Brings an object to what is shown, in place. */
  change(object: ApiObject): void;
}

/** See {@linkcode KindStrategy.storedAs}. Both functions may change the object in place. */
export interface ForeignStorage {
  readonly group: string;
  readonly version: string;
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
}
