/** What is checked; all of it holds whenever the server answers at all. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ["ping", "log", "storage"],
  livez: ["ping", "log", "storage"],
  readyz: ["ping", "log", "storage", "controllers"],
};

/** All paths of health, with a leading slash. */
export function healthPaths(): string[] {
  return Object.entries(CHECKS).flatMap(([name, checks]) => [
    `/${name}`,
    ...checks.map((check) => `/${name}/${check}`),
  ]);
}

/** Answers `/healthz`, `/livez`, `/readyz` and the checks below them; `undefined` for other paths. */
export function healthAnswer(path: string, query: URLSearchParams): Response | undefined {
  const [, name = "", check, ...more] = path.split("/");
  const checks = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  if (!checks || more.length > 0) return undefined;
  if (check !== undefined && check !== "") return checks.includes(check) ? text("ok") : undefined;
  if (!query.has("verbose")) return text("ok");
  const excluded = query.getAll("exclude");
  const lines = checks.map((each) =>
    excluded.includes(each) ? `[+]${each} excluded: ok\n` : `[+]${each} ok\n`
  );
  const unknown = excluded.filter((each) => !checks.includes(each)).sort();
  if (unknown.length > 0) {
    const quoted = unknown.map((each) => JSON.stringify(each)).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted}\n`);
  }
  return text(`${lines.join("")}${name} check passed\n`);
}

function text(body: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-cache, private",
    },
  });
}
