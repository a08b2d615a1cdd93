// Mirrors `json-patch.v4/patch.go, Operation`.

/**
 * An operation of a JSON patch (RFC 6902) before its validation: every field may be absent or
 * `null`.
 */
export interface JsonPatchOperation {
  readonly op?: string | null;
  readonly path?: string | null;
  readonly from?: string | null;
  readonly value?: unknown;
}
