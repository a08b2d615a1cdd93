import type { ApiResource } from "../machinery/resource.ts";
import type { FieldManager } from "./field_manager.ts";

/** Where the field managers of the endpoints are kept. */
export interface FieldManagerSource {
  /** The one of a resource, or of a subresource of it. */
  of(resource: ApiResource, subresource: string): FieldManager;
}
