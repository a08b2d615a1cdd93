/**
 * Prints the number of test files that run at the same time: `DENO_JOBS` if it is set, otherwise
 * two per core. The suites on real servers spend more than half of their time in waits for other
 * processes.
 *
 * @module
 */
console.log(Deno.env.get("DENO_JOBS") ?? 2 * navigator.hardwareConcurrency);
