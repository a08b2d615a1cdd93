import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, type Host, systemClock, systemHost } from "@xca/apimachinery/base";
import { refused, unreadable } from "./config_place.ts";
import { bearerFault } from "./header_value.ts";

/** How old a token may be before its file is read again, in milliseconds; as in client-go. */
export const TOKEN_FILE_PERIOD_MS = 60_000;
/** How long after a failed reading the next one is tried, in milliseconds. */
export const TOKEN_FILE_RETRY_MS = 10_000;

const log = getLogger(["xca", "client", "credentials"]);

/** Options of a {@linkcode TokenFile}. */
export interface TokenFileOptions {
  /** Tells how old the token is. */
  readonly clock?: Clock;
  /** Reads the file. */
  readonly host?: Pick<Host, "readFile">;
  /**
   * The token that the configuration brings: used for {@linkcode TOKEN_FILE_RETRY_MS}, and for as long
   * as the file cannot be read.
   */
  readonly token?: string;
}

/**
 * A bearer token in a file that somebody replaces from time to time, as the kubelet does with a
 * service account's. A token once read is kept while the file cannot be read.
 */
export class TokenFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #host: Pick<Host, "readFile">;
  #token: string | undefined;
  #freshUntilMs = -Infinity;
  #reading: Promise<string> | undefined;

  constructor(path: string, options: TokenFileOptions = {}) {
    this.#path = path;
    this.#clock = options.clock ?? systemClock;
    this.#host = options.host ?? systemHost;
    this.#token = options.token;
    if (this.#token !== undefined) {
      this.#freshUntilMs = this.#clock.monotonicMs() + TOKEN_FILE_RETRY_MS;
    }
  }

  /**
   * The token; the file is read when that was never done, or {@linkcode TOKEN_FILE_PERIOD_MS} ago.
   *
   * @throws {ConfigError} When the file cannot be read and no token is known.
   */
  async token(): Promise<string> {
    if (this.#token !== undefined && this.#clock.monotonicMs() < this.#freshUntilMs) {
      return this.#token;
    }
    return await this.read();
  }

  /** The token as the file has it now; callers at the same time share one reading. */
  read(): Promise<string> {
    this.#reading ??= this.#read().finally(() => this.#reading = undefined);
    return this.#reading;
  }

  async #read(): Promise<string> {
    try {
      const token = await readTokenFile(this.#path, this.#host);
      this.#freshUntilMs = this.#clock.monotonicMs() + TOKEN_FILE_PERIOD_MS;
      return this.#token = token;
    } catch (error) {
      if (this.#token === undefined) throw error;
      this.#freshUntilMs = this.#clock.monotonicMs() + TOKEN_FILE_RETRY_MS;
      log.warn("Keeping the last token: {reason}", { reason: errorText(error) });
      return this.#token;
    }
  }
}

/**
 * Reads a token file once; white space around the token does not count.
 *
 * @throws {ConfigError} When the file cannot be read, or does not hold one token.
 */
export async function readTokenFile(path: string, host: Pick<Host, "readFile">): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await host.readFile(path);
  } catch (error) {
    throw unreadable("token file", path, error);
  }
  const token = new TextDecoder().decode(bytes).trim();
  const fault = token === "" ? "it is empty" : bearerFault(token);
  if (fault) throw refused(`token file ${path}`, fault, "write one bearer token into it");
  return token;
}
