import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "./registry.ts";
import type { RequestContext } from "./request_context.ts";
import type { ApiResource } from "./resource.ts";

/** A write, as admission sees it. */
export interface AdmissionRequest {
  readonly context: RequestContext<ApiResource>;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** The new object, which `mutate` may change or replace; absent for DELETE. */
  object: ApiObject | undefined;
  /** The stored object; absent for CREATE. */
  readonly old: ApiObject | undefined;
  /** The `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions`. */
  readonly options: ApiObject | undefined;
}

/** An admission plugin. Plugins run in order: all `mutate`, later all `validate`. */
export interface Admission {
  readonly name: string;
  /** Reports whether the plugin applies to a write. If none does, admission awaits nothing. */
  handles(request: AdmissionRequest, registry: Registry): boolean;
  /**
   * Changes the object. Returns whether all plugins are to run a second time because of the change.
   * @throws {StatusError} To refuse the write.
   */
  mutate?(
    request: AdmissionRequest,
    registry: Registry,
  ): void | { readonly again: boolean } | Promise<void | { readonly again: boolean }>;
  /** Validates the object. @throws {StatusError} To refuse the write. */
  validate?(request: AdmissionRequest, registry: Registry): void | Promise<void>;
}
