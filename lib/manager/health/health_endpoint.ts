// Mirrors sigs.k8s.io/controller-runtime/pkg/healthz/healthz.go, Handler.
import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, linkedAbort } from "@xca/apimachinery/base";
import { type Endpoint, plain } from "../endpoints/routes.ts";
import { type HealthCheck, ping } from "./health_check.ts";

const logger = getLogger(["xca", "manager", "health"]);

/** The time limit of a health check, in milliseconds; a slower check has failed. */
const CHECK_MS = 5_000;

/** The result of one health check. */
interface Result {
  readonly name: string;
  /** The problem that the health check found; `undefined` when it passed. */
  readonly problem: string | undefined;
  readonly excluded: boolean;
}

/**
 * Returns the endpoint of the health checks of one path, such as `/readyz`: all of them at the path
 * itself, and each at the path with its name. The status is 200 when no check has a problem,
 * otherwise 500, and 404 for an unknown name. A check that is added to `checks` later is included
 * from then on; without checks, `ping` is the only one.
 *
 * The response includes the causes of failures, which controller-runtime omits, so that the log of
 * a probe shows them. At the path itself, each query parameter `exclude` leaves out the check that
 * it names, and `verbose` lists the results also when none is a problem; otherwise the response is
 * `ok`.
 */
export function healthEndpoint(
  path: string,
  checks: Readonly<Record<string, HealthCheck>>,
  clock: Clock,
): Endpoint {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const all = Object.keys(checks).length === 0 ? { ping } : checks;
    const name = decoded(pathname.slice(path.length).replace(/^\/+|\/+$/g, ""));
    if (name === "") return await aggregated(path, all, { searchParams, clock });
    const check = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!check) {
      return plain(404, `${path} has no check ${name}; it has ${namesOf(all).join(", ")}`);
    }
    const problem = await problemOf(check, clock);
    return problem === undefined ? plain(200, "ok") : plain(500, `${name} failed: ${problem}`);
  };
}

async function aggregated(
  path: string,
  checks: Readonly<Record<string, HealthCheck>>,
  { searchParams, clock }: { readonly searchParams: URLSearchParams; readonly clock: Clock },
): Promise<Response> {
  const excluded = new Set(searchParams.getAll("exclude"));
  const results: Result[] = await Promise.all(
    namesOf(checks).map(async (name) =>
      excluded.has(name)
        ? { name, problem: undefined, excluded: true }
        : { name, problem: await problemOf(checks[name]!, clock), excluded: false }
    ),
  );
  const failing = results.filter(({ problem }) => problem !== undefined);
  if (failing.length === 0 && !searchParams.has("verbose")) return plain(200, "ok");
  const unknown = [...excluded].filter((name) => !Object.hasOwn(checks, name));
  const lines = results.map(lineOf);
  if (unknown.length > 0) {
    const names = unknown.map((name) => JSON.stringify(name)).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  lines.push(`${path.slice(1)} check ${failing.length > 0 ? "failed" : "passed"}`);
  if (failing.length > 0) {
    const named = failing.map(({ name, problem }) => `${name}: ${problem}`).join("; ");
    logger.info("{path} failed: {problems}", { path, problems: named });
  }
  return plain(failing.length > 0 ? 500 : 200, lines.join("\n"));
}

function lineOf({ name, problem, excluded }: Result): string {
  if (problem !== undefined) return `[-]${name} failed: ${problem}`;
  return excluded ? `[+]${name} excluded: ok` : `[+]${name} ok`;
}

/**
 * Runs a health check, and returns its problem in one line; `undefined` when the check passed. A
 * thrown error and a timeout are problems too.
 */
async function problemOf(check: HealthCheck, clock: Clock): Promise<string | undefined> {
  using link = linkedAbort({
    signals: [],
    timeoutMs: CHECK_MS,
    timeoutReason: () => new Error(`the check gave no answer in ${CHECK_MS / 1_000} s`),
    clock,
  });
  const { signal } = link;
  const { promise: late, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  try {
    const problem = await Promise.race([run(check, signal), late]);
    return problem === undefined ? undefined : oneLine(problem);
  } catch (error) {
    return oneLine(errorText(error));
  }
}

/** Calls a health check and returns its result; a synchronous error becomes a rejection. */
async function run(check: HealthCheck, signal: AbortSignal): Promise<string | undefined> {
  return await check(signal);
}

function oneLine(text: unknown): string {
  return String(text).replaceAll(/\s*[\r\n]+\s*/g, " ");
}

function namesOf(checks: Readonly<Record<string, HealthCheck>>): string[] {
  return Object.keys(checks).sort();
}

/** Decodes the escapes of a path segment; returns a segment that cannot be decoded unchanged. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
