// Mirrors `server/routes/version.go, Version`.
import type { JsonObject } from "@xca/apimachinery/internal/values";
import { builtinRelease } from "../resources/builtin_resources.ts";

/**
 * Returns the document `/version`: the Kubernetes release whose behaviour the server has, with
 * build metadata that version comparisons ignore.
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
