/** The kind of read that returned a state. */
export type Witness = "answer" | "get" | "list" | "watch";

/** An observed state that the server did not have after its next start. */
export interface LostState {
  readonly key: string;
  readonly witness: Witness;
  readonly step: number;
  readonly found: number;
}

/**
 * The newest step of each key that was seen before a kill. One writer at a time writes a key, step
 * by step, so that the state of a later step stands for all steps before it.
 */
export class SeenStates {
  /** The number of observations of states. */
  count = 0;
  #newest = new Map<string, { readonly step: number; readonly witness: Witness }>();

  /** Records an observation of the state after a step. */
  note(key: string, step: number, witness: Witness): void {
    this.count++;
    const before = this.#newest.get(key);
    if (!before || before.step < step) this.#newest.set(key, { step, witness });
  }

  /** The states that were seen and are gone, given the step that each key is at now; forgets all. */
  lost(current: ReadonlyMap<string, number>): LostState[] {
    const lost = [...this.#newest].flatMap(([key, { step, witness }]) => {
      const found = current.get(key) ?? 0;
      return found < step ? [{ key, witness, step, found }] : [];
    });
    this.#newest = new Map();
    return lost;
  }
}
