import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { ApiObject, GroupResource } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "./resource.ts";
import type { RegistryReader } from "./registry_reader.ts";

/** The address of an object; `resource` is the plural. */
export interface ObjectAddress extends GroupResource {
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  /** The version in which the call reads and writes. @default {the storage version} */
  readonly version?: string;
}

/** Options of the server's own calls. */
export interface InnerCallOptions {
  /** The user that the call runs as. @default {the server itself, which may do everything} */
  readonly user?: RequestUser;
  /** @default {""} */
  readonly subresource?: string;
  /** @default {false} */
  readonly dryRun?: boolean;
  /** The field manager. @default {the name of the server} */
  readonly fieldManager?: string;
  /** Whether `change` updates `metadata.managedFields` itself. @default {false} */
  readonly managed?: boolean;
  /** Receives the warnings of an update. */
  readonly warn?: (text: string) => void;
}

/** Options of a deletion. */
export interface InnerDeleteOptions extends InnerCallOptions {
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  /** The deprecated predecessor of `propagation`. */
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** A write to the storage. Each call of its functions parses the object anew. */
export interface StoredChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Returns the JSON text of {@linkcode StoredChange.object}, to inspect it without parsing. */
  text(): string;
  /** Returns the object after the write; for a deletion, its last state. */
  object(): ApiObject;
  /** Returns the object before the write; `undefined` for `ADDED`. */
  previous(): ApiObject | undefined;
}

/**
 * The registry as controllers, admission plugins and endpoints use it. Writes pass through defaulting,
 * admission, validation and managed fields like those of clients, and reject with a
 * {@linkcode StatusError}.
 */
export interface Registry extends RegistryReader {
  /** Returns the stored JSON text of an object, to inspect it without parsing. */
  text(group: string, resource: string, namespace: string, name: string): string | undefined;
  /** Returns an object in the version of the address. May call a conversion webhook. */
  read(address: ObjectAddress): Promise<ApiObject | undefined>;
  create(address: ObjectAddress, object: ApiObject, options?: InnerCallOptions): Promise<ApiObject>;
  /** Reads, changes and writes an object; again from the start after a concurrent write. */
  update(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options?: InnerCallOptions,
  ): Promise<ApiObject>;
  /**
   * Changes a stored object synchronously, without admission, preparation, validation and managed
   * fields. @throws {StatusError} 404 if it does not exist, and what `change` throws.
   */
  rewrite(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options?: { readonly dryRun?: boolean },
  ): ApiObject;
  delete(address: ObjectAddress, options?: InnerDeleteOptions): Promise<ApiObject>;
  /** Yields all served resources in each of their versions. */
  served(): Iterable<ApiResource>;
  /** Ends all watches of a resource that is no longer served in the same form. */
  endWatches(group: string, resource: string): void;
  /**
   * Calls a listener synchronously after each write, in the order of revisions. It must not throw.
   */
  subscribe(listener: (change: StoredChange) => void): Disposable;
}
