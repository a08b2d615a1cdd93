import assert from "node:assert/strict";
import type { Host } from "../../lib/apimachinery/base/host.ts";
import { ConfigError } from "../../lib/client/config/config.ts";

/** Options of {@linkcode FakeHost}. */
export interface FakeHostParts {
  /** The operating system; Linux when absent. */
  readonly os?: string;
  /** The environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files by path: their text or bytes, or the error that reading them gives. */
  readonly files?: Readonly<Record<string, string | Uint8Array | Error>>;
}

/** A machine in memory. It writes down which files were read. */
export class FakeHost implements Host {
  readonly os: string;
  /** The environment; tests may change it. */
  readonly variables: Map<string, string>;
  /** The files; tests may change them. */
  readonly files: Map<string, string | Uint8Array | Error>;
  /** The paths that were read, in order. */
  readonly reads: string[] = [];

  constructor({ os = "linux", env = {}, files = {} }: FakeHostParts = {}) {
    this.os = os;
    this.variables = new Map(Object.entries(env));
    this.files = new Map(Object.entries(files));
  }

  env(name: string): string | undefined {
    return this.variables.get(name);
  }

  readFile(path: string): Promise<Uint8Array> {
    this.reads.push(path);
    const file = this.files.get(path);
    if (file === undefined) {
      return Promise.reject(new Deno.errors.NotFound(`No such file: readfile '${path}'`));
    }
    if (file instanceof Error) return Promise.reject(file);
    return Promise.resolve(typeof file === "string" ? new TextEncoder().encode(file) : file);
  }
}

/** Options of {@linkcode simpleKubeconfig}. */
export interface SimpleKubeconfig {
  /** The fields of the cluster `c`, over its server. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** The fields of the user `u`. */
  readonly user?: Readonly<Record<string, unknown>>;
  /** The fields of the context `x`, over its cluster and user. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Further fields at the top. */
  readonly top?: Readonly<Record<string, unknown>>;
}

/** A kubeconfig (as JSON, which is YAML) with one context `x`, cluster `c` and user `u`. */
export function simpleKubeconfig(parts: SimpleKubeconfig = {}): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u", ...parts.context } }],
    clusters: [{ name: "c", cluster: { server: "https://c.example:6443", ...parts.cluster } }],
    users: [{ name: "u", user: { ...parts.user } }],
    ...parts.top,
  });
}

/** The path of the only kubeconfig on {@linkcode hostWith}'s machine. */
export const HOME_CONFIG = "/home/me/.kube/config";

/** A machine with one kubeconfig at home, and further files. */
export function hostWith(
  kubeconfig: string | Uint8Array | Error,
  files: FakeHostParts["files"] = {},
): FakeHost {
  return new FakeHost({
    env: { HOME: "/home/me" },
    files: { [HOME_CONFIG]: kubeconfig, ...files },
  });
}

/** The message of the ConfigError that something must reject with: one line. */
export async function configErrorOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof ConfigError, `not a ConfigError: ${error}`);
    assert.doesNotMatch(error.message, /[\r\n]/, "the message is one line");
    return error.message;
  }
  assert.fail("it did not throw");
}
