import type { Proxy } from "../../config/proxy.ts";

/**
 * The error of a proxy that refused or failed. The message has the proxy's address, without its
 * password, and the reason.
 */
export class ProxyError extends Error {
  /** The name of this error class, `ProxyError`. */
  override readonly name = "ProxyError";
  /** The code `EPROXY`, which distinguishes the error from those of the server behind the proxy. */
  readonly code = "EPROXY";
  /** The host and port of the proxy that failed. */
  readonly proxy: string;
  /** Reports whether the proxy's failure may be temporary. */
  readonly mayPass: boolean;

  /**
   * Creates the error of a proxy that refused or failed; `reason` follows the address of the proxy.
   */
  constructor(
    proxy: Proxy,
    reason: string,
    options: ErrorOptions & { readonly mayPass: boolean },
  ) {
    super(`the proxy ${proxy.shown} ${reason}`, options);
    this.proxy = proxy.authority;
    this.mayPass = options.mayPass;
  }
}
