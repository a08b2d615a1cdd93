import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, type Host, systemHost } from "@xca/apimachinery/base";
import { refused, unreadable } from "./config_place.ts";
import { bearerFault } from "./header_value.ts";
import { REFRESH_RETRY_MS, Refreshed } from "./refreshed.ts";

const log = getLogger(["xca", "client", "credentials"]);

/** Options of the class {@linkcode TokenFile}, which reads a bearer token from a file. */
export interface TokenFileOptions {
  /**
   * The clock that measures the age of the token that was read from the file.
   *
   * @default {systemClock}
   */
  readonly clock?: Clock;
  /** The interface to the operating system that reads the token file. @default {systemHost} */
  readonly host?: Pick<Host, "readFile">;
  /**
   * The token of the configuration: used for {@linkcode REFRESH_RETRY_MS}, and for as long as the
   * token file cannot be read.
   *
   * @default none: the first call reads the file
   */
  readonly token?: string;
}

/**
 * A bearer token in a file that is replaced from time to time, as the kubelet replaces the token of
 * a service account. The class keeps the last token while the file cannot be read, and logs a
 * warning.
 */
export class TokenFile {
  readonly #token: Refreshed<string>;

  constructor(path: string, { clock, host = systemHost, token }: TokenFileOptions = {}) {
    this.#token = new Refreshed<string>({
      read: () => readTokenFile(path, host),
      onKept: (error) => log.warn("Keeping the last token: {reason}", { reason: errorText(error) }),
      initial: token,
      initialMs: REFRESH_RETRY_MS,
      clock,
    });
  }

  /**
   * Returns the bearer token of the last read of the token file, after reading the file again when
   * that read is older than {@linkcode REFRESH_PERIOD_MS}.
   *
   * @throws {ConfigError} When the file cannot be read and no token is known.
   */
  async token(): Promise<string> {
    return await this.#token.current();
  }

  /**
   * Reads the token file now and returns its token; the last token when the file cannot be read.
   * Concurrent calls share one read. Rejects with a ConfigError when the file cannot be read and no
   * token is known.
   */
  read(): Promise<string> {
    return this.#token.refresh();
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
