import type { Command } from "@commander-js/extra-typings";
import { CONNECTION_FLAGS, flagWord, type GlobalFlags } from "../global_flags.ts";
import { UsageError } from "../usage_error.ts";

/** The flags of a command with an embedded API server. */
export interface EmbeddedFlags extends GlobalFlags {
  readonly port?: number | undefined;
  readonly bind?: string | undefined;
  readonly data?: string | undefined;
  readonly audit?: string | undefined;
  readonly seed?: readonly string[] | undefined;
  readonly writeKubeconfig?: string | undefined;
}

/**
 * Adds the flags of the embedded API server to a command; `when` is the beginning of each
 * description, such as `with --embedded: `.
 */
export function addEmbeddedFlags(command: Command, when = ""): void {
  command
    .option(
      "--port <number>",
      `${when}the port to listen on; any that is free by default`,
      parsePort,
    )
    .option("--bind <address>", `${when}the address to listen on, instead of 127.0.0.1`)
    .option("--data <folder>", `${when}keep everything there, and go on from it next time`)
    .option(
      "--seed <file>",
      `${when}apply these manifests at the start; may be given several times`,
      collect,
    )
    .option("--audit <file>", `${when}log each request, a line of JSON; - is standard output`)
    .option(
      "--write-kubeconfig <file>",
      `${when}where to write the kubeconfig; it goes into --data, or a temporary folder`,
    );
}

/** The attribute names of the flags that require an embedded API server. */
const OWN: readonly (keyof EmbeddedFlags)[] = [
  "port",
  "bind",
  "data",
  "audit",
  "seed",
  "writeKubeconfig",
];

/**
 * Returns one of the given flags that require an embedded API server, as users type it
 * (`--write-kubeconfig`); `undefined` if no such flag is given.
 */
export function ownServerFlag(flags: EmbeddedFlags): string | undefined {
  return flagWord(OWN.find((name) => flags[name] !== undefined));
}

/**
 * Checks that no flag selects a cluster or a user, for a command that uses its embedded server;
 * `command` is the command's name in the error message.
 *
 * @throws {UsageError} When a flag of {@linkcode CONNECTION_FLAGS} is given.
 */
export function checkNoOtherCluster(flags: EmbeddedFlags, command: string): void {
  const flag = flagWord(CONNECTION_FLAGS.find((name) => flags[name] !== undefined));
  if (flag) throw new UsageError(`${command} brings its own API server: leave out ${flag}`);
}

function parsePort(value: string): number {
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port < 65536) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, is ${JSON.stringify(value)}`);
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...before ?? [], value];
}
