import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, type Host, systemClock, systemHost } from "@xca/apimachinery/base";
import { refused, unreadable } from "./config_place.ts";
import { bearerFault } from "./header_value.ts";

/** The time after which a token file is read again, in milliseconds, as in client-go. */
export const TOKEN_FILE_PERIOD_MS = 60_000;
/** The time after a failed read until the next one, in milliseconds. */
export const TOKEN_FILE_RETRY_MS = 10_000;

const log = getLogger(["xca", "client", "credentials"]);

/** Options of a {@linkcode TokenFile}. */
export interface TokenFileOptions {
  /** The source of time. */
  readonly clock?: Clock;
  /** The machine that reads the file. */
  readonly host?: Pick<Host, "readFile">;
  /**
   * The token of the configuration: used for {@linkcode TOKEN_FILE_RETRY_MS}, and for as long as
   * the file cannot be read.
   */
  readonly token?: string;
}

/**
 * A bearer token in a file that is replaced from time to time, as the kubelet replaces the token of
 * a service account. The last token is kept while the file cannot be read.
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
   * Returns the token. Reads the file when it has not been read for
   * {@linkcode TOKEN_FILE_PERIOD_MS}.
   *
   * @throws {ConfigError} When the file cannot be read and no token is known.
   */
  async token(): Promise<string> {
    if (this.#token !== undefined && this.#clock.monotonicMs() < this.#freshUntilMs) {
      return this.#token;
    }
    return await this.read();
  }

  /** Reads the file and returns its token; concurrent calls share one read. */
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
 * Reads a token file and returns its token without the white space around it.
 *
 * @throws {ConfigError} When the file cannot be read, or does not contain exactly one token.
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
