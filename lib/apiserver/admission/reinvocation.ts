import type { AdmissionRequest } from "../machinery/admission.ts";

/**
 * Tracks which plugins and webhooks changed the object of one write, to decide which ones are
 * called a second time: those that asked for reinvocation and were called before a later change.
 */
export class Reinvocation {
  /** The webhooks or policies called so far that asked for reinvocation. */
  readonly #previous = new Set<string>();
  /** The plugins that a later change makes due. */
  readonly #due = new Set<string>();
  /** The object as it was when the plugin ended its last round. */
  #output: string | undefined;
  #again = false;

  /** Begins the second round. A change by another plugin makes all earlier calls due. */
  beginAgain(request: AdmissionRequest): void {
    this.#again = true;
    if (this.#output !== JSON.stringify(request.object)) this.noteChange();
  }

  /** Reports whether this webhook or policy is not called in this round. */
  skips(key: string): boolean {
    return this.#again && !this.#due.has(key);
  }

  /** Records a call of a webhook or policy that asked for reinvocation. */
  noteCall(key: string): void {
    this.#previous.add(key);
  }

  /** Records a change of the object, which makes all earlier calls due. */
  noteChange(): void {
    for (const key of this.#previous) this.#due.add(key);
    this.#previous.clear();
  }

  /** Ends the round. */
  end(request: AdmissionRequest): void {
    this.#output = JSON.stringify(request.object);
  }
}

/** The reinvocations of one plugin, by write. */
export class Reinvocations {
  readonly #ofRequests = new WeakMap<AdmissionRequest, Reinvocation>();

  /** Begins the first or the second round of a write. */
  begin(request: AdmissionRequest): Reinvocation {
    let found = this.#ofRequests.get(request);
    if (found) found.beginAgain(request);
    else this.#ofRequests.set(request, found = new Reinvocation());
    return found;
  }
}
