import type { ConfigError } from "../config/config.ts";
import { quoted } from "../config/config_place.ts";
import { checkClientCertificate } from "../config/config_tls.ts";
import { bearerFault } from "../config/header_value.ts";
import type { ExecConfig } from "../config/plugin_config.ts";
import { pluginError } from "./plugin_error.ts";

/** A client certificate with its key, both as PEM text, from a credential plugin. */
export interface ClientCertificate {
  /** The client certificate from the credential plugin as PEM text, which a chain may follow. */
  readonly certData: string;
  /** The private key of the client certificate as PEM text, from the credential plugin. */
  readonly keyData: string;
}

/** A credential that a credential plugin printed: the result of {@linkcode parseExecOutput}. */
export interface PluginCredential {
  /**
   * The bearer token that the credential plugin printed; `undefined` when it printed a certificate
   * only.
   */
  readonly token: string | undefined;
  /**
   * The client certificate that the credential plugin printed; `undefined` when it printed a token
   * only.
   */
  readonly certificate: ClientCertificate | undefined;
  /**
   * The time of expiry of the plugin's credential; `undefined` when the plugin does not name it.
   */
  readonly expires: Date | undefined;
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Parses the output of a credential plugin and returns its credential, even if that has expired.
 * Error messages quote at most the `kind` and the `apiVersion` of the output.
 *
 * @throws {ConfigError} When the output is not an `ExecCredential` with a valid credential.
 */
export async function parseExecOutput(
  stdout: Uint8Array,
  exec: ExecConfig,
): Promise<PluginCredential> {
  const document = documentOf(stdout, exec);
  checkVersion(document, exec);
  const status = document.status;
  if (status === undefined || status === null) {
    throw wrong(exec, "the ExecCredential in its output has no status");
  }
  if (!isObject(status)) throw wrong(exec, "the status in its output is not an object");
  const text = (field: string): string => textOf(status, field, exec);
  const token = text("token");
  const certData = text("clientCertificateData");
  const keyData = text("clientKeyData");
  if (token === "" && certData === "" && keyData === "") {
    throw wrong(exec, "the status in its output has neither a token nor a certificate");
  }
  if ((certData === "") !== (keyData === "")) {
    const [one, other] = certData === "" ? ["key", "certificate"] : ["certificate", "key"];
    throw wrong(exec, `it printed a client ${one} without its ${other}`);
  }
  const fault = token === "" ? undefined : bearerFault(token);
  if (fault) throw wrong(exec, `its output cannot be sent: ${fault}`);
  return {
    token: token === "" ? undefined : token,
    certificate: certData === "" ? undefined : await certificateOf({ certData, keyData }, exec),
    expires: expiryOf(status["expirationTimestamp"] ?? undefined, exec),
  };
}

function documentOf(stdout: Uint8Array, exec: ExecConfig): Record<string, unknown> {
  const text = new TextDecoder().decode(stdout).trim();
  if (text === "") throw wrong(exec, "it printed nothing");
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The error has no cause, since the error of the parser quotes the text.
    throw wrong(exec, "its output is not JSON");
  }
  if (!isObject(document)) throw wrong(exec, "its output is not a JSON object");
  return document;
}

function checkVersion({ kind, apiVersion }: Record<string, unknown>, exec: ExecConfig): void {
  // kubectl accepts an object without a kind.
  if (kind !== "ExecCredential" && kind !== undefined && kind !== "") {
    throw wrong(exec, `it printed ${named("kind", kind)}, not ExecCredential`);
  }
  if (apiVersion === exec.apiVersion) return;
  throw wrong(
    exec,
    `it printed ${named("apiVersion", apiVersion)}, and ${exec.apiVersion} is configured`,
    "set apiVersion there to the version that the plugin speaks",
  );
}

function named(field: string, value: unknown): string {
  return typeof value === "string" ? `${field} ${quoted(value)}` : `no ${field}`;
}

function textOf(status: Record<string, unknown>, field: string, exec: ExecConfig): string {
  const value = status[field] ?? "";
  if (typeof value === "string") return value;
  throw wrong(exec, `status.${field} in its output is not a text`);
}

async function certificateOf(
  pair: ClientCertificate,
  exec: ExecConfig,
): Promise<ClientCertificate> {
  const material = (text: string, field: string) => ({ text, place: `status.${field}` });
  try {
    await checkClientCertificate(
      material(pair.certData, "clientCertificateData"),
      material(pair.keyData, "clientKeyData"),
    );
  } catch (error) {
    const reason = (error as Error).message.replace(/^Cannot use /, "").replace(/;[^;]*$/, "");
    throw wrong(exec, `its output cannot be used: ${reason}`);
  }
  return pair;
}

function expiryOf(value: unknown, exec: ExecConfig): Date | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  const time = new Date(text);
  const day = text.slice(0, 10);
  // `new Date` reads February 30 as March 2.
  const real = RFC3339.test(text) && !Number.isNaN(time.getTime()) &&
    new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (typeof value === "string" && real) return time;
  throw wrong(exec, "status.expirationTimestamp in its output is not an RFC 3339 time");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(
  exec: ExecConfig,
  reason: string,
  advice = "run it by hand, and compare with its documentation",
): ConfigError {
  return pluginError(exec, reason, advice);
}
