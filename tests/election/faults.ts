import type { Random } from "../../lib/apimachinery/base/time/random.ts";
import type { ReplicaProcess } from "./replica_process.ts";
import { TIMING } from "./replica.ts";

/** A fault of one replica in an election run, such as a pause of its process. */
export interface ReplicaFault {
  /** The description of the fault for people, with its durations. */
  readonly text: string;
  /** The time from the start to the end of the fault, in milliseconds. */
  readonly holdMs: number;
  /** Starts the fault on a replica. */
  readonly begin: (replica: ReplicaProcess) => void | Promise<void>;
  /** Ends the fault on a replica. A process that ended meanwhile is restarted anyway. */
  readonly end: (replica: ReplicaProcess) => void | Promise<void>;
}

const HOUR_MS = 3_600_000;

/** Returns one replica fault of each kind in random order; most outlast the Lease's duration. */
export function deckOfFaults(random: Random): ReplicaFault[] {
  const between = (leastMs: number, mostMs: number): number =>
    Math.round(leastMs + random.next() * (mostMs - leastMs));
  const { leaseDurationMs } = TIMING;
  const past = (): number => between(leaseDurationMs + 200, leaseDurationMs + 1_500);
  const deck = [
    kill(between(0, 1_000)),
    pause(past()),
    pause(between(500, leaseDurationMs)),
    stall(past()),
    cut(past()),
    slow(past(), between(20, 400)),
    spin(past(), false),
    spin(past(), true),
    skew(between(1_000, 3_000), random.next() < 0.5 ? HOUR_MS : -HOUR_MS),
    handOver(),
  ];
  for (let last = deck.length - 1; last > 0; last--) {
    const other = Math.floor(random.next() * (last + 1));
    [deck[last], deck[other]] = [deck[other]!, deck[last]!];
  }
  return deck;
}

function kill(holdMs: number): ReplicaFault {
  return {
    text: "SIGKILL",
    holdMs,
    begin: async (replica) => {
      replica.restarts = false;
      await replica.kill();
    },
    end: (replica) => void (replica.restarts = true),
  };
}

function pause(holdMs: number): ReplicaFault {
  return {
    text: `SIGSTOP, SIGCONT after ${holdMs} ms`,
    holdMs,
    begin: (replica) => replica.signal("STOP"),
    end: (replica) => replica.signal("CONT"),
  };
}

/** Returns a fault that holds back the bytes of a replica's connections until the fault ends. */
function stall(holdMs: number): ReplicaFault {
  return {
    text: `no byte passes for ${holdMs} ms`,
    holdMs,
    begin: (replica) => replica.proxy.stall(),
    end: (replica) => replica.proxy.resume(),
  };
}

function cut(holdMs: number): ReplicaFault {
  return {
    text: `the network is cut for ${holdMs} ms`,
    holdMs,
    begin: async ({ proxy }) => {
      await proxy.refuse();
      proxy.cutAll();
    },
    end: (replica) => replica.proxy.resume(),
  };
}

function slow(holdMs: number, delayMs: number): ReplicaFault {
  return {
    text: `${delayMs} ms of delay each way for ${holdMs} ms`,
    holdMs,
    begin: (replica) => replica.proxy.delay(delayMs),
    end: (replica) => replica.proxy.delay(0),
  };
}

function spin(spinMs: number, spinAfterStart: boolean): ReplicaFault {
  return {
    text: `a reconciler holds the event loop for ${spinMs} ms, ${
      spinAfterStart ? "after a write has started" : "before it writes"
    }`,
    holdMs: spinMs + 1_000,
    begin: (replica) => replica.order({ spinMs, spinAfterStart }),
    end: () => {},
  };
}

function skew(holdMs: number, skewMs: number): ReplicaFault {
  return {
    text: `the wall clock is off by ${skewMs / HOUR_MS} h for ${holdMs} ms`,
    holdMs,
    begin: (replica) => replica.order({ skewMs }),
    end: (replica) => replica.order({ skewMs: 0 }),
  };
}

function handOver(): ReplicaFault {
  return {
    text: "SIGTERM",
    holdMs: 1_000,
    begin: (replica) => replica.signal("TERM"),
    end: () => {},
  };
}
