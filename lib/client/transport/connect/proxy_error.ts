import type { Proxy } from "../../config/proxy.ts";

/**
 * A proxy that refused or failed. The message has its address, without its password, and the
 * reason.
 */
export class ProxyError extends Error {
  /** The name of the error. */
  override readonly name = "ProxyError";
  /** Distinguishes the error from those of the server behind the proxy. */
  readonly code = "EPROXY";
  /** The host and port of the proxy. */
  readonly proxy: string;
  /** Whether the failure may be temporary. */
  readonly mayPass: boolean;

  /** Creates the error; `reason` follows the address of the proxy. */
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
