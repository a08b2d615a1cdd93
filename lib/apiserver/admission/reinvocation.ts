import type { AdmissionRequest } from "../machinery/admission.ts";

/**
 * Who changed the object of one write, so that some are called again: a plugin is asked a second time
 * when any changed something, and then calls those that want to see what was changed after them.
 */
export class Reinvocation {
  /** Those called so far that want to see what others change after them. */
  readonly #previous = new Set<string>();
  /** Those of them after which something was changed. */
  readonly #due = new Set<string>();
  /** The object as the plugin left it. */
  #output: string | undefined;
  #again = false;

  /** The plugin is asked once more; what others changed meanwhile makes those called before due. */
  beginAgain(request: AdmissionRequest): void {
    this.#again = true;
    if (this.#output !== JSON.stringify(request.object)) this.noteChange();
  }

  /** Whether this one is not to be called now. */
  skips(key: string): boolean {
    return this.#again && !this.#due.has(key);
  }

  /** This one was called, and wants to see what is changed after it. */
  noteCall(key: string): void {
    this.#previous.add(key);
  }

  /** Something was changed: all that were called before are to see it. */
  noteChange(): void {
    for (const key of this.#previous) this.#due.add(key);
    this.#previous.clear();
  }

  /** The plugin is done for now. */
  end(request: AdmissionRequest): void {
    this.#output = JSON.stringify(request.object);
  }
}

/** The reinvocations of one plugin, by write. */
export class Reinvocations {
  readonly #ofRequests = new WeakMap<AdmissionRequest, Reinvocation>();

  /** Begins the first or the second time that the plugin is asked of a write. */
  begin(request: AdmissionRequest): Reinvocation {
    let found = this.#ofRequests.get(request);
    if (found) found.beginAgain(request);
    else this.#ofRequests.set(request, found = new Reinvocation());
    return found;
  }
}
