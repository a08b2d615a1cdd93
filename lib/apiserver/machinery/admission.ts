// Mirrors `admission/interfaces.go, MutationInterface`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "./registry.ts";
import type { RequestContext } from "./request_context.ts";
import type { ApiResource } from "./resource.ts";

/**
 * A creation, update or deletion of an object or subresource, or a connection (CONNECT), as
 * admission plugins see it.
 */
export interface AdmissionRequest {
  readonly context: RequestContext<ApiResource>;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /**
   * The new object of the admitted write, which `mutate` may change or replace; for CONNECT the
   * options of the connection, which have no metadata; absent for DELETE.
   */
  object: ApiObject | undefined;
  /**
   * The object before the admitted write, in the API version of the request; absent for CREATE and
   * CONNECT.
   */
  readonly old: ApiObject | undefined;
  /**
   * The `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions` of the admitted write;
   * absent for CONNECT and for writes of the server itself.
   */
  readonly options: ApiObject | undefined;
}

/**
 * An admission plugin: the interface that each plugin implements. Plugins run in order: all
 * `mutate`, later all `validate`.
 */
export interface Admission {
  readonly name: string;
  /**
   * Reports whether the admission plugin applies to a write; if not, neither `mutate` nor
   * `validate` of the plugin is called for the write. Admission awaits nothing if no plugin
   * applies.
   */
  handles(request: AdmissionRequest, registry: Registry): boolean;
  /**
   * Changes the object of an admitted write. Returns in `again` whether all mutating plugins are to
   * run a second time because of the change.
   *
   * @throws {StatusError} To refuse the write.
   */
  mutate?(
    request: AdmissionRequest,
    registry: Registry,
  ): void | { readonly again: boolean } | Promise<void | { readonly again: boolean }>;
  /**
   * Validates the object of an admitted write.
   *
   * @throws {StatusError} To refuse the write.
   */
  validate?(request: AdmissionRequest, registry: Registry): void | Promise<void>;
}
