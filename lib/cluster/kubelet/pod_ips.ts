/** The allocator of pod IP addresses, with one network of 254 addresses per node. */
export class PodIps {
  /** The UIDs of the pods that have an IP address, by address. */
  readonly #owners = new Map<string, string>();
  /** The IP addresses of pods, by the UID of the pod. */
  readonly #addresses = new Map<string, string>();

  /** Records the IP address that a pod already has. */
  keep(uid: string, ip: string): void {
    this.#owners.set(ip, uid);
    this.#addresses.set(uid, ip);
  }

  /** Frees the IP address of a pod. */
  release(uid: string): void {
    const ip = this.#addresses.get(uid);
    if (ip === undefined) return;
    this.#addresses.delete(uid);
    if (this.#owners.get(ip) === uid) this.#owners.delete(ip);
  }

  /**
   * Returns the IP address of a pod; allocates one from the network of its node (such as
   * `10.244.3.0/24`) if the pod has none.
   *
   * @throws {Error} When the network has no free address.
   */
  of(uid: string, cidr: string): string {
    const known = this.#addresses.get(uid);
    if (known !== undefined) return known;
    const prefix = cidr.slice(0, cidr.lastIndexOf(".") + 1);
    for (let host = 1; host < 255; host++) {
      const ip = `${prefix}${host}`;
      if (this.#owners.has(ip)) continue;
      this.keep(uid, ip);
      return ip;
    }
    throw new Error(`Cannot give a pod an address: ${cidr} has no free one`);
  }
}
