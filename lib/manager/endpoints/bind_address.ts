/**
 * The host and the port that a server of the manager listens on: the result of {@linkcode
 * parseBindAddress}.
 */
export interface BindAddress {
  /** The host in a server's listening address; empty for all addresses of the machine. */
  readonly hostname: string;
  /** The port in a server's listening address; 0 for a free port. */
  readonly port: number;
}

/**
 * Parses an address that a server listens on, as the flags of kubebuilder write it: `:8443` for all
 * addresses, `127.0.0.1:8443`, `[::1]:8443`. Returns `undefined` for `0` and for the empty text,
 * which turn the server off.
 *
 * @throws {TypeError} When the text is not such an address.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseBindAddress } from "@xca/operator/manager";
 *
 * assert.deepEqual(parseBindAddress(":8443"), { hostname: "", port: 8443 });
 * assert.deepEqual(parseBindAddress("[::1]:0"), { hostname: "::1", port: 0 });
 * assert.equal(parseBindAddress("0"), undefined);
 * ```
 */
export function parseBindAddress(text: string): BindAddress | undefined {
  if (text === "0" || text === "") return undefined;
  const [, six, other, digits] = /^(?:\[([0-9a-fA-F:.%]+)\]|([^\s:[\]/]*)):(\d{1,5})$/.exec(text) ??
    [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new TypeError(
      `Cannot listen on ${
        JSON.stringify(text)
      }: an address is host:port or :port with a port up to ` +
        `65535, such as :8443 or 127.0.0.1:8443; 0 turns the server off`,
    );
  }
  return { hostname: six ?? other ?? "", port };
}

/**
 * Reports whether the host of a listening address is `localhost` or a loopback address, which only
 * processes of this machine can reach.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.\d+){3}$/.test(hostname);
}
