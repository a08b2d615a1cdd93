// Mirrors `server/statusz/statusz.go, handleStatusz` and `server/flagz/flagz.go, handleFlagz`.
import type { Clock } from "@xca/apimachinery/base";
import { notAcceptable } from "@xca/apimachinery/internal/errors";
import { formatTime } from "@xca/apimachinery/meta";
import type { JsonObject } from "@xca/apimachinery/internal/values";
import { encodeAnswer } from "../request/encode.ts";
import { negotiateKinds } from "../request/media_types.ts";
import { builtinRelease } from "../resources/builtin_resources.ts";
import { versionInfo } from "./version.ts";

/**
 * The facts about an API server that its pages `/flagz` and `/statusz` show, set at the server's
 * start.
 */
export interface ComponentFacts {
  /** The server's settings, by the names of kube-apiserver's flags. */
  readonly flags: Readonly<Record<string, string>>;
  /** The time at which the server started. */
  readonly startTime: Date;
  readonly clock: Clock;
}

const COMPONENT = "apiserver";
const GROUP = "config.k8s.io";
const VERSIONS = ["v1alpha1", "v1beta1"];
/** The first segments of paths that `/statusz` does not list. */
const NOT_FOR_DEBUGGING = new Set(["api", "apis", "openid", "openapi", ".well-known"]);
/** The paths of the pages that describe the server itself. */
export const COMPONENT_PATHS: readonly string[] = ["/flagz", "/statusz"];

/**
 * Returns the response to a request for `/flagz` or `/statusz`: text, also without an `Accept`
 * header, or the kind `Flagz` or `Statusz` for a client that asks for it. `paths` returns the paths
 * that `/` lists.
 *
 * @throws {StatusError} 406
 */
export function componentAnswer(
  request: Request,
  facts: ComponentFacts,
  paths: () => readonly string[],
): Response {
  const { pathname, searchParams } = new URL(request.url);
  const page = pathname === "/flagz" ? flagz(facts) : statusz(facts, paths());
  const accept = request.headers.get("accept") ?? "";
  const recognized = VERSIONS.map((version) => ({ group: GROUP, version, kind: page.kind }));
  const chosen = accept.trim() === ""
    ? "text"
    : negotiateKinds(request.headers, searchParams, recognized);
  if (!chosen) throw notAcceptable(["application/json", "application/yaml", "text/plain"]);
  if (chosen === "text") {
    const text = `\n${COMPONENT} ${pathname.slice(1)}\n${WARNING}\n${page.text}`;
    return new Response(text, {
      headers: {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-cache, private",
      },
    });
  }
  const { version, ...form } = chosen;
  const response = encodeAnswer(200, {
    kind: page.kind,
    apiVersion: `${GROUP}/${version}`,
    metadata: { name: COMPONENT },
    ...page.fields,
  }, { ...form, as: undefined });
  const type = response.headers.get("content-type");
  response.headers.set("Content-Type", `${type};g=${GROUP};v=${version};as=${page.kind}`);
  return response;
}

const WARNING = "Warning: This endpoint is not meant to be machine parseable, has no formatting " +
  "compatibility guarantees and is for debugging purposes only.";

/** A page in both of its forms: the fields of its kind, and text. */
interface Page {
  readonly kind: string;
  readonly fields: JsonObject;
  readonly text: string;
}

function flagz({ flags }: ComponentFacts): Page {
  const names = Object.keys(flags).sort();
  return {
    kind: "Flagz",
    fields: { flags: Object.fromEntries(names.map((name) => [name, flags[name]!])) },
    text: names.map((name) => `${name}: ${flags[name]}\n`).join(""),
  };
}

function statusz({ startTime, clock }: ComponentFacts, listed: readonly string[]): Page {
  const uptimeSeconds = Math.max(
    0,
    Math.floor((clock.now().getTime() - startTime.getTime()) / 1000),
  );
  const { goVersion } = versionInfo() as { readonly goVersion: string };
  const binaryVersion = builtinRelease().slice(1);
  const emulationVersion = binaryVersion.split(".", 2).join(".");
  const paths = folders(listed);
  const minutes = two(Math.floor(uptimeSeconds / 60) % 60);
  const lines = [
    "",
    `Started: ${unixDate(startTime)}`,
    `Up: ${Math.floor(uptimeSeconds / 3600)} hr ${minutes} min ${two(uptimeSeconds % 60)} sec`,
    `Go version: ${goVersion}`,
    `Binary version: ${binaryVersion}`,
    `Emulation version: ${emulationVersion}`,
    `Paths: ${paths.join(" ")}`,
  ];
  const start = formatTime(startTime);
  return {
    kind: "Statusz",
    fields: { startTime: start, uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths },
    text: `${lines.join("\n")}\n`,
  };
}

/** Returns the first segments of paths, sorted, without those of the APIs. */
function folders(paths: readonly string[]): string[] {
  const names = new Set(paths.map((path) => path.split("/")[1] ?? ""));
  return [...names].filter((name) => name !== "" && !NOT_FOR_DEBUGGING.has(name))
    .map((name) => `/${name}`).sort();
}

/** Formats a time in UTC in the layout of Go's `time.UnixDate`. */
function unixDate(time: Date): string {
  // Such as "Sat, 28 Nov 2026 07:51:14 GMT".
  const [day, date, month, year, clock] = time.toUTCString().replace(",", "").split(" ");
  return `${day} ${month} ${String(Number(date)).padStart(2, " ")} ${clock} UTC ${year}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
