// Mirrors `registry/generic/registry/store.go, Store`.
import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { ApiObject, GroupResource } from "@xca/apimachinery/internal/values";
import type { Work } from "@xca/apimachinery/internal/base";
import type { ApiResource } from "./resource.ts";
import type { RegistryReader } from "./registry_reader.ts";

/** The address of an object in the registry: group, resource (the plural), namespace and name. */
export interface ObjectAddress extends GroupResource {
  /** The namespace of the addressed object; empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  /**
   * The API version, such as `v1`, in which a registry call reads and writes the object.
   *
   * @default {the storage version}
   */
  readonly version?: string;
}

/** Options of registry calls that the server itself makes. */
export interface InnerCallOptions {
  /**
   * The user that the registry call runs as.
   *
   * @default {the server itself, which may do everything}
   */
  readonly user?: RequestUser;
  /**
   * The subresource of the object that the call addresses; empty for the object itself.
   *
   * @default {""}
   */
  readonly subresource?: string;
  /** Sets whether the call is a dry run, which stores nothing. @default {false} */
  readonly dryRun?: boolean;
  /**
   * The field manager that owns the fields which the API server's own call changes.
   *
   * @default {the name of the server}
   */
  readonly fieldManager?: string;
  /**
   * Sets whether the function `change` updates `metadata.managedFields` itself, so that the
   * registry leaves them unchanged.
   *
   * @default {false}
   */
  readonly managed?: boolean;
  /**
   * A callback that receives each warning that a successful update causes, after the update; other
   * calls drop their warnings.
   *
   * @default {the warnings are dropped}
   */
  readonly warn?: (text: string) => void;
}

/** Options of a deletion by the server itself. */
export interface InnerDeleteOptions extends InnerCallOptions {
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  /**
   * Sets whether the deletion orphans the dependents: the deprecated predecessor of `propagation`,
   * with which it must not be combined.
   */
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Sets whether the deletion bypasses the admission plugins. @default {false} */
  readonly skipAdmission?: boolean;
}

/**
 * A write to the storage, as subscribers of the registry see it. Objects are in their storage
 * version; each call of `object` or `previous` parses the object again.
 */
export interface StoredChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Returns the JSON text of {@linkcode StoredChange.object}, to inspect it without parsing. */
  text(): string;
  /**
   * Returns the written object as it was after the write; for a deletion, the last state of the
   * object.
   */
  object(): ApiObject;
  /** Returns the object before the write; `undefined` if the write created it. */
  previous(): ApiObject | undefined;
}

/**
 * The interface of the API server's registry for controllers, admission plugins and endpoints.
 * Writes pass through defaulting, admission, validation and managed fields like those of clients,
 * and reject with a `StatusError`.
 */
export interface Registry extends RegistryReader {
  /**
   * Reads an object in the API version that its address names; resolves to `undefined` if there is
   * none. May call a conversion webhook. Rejects with a StatusError 404 if the resource is not
   * served, and with code 500 if the conversion fails.
   */
  read(address: ObjectAddress): Promise<ApiObject | undefined>;
  create(address: ObjectAddress, object: ApiObject, options?: InnerCallOptions): Promise<ApiObject>;
  /**
   * Reads, changes and writes an object, and returns the written object; repeats all three steps
   * after a concurrent write. Rejects with the error of `change`, and with a StatusError 404 if the
   * object does not exist, also if a PUT request creates missing objects of its kind.
   */
  update(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options?: InnerCallOptions,
  ): Promise<ApiObject>;
  /**
   * Changes a stored object in its storage version synchronously, without admission, preparation,
   * validation and managed fields, and returns the changed object. Stores nothing if `change`
   * changes nothing, or in a dry run.
   *
   * @throws {StatusError} 404 if the object does not exist.
   *
   * @throws {unknown} The error of `change`.
   */
  rewrite(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options?: { readonly dryRun?: boolean },
  ): ApiObject;
  delete(address: ObjectAddress, options?: InnerDeleteOptions): Promise<ApiObject>;
  /** Begins a task that shares the event loop's time with requests. */
  begin(): Work;
  /** Yields all resources that the API server serves, in each of their versions. */
  served(): Iterable<ApiResource>;
  /**
   * Ends all watches of a resource once they have sent the writes so far; for a resource that is
   * served in another form, or no longer.
   */
  endWatches(group: string, resource: string): void;
  /**
   * Subscribes a listener, which the registry calls synchronously after each write, in the order of
   * revisions. The listener must not throw. Disposing the result ends the subscription.
   */
  subscribe(listener: (change: StoredChange) => void): Disposable;
}
