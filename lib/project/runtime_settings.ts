/**
 * The `deno run` option with the V8 flags of an operator's program, as `kubectl xca run` sets them:
 * less memory, and functions that are optimized after fewer calls, since an operator calls most of
 * them rarely; see docs/decisions/0023-speed-beside-go.md.
 */
export const V8_FLAGS: string = "--v8-flags=" + [
  "--max-semi-space-size=1",
  "--no-concurrent-recompilation",
  "--invocation-count-for-maglev=50",
  "--minimum-invocations-after-ic-update=50",
].join(",");

/**
 * The environment variables of an operator's program, as `kubectl xca run` sets them: one arena of
 * glibc for all threads, which saves 3 MB; see docs/decisions/0023-speed-beside-go.md.
 */
export const OPERATOR_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: "1" };
