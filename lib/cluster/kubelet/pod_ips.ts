/** The addresses of pods, one network of 254 addresses per node. */
export class PodIps {
  /** The UID of the pod that has an address, by address. */
  readonly #owners = new Map<string, string>();
  /** The address of a pod, by UID. */
  readonly #addresses = new Map<string, string>();

  /** Notes an address that a pod has already. */
  keep(uid: string, ip: string): void {
    this.#owners.set(ip, uid);
    this.#addresses.set(uid, ip);
  }

  /** Frees the address of a pod. */
  release(uid: string): void {
    const ip = this.#addresses.get(uid);
    if (ip === undefined) return;
    this.#addresses.delete(uid);
    if (this.#owners.get(ip) === uid) this.#owners.delete(ip);
  }

  /**
   * Returns the address of a pod, from the network of its node (such as `10.244.3.0/24`) if it has
   * none.
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
