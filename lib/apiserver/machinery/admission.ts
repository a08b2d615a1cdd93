import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Registry } from "./registry.ts";
import type { RequestContext } from "./request_context.ts";
import type { ApiResource } from "./resource.ts";

/** A write on its way, as admission sees it. */
export interface AdmissionRequest {
  readonly context: RequestContext<ApiResource>;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** The new object, which `mutate` may change or replace; absent on DELETE. */
  object: ApiObject | undefined;
  /** The stored object; absent on CREATE. */
  readonly old: ApiObject | undefined;
  /** The `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions`. */
  readonly options: ApiObject | undefined;
}

/** One admission plugin. Plugins run in order: all `mutate`, later all `validate`. */
export interface Admission {
  readonly name: string;
  /** Whether this write concerns it; without a plugin that says so nothing is awaited. */
  handles(request: AdmissionRequest, registry: Registry): boolean;
  /**
   * Changes the object. Who calls others for that says whether they changed something: then all
   * plugins run once more, for what they did not see. @throws {StatusError} To refuse it.
   */
  mutate?(
    request: AdmissionRequest,
    registry: Registry,
  ): void | { readonly again: boolean } | Promise<void | { readonly again: boolean }>;
  /** @throws {StatusError} To refuse the write. */
  validate?(request: AdmissionRequest, registry: Registry): void | Promise<void>;
}
