// Mirrors `audit/request.go, LogRequestObject`.
import type { ApiObject } from "@xca/apimachinery/internal/values";

/** The identity of the object in the body of a request, as the client sent it. */
export interface AuditedObject {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The facts about the body of a request that the audit log records. */
export interface AuditNotes {
  /**
   * The identity of the object in the body of a POST or PUT; absent for other requests, and if the
   * body was refused before it was decoded.
   */
  object?: AuditedObject | undefined;
}

/** Sets `notes.object` to the identity of the object in the body of a POST or PUT. */
export function noteObject(notes: AuditNotes, { metadata }: ApiObject): void {
  const { namespace, name, uid, resourceVersion } = metadata;
  notes.object = { namespace, name, uid, resourceVersion };
}
