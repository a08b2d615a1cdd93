import type { JsonObject } from "@xca/apimachinery/internal/values";
import { builtinRelease } from "../resources/builtin_resources.ts";

/**
 * `/version`: the release that the server is like, marked as build metadata, which no comparison of
 * versions looks at.
 */
export function versionInfo(): JsonObject {
  const release = builtinRelease();
  const [, major = "", minor = ""] = /^v(\d+)\.(\d+)\./.exec(release) ?? [];
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `${release}+embedded`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: "embedded",
  };
}
