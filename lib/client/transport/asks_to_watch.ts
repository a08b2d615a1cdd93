/** Reports whether the query of a request asks for a watch, as the API server reads booleans. */
export function asksToWatch(query: URLSearchParams): boolean {
  const value = query.get("watch")?.toLowerCase();
  return value !== undefined && value !== "false" && value !== "0";
}
