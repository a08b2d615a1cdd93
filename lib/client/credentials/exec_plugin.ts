import {
  type Clock,
  errorText,
  type Host,
  linkedAbort,
  type ProgramResult,
} from "@xca/apimachinery/base";
import type { ConfigError } from "../config/config.ts";
import { shown } from "../config/config_place.ts";
import { type ClusterInfo, execInfo } from "./exec_info.ts";
import { parseExecOutput, type PluginCredential } from "./exec_output.ts";
import { hideSecretsInText } from "./hide_secrets_in_text.ts";
import type { ExecConfig } from "../config/plugin_config.ts";
import { pluginError } from "./plugin_error.ts";

/** The default time limit of a credential plugin without a terminal, in milliseconds. */
export const PLUGIN_TIMEOUT_MS = 60_000;
/**
 * The default time limit of a credential plugin that may ask the user at a terminal to log in, in
 * milliseconds.
 */
export const PLUGIN_LOGIN_TIMEOUT_MS = 600_000;

/**
 * The largest number of characters, from the end of a credential plugin's standard error, that an
 * error message quotes.
 */
const LONGEST_SAID = 600;
const LONGEST_HINT = 1_000;
// deno-lint-ignore no-control-regex
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
// deno-lint-ignore no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;

/**
 * The functions of the operating system that credential plugins need: running a program, and
 * reporting whether a stream is a terminal.
 */
export type PluginHost = Pick<Host, "run" | "isTerminal">;

/** A runner of a credential plugin. Runs do not share any state. */
export class ExecPlugin {
  readonly #exec: ExecConfig;
  readonly #cluster: ClusterInfo;
  readonly #host: PluginHost;
  readonly #clock: Clock;

  constructor(exec: ExecConfig, cluster: ClusterInfo, parts: { host: PluginHost; clock: Clock }) {
    this.#exec = exec;
    this.#cluster = cluster;
    this.#host = parts.host;
    this.#clock = parts.clock;
  }

  /**
   * Runs the credential plugin, and returns the credential that the plugin prints, even if that has
   * expired.
   *
   * @throws {ConfigError} When the program does not exist, is not permitted, requires a terminal
   * that is missing, fails, takes too long, or prints an invalid credential.
   * @throws {unknown} The reason of the signal.
   */
  async run(signal: AbortSignal): Promise<PluginCredential> {
    const interactive = this.#interactive();
    const result = await this.#result(interactive, signal);
    if (result.code !== 0) throw this.#failed(result);
    return await parseExecOutput(result.stdout, this.#exec);
  }

  /** Creates a ConfigError about this credential plugin. */
  error(reason: string, advice: string, cause?: unknown): ConfigError {
    return pluginError(this.#exec, reason, advice, cause);
  }

  /**
   * Reports whether the credential plugin gets the terminal, by the rules of kubectl.
   *
   * @throws {ConfigError} When the plugin requires a terminal, and standard input is not one.
   */
  #interactive(): boolean {
    const { interactiveMode } = this.#exec;
    if (interactiveMode === "Never") return false;
    const terminal = this.#host.isTerminal?.("stdin") ?? false;
    if (interactiveMode === "Always" && !terminal) {
      throw this.error(
        "its interactiveMode is Always, and standard input is not a terminal",
        "call from a terminal, or use a plugin that does not prompt",
      );
    }
    return terminal;
  }

  async #result(interactive: boolean, signal: AbortSignal): Promise<ProgramResult> {
    const { command, args = [], env = [], timeoutMs } = this.#exec;
    const limitMs = timeoutMs ?? (interactive ? PLUGIN_LOGIN_TIMEOUT_MS : PLUGIN_TIMEOUT_MS);
    if (!this.#host.run) throw this.error("this host runs no programs", "give --token");
    const late = this.error(
      `it did not end within ${limitMs} ms and was killed`,
      "run it by hand: does it wait for an answer, or for the network?",
    );
    using link = linkedAbort({
      signals: [signal],
      timeoutMs: limitMs,
      timeoutReason: () => late,
      clock: this.#clock,
    });
    try {
      return await this.#host.run(command, {
        args,
        env: {
          ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
          KUBERNETES_EXEC_INFO: execInfo(this.#exec, this.#cluster, interactive),
        },
        stdin: interactive ? "inherit" : "null",
        // As with kubectl, the user sees the standard error of the plugin on a terminal; it is not
        // written to logs.
        showStderr: this.#host.isTerminal?.("stderr") ?? false,
        signal: link.signal,
      });
    } catch (error) {
      if (link.signal.aborted) throw link.signal.reason;
      throw this.#notRun(error);
    }
  }

  #notRun(error: unknown): ConfigError {
    const { command, installHint } = this.#exec;
    if (error instanceof Deno.errors.NotFound) {
      const hint = installHint ? oneLine(installHint).slice(0, LONGEST_HINT) : "";
      return this.error(
        "there is no such program",
        hint ? `to install it: ${hint}` : "install it, and see that it is on PATH",
      );
    }
    if (error instanceof Deno.errors.NotCapable) {
      return /\bLD_|DYLD_/.test(error.message)
        ? this.error(
          oneLine(error.message),
          "unset the variable, or run this program with --allow-run",
          error,
        )
        : this.error(
          "this program may not run it",
          `run this program with --allow-run=${shown(command)}`,
          error,
        );
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      return this.error("it may not be executed", "check the file's mode and owner");
    }
    return this.error(oneLine(errorText(error)), "run it by hand", error);
  }

  #failed({ code, stdout, stderr }: ProgramResult): ConfigError {
    const known = [...(this.#exec.env ?? []).map(({ value }) => value), ...secretsOf(stdout)];
    const text = oneLine(hideSecretsInText(new TextDecoder().decode(stderr), known));
    const said = text.length > LONGEST_SAID ? `...${text.slice(-LONGEST_SAID)}` : text;
    return this.error(
      `it ended with exit code ${code}${said === "" ? " and printed nothing" : `: ${said}`}`,
      "run it by hand, or log in again",
    );
  }
}

function oneLine(text: string): string {
  return text.replace(ANSI, "").replace(UNPRINTABLE, " ").trim();
}

/**
 * Returns the parts of a credential plugin's output that may be secret, to be hidden in its error
 * messages: the texts in the `status`, or of output that is not JSON all words of at least 12
 * characters.
 */
function secretsOf(stdout: Uint8Array): string[] {
  const text = new TextDecoder().decode(stdout);
  try {
    const { status } = JSON.parse(text) as { status?: Record<string, unknown> };
    return Object.values(status ?? {}).filter((value) => typeof value === "string");
  } catch {
    return text.match(/[^\s"']{12,}/g) ?? [];
  }
}
