import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { ApiObject, GroupResource } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "./resource.ts";
import type { RegistryReader } from "./registry_reader.ts";

/** Which object a call is about; `resource` is the plural. */
export interface ObjectAddress extends GroupResource {
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  /** The version that a call reads and writes. @default {the one in which the object is stored} */
  readonly version?: string;
}

/** How an inner call is made. */
export interface InnerCallOptions {
  /** Who is said to ask. @default {the server itself, who may do everything} */
  readonly user?: RequestUser;
  /** @default {""} */
  readonly subresource?: string;
  /** @default {false} */
  readonly dryRun?: boolean;
  /** @default {the name of the caller's mechanism} */
  readonly fieldManager?: string;
  /** The change has seen to `metadata.managedFields` itself. @default {false} */
  readonly managed?: boolean;
  /** Gets what an update warns of. */
  readonly warn?: (text: string) => void;
}

/** How an object is deleted. */
export interface InnerDeleteOptions extends InnerCallOptions {
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  /** What was said before there was a propagation. */
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What a write did to storage. The trees are made anew at each call of the functions. */
export interface StoredChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** The JSON text of {@linkcode StoredChange.object}: for a look before a tree is made of it. */
  text(): string;
  /** The object after the write; for a deletion, as it was last. */
  object(): ApiObject;
  /** The object before the write; absent for `ADDED`. */
  previous(): ApiObject | undefined;
}

/**
 * The registry as controllers, admission plugins and endpoints use it. Writes pass through defaulting,
 * admission, validation and managed fields like those of clients, and reject with a
 * {@linkcode StatusError}.
 */
export interface Registry extends RegistryReader {
  /** The JSON text of an object as it is stored: for a look before a tree is made of it. */
  text(group: string, resource: string, namespace: string, name: string): string | undefined;
  /** The object in the version of the address, for which a webhook may have to be asked. */
  read(address: ObjectAddress): Promise<ApiObject | undefined>;
  create(address: ObjectAddress, object: ApiObject, options?: InnerCallOptions): Promise<ApiObject>;
  /** Reads, changes, writes; again from the start when another write came between. */
  update(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options?: InnerCallOptions,
  ): Promise<ApiObject>;
  /**
   * Changes an object as it is stored, at once: no admission, preparation, validation or managed
   * fields. @throws {StatusError} 404 when it is not there, and what `change` throws.
   */
  rewrite(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options?: { readonly dryRun?: boolean },
  ): ApiObject;
  delete(address: ObjectAddress, options?: InnerDeleteOptions): Promise<ApiObject>;
  /** All resources that are served now, each in each of its versions. */
  served(): Iterable<ApiResource>;
  /** Ends all watches of a resource, since it is not served any more, or not as it was. */
  endWatches(group: string, resource: string): void;
  /** Called synchronously after each write, in the order of revisions. Must not throw. */
  subscribe(listener: (change: StoredChange) => void): Disposable;
}
