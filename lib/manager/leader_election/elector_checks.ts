import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { isDnsSubdomain } from "@xca/apimachinery/internal/meta";
import { isDnsLabel, isQualifiedName } from "@xca/apimachinery/meta";
import type { LeaderElectorOptions } from "./leader_elector_options.ts";

/** The names of the options that an elector and the leader election of a manager have in common. */
export const ELECTION_OPTIONS = {
  namespace: true,
  name: true,
  identity: true,
  coordinated: { binaryVersion: true, emulationVersion: true, strategy: true },
  labels: true,
  onNewLeader: true,
  metrics: true,
  leaseDurationMs: true,
  renewDeadlineMs: true,
  retryPeriodMs: true,
} as const;

/** The names of all options of {@linkcode LeaderElector}. */
const ELECTOR_OPTIONS: OptionNames<LeaderElectorOptions> = {
  ...ELECTION_OPTIONS,
  client: true,
  clock: true,
  random: true,
};

/**
 * Checks the options of an elector, except for the durations and the versions of a coordinated
 * election. The server would refuse a wrong name with each attempt, so that no candidate would ever
 * lead.
 *
 * @throws {TypeError} When an option is unknown or of the wrong type, the identity is empty, or the
 * name, the namespace or a label cannot be that of a Lease.
 */
export function checkElectorOptions(options: LeaderElectorOptions): void {
  const failure = "Cannot elect a leader";
  checkOptionNames(failure, options, ELECTOR_OPTIONS);
  const { namespace, name, identity, coordinated, labels = {}, onNewLeader } = options;
  for (const [field, value] of Object.entries({ namespace, name, identity })) {
    if (!value) throw new TypeError(`${failure}: ${field} is empty`);
  }
  const refuse = (field: string, value: unknown, rule: string): never => {
    throw new TypeError(`${failure}: ${field} is ${text(value)}; ${rule}`);
  };
  if (!isDnsLabel(namespace)) refuse("namespace", namespace, "give the name of a namespace");
  if (!isObjectName(name)) {
    refuse("name", name, "give the name of a Lease, such as my-operator.example.org");
  }
  if (typeof identity !== "string") refuse("identity", identity, "give a text");
  // It is the name of the LeaseCandidate.
  if (coordinated && !isObjectName(identity)) {
    refuse(
      "identity",
      identity,
      "a coordinated election needs the name of an object, such as web-0",
    );
  }
  for (const [key, value] of Object.entries(labels)) {
    if (!isQualifiedName(key)) refuse("a key of labels", key, "give the key of a label");
    const isValue = typeof value === "string" && (value === "" || isQualifiedName(value)) &&
      !value.includes("/");
    if (!isValue) refuse(`the label ${key}`, value, "give the value of a label");
  }
  if (onNewLeader !== undefined && typeof onNewLeader !== "function") {
    refuse("onNewLeader", onNewLeader, "give a function");
  }
}

/** Reports whether a value may be the name of an object, as most kinds require. */
function isObjectName(value: unknown): boolean {
  return typeof value === "string" && isDnsSubdomain(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
