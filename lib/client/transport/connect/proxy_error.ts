import type { Proxy } from "../../config/proxy.ts";

/** A proxy did not let us through. The message names it, without its password, and its reason. */
export class ProxyError extends Error {
  /** The error's name, the same for every instance. */
  override readonly name = "ProxyError";
  /** Tells it from what the server behind it does. */
  readonly code = "EPROXY";
  /** The proxy's host and port. */
  readonly proxy: string;
  /** Whether it may pass by itself. */
  readonly mayPass: boolean;

  /** Makes the error; `reason` follows the proxy's address. */
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
