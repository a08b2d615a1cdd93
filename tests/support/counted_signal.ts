/** An abort controller whose signal counts its listeners. */
export interface CountedSignal {
  /** The controller of the signal. */
  readonly controller: AbortController;
  /** The number of listeners of the signal that were added and not removed. */
  readonly listeners: number;
}

/** Creates an abort controller whose signal counts its listeners. */
export function countedSignal(): CountedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const { addEventListener, removeEventListener } = signal;
  let listeners = 0;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, args);
  };
  return {
    controller,
    get listeners() {
      return listeners;
    },
  };
}
