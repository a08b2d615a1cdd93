const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a text is a DNS-1123 label (RFC 1123): what namespaces are named by, at most 63 characters. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && LABEL.test(text);
}

/** Whether a text may stand as one segment of an API path: not empty, not `.` or `..`, no `/` or `%`. */
export function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/%]/.test(text);
}
