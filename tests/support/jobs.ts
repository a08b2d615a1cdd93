/**
 * Prints the number of test files that run at the same time: `DENO_JOBS` if it is set, otherwise
 * two per core. The suites on real servers spend more than half of their time in waits for other
 * processes.
 *
 * @module
 */
const jobs = Deno.env.get("DENO_JOBS") ?? String(2 * navigator.hardwareConcurrency);
Deno.stdout.writeSync(new TextEncoder().encode(jobs));
