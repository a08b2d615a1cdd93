import { SCRIPT } from "../scenarios/parts.ts";

/** The fields of a pod template that a step sets; absent fields are unchanged. */
export interface TemplateEdit {
  readonly image?: string;
  /** The value of the label `tier`. */
  readonly tier?: string;
  /** The CPU request of the container. */
  readonly cpu?: string;
  /** The script of the container: a name of {@linkcode SCRIPTS}; `null` for none. */
  readonly script?: keyof typeof SCRIPTS | null;
}

/** The container scripts of random scenarios, by their names. */
export const SCRIPTS = {
  "never ready": { readyAfterMs: "never" },
  "ready later": { readyAfterMs: 1000 },
  succeeds: { runMs: 0 },
  fails: { runMs: 0, exitCode: 1 },
  "runs on": { runMs: 3_600_000 },
} as const;

/** The fields of a pod template with one container. */
export interface PodTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string | null>>;
  };
  readonly spec: { readonly containers: readonly unknown[] };
}

/** Returns the pod template fields that an edit sets. */
export function templateOf({ image, tier, cpu, script }: TemplateEdit): PodTemplate {
  const text = script && JSON.stringify({ "*": SCRIPTS[script] });
  return {
    metadata: {
      labels: tier === undefined ? {} : { tier },
      annotations: text === undefined ? {} : { [SCRIPT]: text },
    },
    spec: {
      containers: [{
        name: "app",
        ...image !== undefined && { image },
        ...cpu !== undefined && { resources: { requests: { cpu } } },
      }],
    },
  };
}
