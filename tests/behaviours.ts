/**
 * The behaviours that other projects' test suites assert (B), the faults that their users met (F),
 * and the bad inputs that must end in a clear message (I). Each row has the tests that show it
 * here, or the reason why there is none. `behaviours_test.ts` fails on a gap.
 *
 * @module
 */

/** The names of the tests that show a row, or the reason why none does. */
export type Row = readonly string[] | string;

/** Behaviours of work queue, cache, controller, manager, election, events. */
export const BEHAVIOURS: Readonly<Record<string, Row>> = {
  B1: [
    "B1 add() of a queued key only calls onTouch",
  ],
  B2: [
    "B2 a key added while being processed goes to the end of the queue when done",
    "B2 add() of a key being processed delivers it once more after done, without onTouch",
  ],
  B3: [
    "B3 50 producers and 10 consumers: all keys are delivered, the queue is empty, later adds are dropped",
  ],
  B4: [
    "B4 keys queued at the shutdown are still handed out",
    "B4 shutDown() returns at once with keys being processed; get() then reports the shutdown",
  ],
  B5: [
    "B5 shutDownWithDrain() waits for queued keys too, and not for an empty queue",
    "B5 shutDownWithDrain() waits until every key being processed is done",
  ],
  B6: [
    "B6 a drain hands out once more the keys added again while being processed",
  ],
  B7: [
    "B7 a later shutDown() ends a pending drain",
  ],
  B8: [
    "B8 a finished key is not retained",
  ],
  B9: [
    "B9 a timer that fires early releases nothing early",
    "B9 addAfter() fires only after its delay, and once",
  ],
  B10: [
    "B10 the earlier of two addAfter() counts, in either order of the calls",
  ],
  B11: [
    "B11 a thousand keys with random delays, some hastened: ready order, one timer",
    "B11 keys are queued in the order of their times, not of the calls",
  ],
  B12: [
    "B12 the exponential limiter doubles per key, and forget() resets it",
  ],
  B13: [
    "B13 the exponential limiter stays at its maximum through every overflow",
  ],
  B14: [
    "B14 MaxOfLimiter takes the longest delay and the largest count, and forgets in all limiters",
    "B14 MaxWaitLimiter limits the delays of another limiter",
    "B14 the fast-slow limiter is fast N times, then slow",
  ],
  B15: [
    "B15 adds and depth: merged adds do not count, five during the work count as one",
    "B15 latency of a key given straight to a waiting get is zero",
    "B15 latency runs from add to get, also over the work before; work time from get to done",
    "B15 no metric is updated after shutdown, and no timer is left",
    "B15 unfinished work and longest running change by tick, and fall back to zero",
  ],
  B16: [
    "B16 of several adds of a key the highest priority and the earliest time count",
  ],
  B17: [
    "B17 a key whose priority is raised goes to the end of its new priority",
  ],
  B18: [
    "B18 a waiting key counts neither in len nor in depth, and is ordered by when it is ready",
  ],
  B19: [
    "B19 an add of a waiting key queues it at once, and a delay does not postpone a queued key",
  ],
  B20: [
    "B20 a key of a high priority that becomes ready precedes queued keys of a lower one",
  ],
  B21: [
    "B21 a key with a worker is queued meanwhile at the highest priority, and handed out when done",
  ],
  B22: [
    "B22 a get that waits is served by an add, by a key that becomes ready, and by a shutdown",
  ],
  B23: [
    "B23 each of several failed keys waits for its own delay, and keeps its priority",
  ],
  B24: [
    "B24 five priorities of a thousand keys are handed out by priority, in order: ${how}",
  ],
  B25: [
    "B25 random steps: a queue with priorities behaves as its model, ${how}",
  ],
  B26: [
    "B26 retries counts every add with a delay, and adds counts a key when it becomes ready",
  ],
  B27: [
    "B27 B29 B65 random calls of a reflector, with handlers added and removed: the view of every handler becomes the store",
    "B27 deltas of one key are collected and popped together, at the position of the first",
  ],
  B28: [
    "B28 a deletion is queued while a replacement that may have its key is pending",
    "B28 a deletion of an unknown key queues nothing; one of a stored or queued key is queued",
  ],
  B29: [
    "B29 F24 a missed deletion is reported with the last known state, and as such",
  ],
  B30: [
    "B30 a late deletion of another object with that name does not replace the deletion",
    "B30 of two consecutive deletions of one object the later one remains",
  ],
  B31: [
    "B31 a replacement behind a queued deletion restores the object",
  ],
  B32: [
    "B32 a resync omits keys with queued deltas, and cannot restore a deleted object",
  ],
  B33: [
    "B33 synced is true at once after a first replacement by nothing, unless an object is known",
    "B33 synced is true after a first replacement only once it is processed",
    "B33 synced is false at first, true after a first add, and never false again",
  ],
  B34: [
    "B34 close() ends every waiting pop(); queued items may still be popped",
    "B34 keyOf() and deletionKeyOf() accept objects, observed objects and tombstones",
    "B34 keyOf() accepts the items that the FIFO returns",
  ],
  B35: [
    "B35 B64 handlers, store and tombstones have the result of a transform, which runs once per version",
    "B35 a transform runs once per version, before an object is stored, and on whole objects",
  ],
  B36: "By design: deltas are kept per key; the order across keys is not promised.",
  B37: [
    "B37 a replacement, a resync and a bookmark are one item each, in order",
  ],
  B38: [
    "B38 an index function that throws: an error with index and key, after the complete change",
    "B38 multi-valued index functions update on change, and empty sets are removed",
  ],
  B39: [
    "B39 the store's resourceVersion is empty at first, and rises with every kind of change",
  ],
  B40: [
    "B40 a replace whose iterable throws changes nothing",
    "B40 errors of index functions in a replace are reported, and everything else is applied",
  ],
  B41: [
    "B41 a deletion, or another UID under the same name, ends the wait",
    "B41 an object deleted before the answer to its write delays no key",
    "B41 the version written, or a newer one, ends the wait; an older one does not",
  ],
  B42: [
    "B42 the first list requests version 0 in pages of 500; the watch begins at the list's version with bookmarks",
  ],
  B43: [
    "B43 a relist requests the last version seen, and the newest once that is expired",
    "B43 after a list of the newest version the next relist requests the last version again",
  ],
  B44: [
    "B44 a configured page size is always requested",
    "B44 a relist at a known version is not paged, so that servers answer from their cache",
    "B44 a relist is paged if the first list came in pages, and all pages are collected",
  ],
  B45: [
    "B45 F08 an expired second page: the whole list at the version of the first request, without pages of the old one",
  ],
  B46: [
    "B46 F11 a version that the server calls malformed is not requested again",
    "B46 F11 a version too large, reported ${shape}: the newest is requested at once",
    "B46 F11 a watch at a version too large lists the newest",
  ],
  B47: [
    "B47 the server receives that timeout",
    "B47 the timeout of a watch is random in [300, 600) s; a smaller minimum is ignored, a larger one doubles",
  ],
  B48: [
    "B48 429 as an ERROR event backs off too, and its Retry-After is honored",
    "B48 a refused connection and 429 back off and watch again at the same version: 1 list, 5 watches",
  ],
  B49: [
    "B49 InternalErrors are tolerated for the configured time only: 30 s in steps of 1 s are 31 attempts; a long gap resets it",
    "B49 an InternalError inside the stream is resumed while it is tolerated, then the state is listed",
    "B49 without tolerance an InternalError lists again at once",
  ],
  B50: [
    "B50 Backoff doubles to its cap, with jitter, and resets after a quiet time",
    "B50 the pause doubles to its cap, with jitter, and is short again after a quiet period",
  ],
  B51: [
    "B51 an object that the server cannot read from storage: listed again, replaced, the others kept",
  ],
  B52: [
    "B52 an event of another kind, a Table among them, is reported and left out",
    "B52 every event advances the version, bookmarks and deletions too",
    "B52 objects of another kind, version or group are refused",
  ],
  B53: [
    "B53 the initial state is streamed: sendInitialEvents, NotOlderThan, no version first, bookmarks; no LIST",
    "B53 the stream continues after its initial events; a later one begins at the last version seen",
  ],
  B54: [
    "B54 only a bookmark annotated exactly true ends the initial events; changes before it are applied",
  ],
  B55: [
    "B55 a stream cut after that bookmark: a plain watch from the last version",
    "B55 a stream cut before that bookmark: a new one, with nothing kept of the first",
  ],
  B56: [
    "B56 ${how} retries WatchList after a pause, without LIST",
    "B56 WatchList refused ${how}: LIST and WATCH, and WatchList is tried again next time",
    "B56 a server that fails each WatchList receives one LIST in between, so that it cannot starve the cache",
    "B56 expired on an established watch: started again; expired as an answer: the newest is requested at once",
  ],
  B57: [
    "B57 a warning about the missing bookmark every 10 s, with another text once events arrived",
  ],
  B58: [
    "B58 a handler's own period 0 overrides the informer's; the timer of a removed handler is cleared",
    "B58 a resync reports the stored version as old and current, for stored keys",
    "B58 handlers receive the initial objects once, then resyncs at their own periods, with one timer for all",
    "B58 with a resync period each object is reconciled again without a change",
  ],
  B59: [
    "B59 after a gap, handlers are notified of changes; one with a resync period of every object",
  ],
  B60: [
    "B60 a late handler is notified of all existing objects, then of changes",
    "B60 a late handler receives the whole cache, and is synced only once it has processed it",
    "B60 handlers added before, during and after the first list receive each object once",
  ],
  B61: [
    "B61 adding a handler after the stop throws; removing one is allowed",
    "B61 removing a handler from one informer does not affect another informer",
    "B61 the same handler may be added twice; removal is by registration, and harmless when repeated",
  ],
  B62: [
    "B62 remove() returns while a call runs; removeAndWait() waits for its end",
    "B62 removeAndWait() returns at once if the informer never ran",
  ],
  B63: [
    "B63 F35 a handler that throws is logged once per event, pauses for a second, and delays no other",
  ],
  B64: [
    "B64 an index function that throws is reported; the object is stored and handlers are notified",
    "B64 errors of list and watch are passed to onError",
    "B64 indexers added after the start answer at once",
  ],
  B65: [
    "B65 a relist is reported as additions, updates and deletions against the old store, which is replaced first",
    "B65 objects of a relist into an emptied store are additions for every handler, behind queued changes",
  ],
  // There is no watcher that retries by itself: the reflector does, which lists where that one ends.
  B66: [
    "B66 5xx and timeouts at the request are retried at the same version; 410 lists",
    "B66 a cut resumes after the last version, without a pause if the stream had brought an event",
    "B66 events seen before are left out, newer ones are processed",
  ],
  B67: [
    "B67 B68 F26 F36 F38 under random events and failures no key runs twice at once and no change is lost",
    "B67 a failed run is retried with a back-off that doubles",
    "B67 an invalid requeueAfterMs is an error",
    "B67 a run that succeeds forgets earlier failures",
    "B67 a terminal error is not retried until something changes",
    "B67 a retryAfter error is retried after its delay, and other failures keep their back-off",
    "B67 an event runs a key before the time of its retryAfter error",
    "B67 retryAfter() refuses invalid delays, and its errors are recognized across copies of the library",
    "B67 a terminal error of another copy of the library is recognized",
    "B67 requeueAfterMs forgets earlier failures, then waits that long",
  ],
  B68: [
    "B68 a cache that does not sync in time fails the start and is named",
    "B68 a second start is an error",
    "B68 a cache sync that takes too long is logged as an error with the resource",
    "B68 no run starts before the initial objects of every source are handled",
    "B68 the timeout metric counts only runs that exceed their own deadline",
  ],
  B69: [
    "B69 groups start in order, each when the one before is ready, and stop in the reverse order",
    "B69 a runnable that names no group is work of the leader",
    "B69 a runnable and an operator that are added while the manager runs start at once",
    "B69 nothing starts when one part cannot be set up, and what was set up is disposed",
    "B69 the error of a runnable stops all, and names the runnable; a thrown stop is no error",
    "B69 a runnable that throws at once, or that ends by itself, breaks nothing",
    "B69 a runnable that is not ready in time ends the manager",
    "B69 a stop waits for all within the grace period, and then names what has not ended",
    "B69 the lease is released only after the leader's runnables have ended",
  ],
  B70: [
    "B70 applyChild() refuses a cluster-scoped child and one in another namespace, and sends nothing",
    "B70 a namespaced owner of a cluster-scoped object leads to no key",
    "B70 a deleted object leads to its owner; a cluster-scoped owner has no namespace",
    "B70 an owned object leads to its controller: group and kind must match, the version may differ",
    "B70 an update is mapped with the old and with the new object",
    "B70 refersTo() matches group and kind, whatever the version",
    "B70 setControllerReference() refuses a second controller, another namespace, and a namespaced owner of a cluster-scoped object",
    "B70 with anyOwner every owner counts, and an owner that is named twice is enqueued once",
  ],
  B71: [
    "B71 the first candidate creates the Lease, with times of six digits",
    "B71 a leader renews by updates without a read, and keeps its acquire time",
    "B71 a standby never takes the lease of a live leader, and takes it after its death",
    "B71 candidates that start together: one leads, and the others do not warn",
    "B71 the lease is renewed while the work of a stopped leader ends",
    "B71 a holder that names no duration keeps its lease for the duration of the candidate",
    "B71 impossible durations are refused by name and rule",
  ],
  B72: [
    "B72 a server accepts events and their series, in both of its APIs for events",
    "B72 what a reconciler records is written by the end of the operator, under the name of the controller",
    "B72 events are refused by the gate of the operator as other writes are",
    "B72 one run writes its events before it ends",
    "B72 an event has the fields that kube-apiserver requires",
    "B72 an event about an object without a namespace is in the namespace default",
    "B72 a repeated event counts by patch: at its first repetition, each half hour, and at its end",
    "B72 from the tenth different note within ten minutes on, similar events are one",
    "B72 about one object 25 events are written at once, then one every five minutes",
    "B72 an event that has expired is created anew, with its count",
    "B72 record() never throws: an event that the server would refuse is dropped",
    "B72 a long note is cut at the end of a character, and a name that is too long is replaced",
    "B72 a server that does not answer delays events and loses none; a refusal drops one",
    "B72 an event whose answer was lost is not written twice",
    "B72 no event is written that the gate does not admit",
    "B72 a dry run writes no event",
    "B72 the end writes the counts that are left, and waits for a silent server five seconds",
  ],
  B73:
    "By design: the embedded API server takes the place of a fake client; tests/conformance holds it to kube-apiserver.",
  B74: "By design: the work queue merges and delays keys (B1, B2, B10); it has no debounce window.",
  B75:
    "By design: own writes are not filtered from events; a key waits for a cache that shows its own write, see F26.",
};

/** Faults of the watch's transport, the server's state, the run time, and the edges. */
export const FAULTS: Readonly<Record<string, Row>> = {
  F01: [
    "F01 TCP is asked to probe a silent peer often enough to give it up within 55 s, on Linux",
    "F01 TCP does not probe an active peer, nor a closed socket",
    "F01 the watch of a silent peer ends at the idle deadline, and resumes without a list",
    "F01 a suspended process does not mistake its own silence for that of the server",
    "F01 a proxy that stops passing bytes (${how}): a silent watch ends within a minute",
    "F01 a stream of an unreachable server ends within 48 s of its last byte",
    "F01 a silent stream of a reachable server continues, with one probe each half minute",
    "F01 a stream cut for its silence is resumed after the last version, logged and reported",
    "F01 an active stream is never ended, and needs one probe at most",
    "F01 a stream that sent a bookmark and then nothing for 90 s is considered dead: resumed at once",
    "F01 a watch function that falls silent is abandoned at the idle deadline, and stopping never waits for one",
    "F01 a watch that a load balancer dropped, with the default deadlines: resumed without a list",
    "F01 a configured idle deadline replaces all others",
    "F01 of several streams, those that received data during a probe continue",
    "F01 keep-alive is set once on systems that restart the wait",
    "F01 raw watch: a silent peer ends the watch at the idle deadline and closes the connection",
    "F01 the connection of the probes is replaced when the server closes it, and closed with the last stream",
    "F01 the idle deadline of a stream is its timeout plus a margin, or the configured one",
  ],
  F02: [
    "F02 TLS: a server that accepts and never answers is an error after 30 s",
    "F02 a call to an unreachable server ends before its deadline of 65 s",
    "F02 idle connections that died unnoticed: the call is retried on a new connection",
    "F02 no headers in time: a read is retried",
    "F02 no headers in time: a write is not retried",
    "F02 proxy ${kind}: one that takes the connection and says nothing is given up after 30 s",
    "F02 transport: aborting a call without an answer closes the idle connections",
  ],
  F03: [
    "F03 a list whose body stops in the middle: ended by its deadline, and repeated",
    "F03 raw list: a body that stalls is an error",
    "F03 the idle deadline counts from byte to byte, not over the whole body",
    "F03 the deadline covers the body: a stalled read is retried, a stalled write fails",
    "F03 transport: aborting inside the body rejects the read and closes the connection",
  ],
  F04: [
    "F04 100 reconnects of one cache: one watch is open at the end, without a list",
    "F04 300 watches aborted at any moment: no socket and no file descriptor leaks",
    "F04 TLS: connections that are ${what} are not kept for ever",
    "F04 calls leave no listener on a signal that outlives them",
    "F04 transport: 500 aborted watches leave no socket behind",
  ],
  F05: [
    "F05 B66 a clean close resumes after the last version: no list, nothing twice",
    "F05 watches that the server ends every second: resumed without a list, no duplicate notification",
  ],
  F06: [
    "F06 a watch that is closed at once without an event is a failure: pause, then the state is listed",
    "F06 a watch that is cut at once, not closed, is resumed after a pause: no list",
  ],
  F07: [
    "F07 410 ${how}: exactly one list, deletions in its replace, no loop",
    "F07 F24 history compacted while disconnected: one list, and missed deletes are notified with the last known object",
    "F07 a version missing from the server's cache but not from its storage: pages of a newer version are listed",
    "F07 raw watch: an ERROR event is yielded",
  ],
  F08: [
    "F08 410 on continue: the pages are dropped, and the list is read again in one answer",
    "F08 410 on the first page, and another error on a later one, reject the call",
  ],
  F09: [
    "F09 a server that names the same page forever does not hold the reflector forever",
    "F09 an empty continue ends the list",
    "F09 an empty continue token ends the list",
  ],
  F10: [
    "F10 a watch that is always too old: the pause grows to its cap, and health reports why",
  ],
  F11: "Shown under the behaviour's own number, see B46.",
  F12: [
    "F12 hours of bookmarks advance the version and change nothing else",
  ],
  F13: [
    "F13 an endless stream of new objects does not move the deadline forever",
    "F13 a missing bookmark: LIST after a deadline, which every new object moves",
  ],
  F14: [
    "F14 F15 fuzz: a watch yields the same events of any bytes, however they are cut",
    "F14 a body that arrives byte by byte, every character in pieces",
    "F14 LineSplitter joins a line that is cut anywhere, inside a character too",
    "F14 a watch cut at each kind of byte: the partial line is dropped, no event is lost",
    "F14 a watch cut at random bytes of HTTP",
    "F14 a watch that ends cleanly inside a character: a partial event is ignored without an error",
    "F14 every connection, reads and writes, cut at random bytes of TLS",
    "F14 random faults (F01 F05 F07 F17 F18 F24 F25 F27 F28): caches and objects are correct at every pause",
    "F14 LineSplitter holds back and counts an incomplete last line",
    "F14 raw list: an incomplete body is an error, whether the connection broke or ended",
    "F14 raw watch: a connection that breaks at any byte is a StreamBrokenError after the complete events",
    "F14 raw watch: every event is yielded, however the body is cut",
    "F14 raw watch: an incomplete event at a clean end is dropped",
    "F14 transport: a body ${how} that is cut is an error, not an end",
  ],
  F15: [
    "F15 ListDecoder throws only DecodeError on any bytes",
    "F15 a deletion whose object cannot be decoded is repaired by the list that follows",
    "F15 decodeWatchFrame() reports an undecodable line, with the key of its object if it can be read",
    "F15 an undecodable event is reported, the stream continues, and the state is read again after a pause",
    "F15 an initial event that cannot be decoded at all: the state is listed, where objects are kept apart",
    "F15 an initial object that cannot be packed is reported; the others are stored, and its last version is kept",
    "F15 an undecodable item of a list is reported and keeps its last version; the others are stored",
    "F15 an item of a list that was damaged in transit is repaired by another list, without an event",
    "F15 a cyclic object, which has no text, is left out; the others are stored",
    "F15 an object that stays undecodable costs a list now and then, never a loop",
    "F15 client.watch leaves out the undecodable line and goes on",
    "F15 decodeWatchFrame() never throws on any bytes",
    "F15 invalid UTF-8 in the first list: the others are stored and become active; the object once it is repaired",
    "F15 one object with invalid UTF-8: reported and left out; the others continue; stored once it is repaired",
    "F15 pack() and read() throw nothing but DecodeError, and accept no invalid UTF-8",
    "F15 raw watch: an undecodable line is one event, and the stream goes on",
    "F15 an object that cannot be packed is refused with its name, and one that proves invalid at read() too",
  ],
  F16: [
    "F16 ListDecoder holds at most the largest item, and refuses a larger one than the limit",
    "F16 LineSplitter copies a 3 MB line in 16 KB chunks a bounded number of times",
    "F16 LineSplitter throws on a line beyond the limit, after returning the lines before it",
    "F16 a line that never ends is abandoned at the limit, and all objects are listed again",
    "F16 an Xca of 1.4 MB becomes active like any other",
    "F16 an object of 1 MB is stored, listed and watched; one of 4 MB is refused",
    "F16 an object of 3.6 MB of JSON, from the real server, in list and watch",
    "F16 fuzz: an endless line fails at the limit, and holds no more",
    "F16 raw watch: an endless line is refused at 16 MiB, and the connection closed",
    "F16 raw watch: an event of 3 MB is yielded",
  ],
  F17: [
    "F17 Retry-After is honoured, jittered upwards, and capped",
    "F17 an apiserver that restarts and then answers 429: the state stays, Retry-After is honored, no list",
    "F17 the API server dies while keys are being reconciled: each is finished by a retry",
    "F17 the API server is killed and restarted: the state stays readable, nothing is lost",
  ],
  F18: [
    "F18 429 with Retry-After on list, watch and status writes: each wait is kept, without further requests",
    "F18 429 with Retry-After: a write is retried with its body after at least that time",
    "F18 503 without Retry-After for every second request: reads and writes come through",
    "F18 F19 a Retry-After of an hour is reduced to a minute, and no pause is longer than that",
    "F18 a storm of refusals: however many calls, no more tries than the limit allows",
    "F18 a storm of retries is spread by a token bucket of ten a second",
    'F18 a watch answered by ${how} for an hour, WatchList ${watchList ? "on" : "off"}: listed again and again',
    'F18 after ${what} a read is ${read ? "" : "not "}retried, a write ${write ? "is" : "is not"}',
    "F18 connect() is retried after 429 and 503 with Retry-After, as a write is",
    "F18 retries pass the rate limit as first tries do, after the waiting requests",
    "F18 retries are bounded",
    "F18 retry: false returns the first refusal",
  ],
  F19: [
    "F19 a delay beyond the machine's maximum does not fire at once",
    "F19 systemClock.after() with more than the runtime's longest timer does not fire at once",
  ],
  F20: [
    "F20 a list older than requested is not taken over; the newest is requested",
    "F20 an initial state older than requested is not taken over; the newest is requested",
  ],
  F21: [
    "F21 a bookmark that goes back raises doubt too, after a pause",
    "F21 a bookmark with an invalid version is reported, not trusted, and the state is read again in time",
    "F21 a failed request for the newest version is repeated while the watch lasts; a refused one is not",
    "F21 a request without an answer when the watch ended is repeated beside the next watch",
    "F21 a resume after a lost connection requests the newest version once, and continues if it is not older",
    "F21 a server that accepts a watch in its own future: the store is rebuilt, even if the version is passed meanwhile",
    "F21 a stream that was silent throughout raises doubt: an older newest version lists again",
    "F21 an object with an invalid version is stored, but no watch is resumed after it",
    "F21 etcd restored from a backup under an informer, ${how}: the cache is rebuilt before the version is reached again",
    "F21 a newest list older than the state seen is logged, counted and rebuilt, with nothing reused",
    "F21 when the server's versions went back, all objects are taken over anew and reported",
  ],
  F22: [
    "F22 a cache that never shows a write delays the key for a limited time",
    "F22 a run on a stale cache is logged as a warning",
    "F22 versions that cannot be compared delay no key",
  ],
  F23: [
    "F23 a late event neither restores a deleted object nor removes its successor",
    "F23 versions counted per object, as on some servers, lose nothing",
  ],
  F24: [
    "F24 F25 F34 B59 gaps, compactions and restarts of the watch: every view becomes the server's state",
    "F24 F25 objects deleted or recreated while history was lost are notified as such",
  ],
  F25: [
    "F25 a change of the UID in a plain update is a deletion and an addition too",
    "F25 a late deletion of a former object does not delete its successor; one of an unseen successor does",
    "F25 an object recreated under its name during a gap: the list brings the new UID",
    "F25 an object recreated during a gap: the old UID is deleted, then the new one added",
    "F25 deleted and recreated under one name while disconnected, ${what}: notified as delete, then add",
  ],
  F26: [
    "F26 a write by request() is recorded where it is one of a watched object",
    "F26 a response is recorded before the caller reads it, and is still whole for the caller",
    "F26 a key waits for a created object that the informer received and did not store yet",
    "F26 a key waits for its own deletion, until the object is gone or has a deletionTimestamp",
    "F26 a key waits until the cache shows the child that it created, and creates no second one",
    "F26 an object created and deleted while the watch was disconnected does not delay its key",
    "F26 an object created under the name of a deleted one before the answer delays no key",
    "F26 children with random names: one per parent, whatever events arrive while the cache lags",
    "F26 a key does not wait for writes that the cache will never show",
    "F26 a key waits for a child created under a label selector in every view that selects it",
    "F26 a field selector that only the server can judge is logged at the start; a name is judged",
    "F26 an object that a run created and deleted is not seen by the next run",
    "F26 an object that a run created and moved out of the selector is not seen by the next run",
    "F26 a collection that a run deleted is not seen by the next run",
    "F26 a key waits only for those objects of a deleted collection that the cache shows as selected",
    "F26 a key does not wait for a collection that was not deleted",
  ],
  F27: [
    "F27 a write whose answer was lost is not sent again",
    "F27 status writes whose response is lost: none is written twice",
    "F27 a renewal whose answer was lost does not end the term",
  ],
  F28: [
    "F28 409 on each first status write: every Xca becomes active nevertheless",
    "F28 Xca: a conflict on each first status write is resolved by a retry",
    "F28 a rival that writes all the time: retries are paced, and succeed once the rival pauses",
    "F28 a rival's write before each first status write: a real 409, one retry, no ERROR, no change lost",
    "F28 conflicts are not logged as errors; failures, terminal errors and stuck runs are",
    "F28 conflicts are retried, and the write succeeds once the rival pauses",
  ],
  F29: [
    "F29 a missing resource: one attempt per step of the pause, reported by health, recovered by itself",
    "F29 an operator without its CustomResourceDefinition reports it",
    "F29 in a manager a missing kind waits and is reported, other kinds work, and it recovers by itself",
  ],
  F30: [
    "F30 in a manager a kind that is removed and installed again recovers, and other kinds work",
    "F30 a conversion webhook that is down, then a schema that changes: that kind alone waits, and recovers",
  ],
  F31: [
    "F31 a terminating namespace: recognized, no retry, no failure",
    "F31 a write that is refused because its namespace is being deleted is not retried",
  ],
  // There is no uninstall command.
  F32: [
    "F32 finalize() adds no finalizer to an object that is being deleted, not even from an old version",
    "F32 finalize() keeps the finalizer when the cleanup fails, whatever its error",
  ],
  F33: [
    "F33 patchStatus() of a status that is too large is a terminal error with an event",
    "F33 a server's refusals of a status that is too large are terminal errors",
  ],
  F34: [
    "F34 a handler that never returns: others continue, and its waiting changes are merged per key",
    "F34 the queue of a slow handler is bounded by the number of keys, however many changes arrive",
    "F34 changes that cannot be merged are not examined again before their number has doubled",
    "F34 a list of changes is not merged however few objects are stored; the third list in a row is",
    "F34 the remaining changes of a list are merged with other changes; taken ones are not",
    "F34 the pending changes of a slow handler are bounded by the keys; other handlers miss nothing",
    "F34 merging at any moment leaves a handler with the same view and a consistent sequence of changes",
    "F34 coalesce() keeps a deletion and the addition after it",
    "F34 coalesce() drops an update before a deletion",
    "F34 coalesce() drops an addition and its deletion",
    "F34 coalesce() merges later updates into an addition",
    "F34 coalesce() merges updates into one, from the oldest old to the newest new object",
    "F34 coalesce() merges later changes into the initial list, and keeps the position of its end",
    "F34 one change for each of many objects is never merged in vain",
    "F34 raw watch: the time in which the consumer is busy does not count as silence",
  ],
  F35: [
    "F35 F36 a reconciler that throws, or never settles, delays no other key",
    "F35 a generator that throws a TypeError is called again, as other functions are",
    "F35 a handler that rejects is counted, and its later calls are made all the same",
    "F35 a handler that throws delays neither the watch nor other handlers",
    "F35 a mapping function that fails is retried until it succeeds, and delays no other event",
    "F35 a mapping that keeps failing counts as failed, and --once ends",
    "F35 an event passes a predicate that throws",
    "F35 an event passes a predicate that returns a promise, which is logged as a mistake",
    "F35 a reconciler that ${how}: counted, backed off, and others run",
    "F35 code that ${way} hostile values from ${place}: no lease is lost, and everything stops",
    "F35 code that ${way} hostile values where a cache calls it: other objects are stored, indexed and notified",
    "F35 errorText() returns a text of bounded length for every hostile value",
    "F35 old states that could not be mapped are mapped with the next state",
    "F35 a returned value that is not a key is an error, and the other keys are enqueued",
    "F35 a reconciler that throws: its key backs off until it works, the others do not wait for it",
    "F35 a terminal error is not retried; a change of the object runs it again",
    "F35 handlers that throw or reject: counted and logged; other handlers and the operator continue",
    "F35 run --once of a user's module that throws a value without text, and whose mapping fails, exits 1",
    "F35 run survives a rejected promise that a user's module never awaits, and logs it",
  ],
  F36: [
    "F36 a call that hangs ends with the time of its run",
    "F36 a mapping function that never settles counts as failed after the timeout of a run",
    "F36 a reconciler that never returns: timed out, aborted, reported as stuck; its worker and other keys continue; no second run",
    "F36 a run that never settles is aborted and reported as stuck, and its worker continues",
    "F36 a stop does not wait for a reconciler that never returns",
    "F36 a stuck run that settles later releases its key",
    "F36 a run starts no write after its signal is aborted",
    "F36 settled() counts a stuck key as failed instead of waiting for it",
  ],
  F37: [
    "F37 a blocked event loop or a suspended machine finds its deadline passed",
    "F37 a WebSocket of a run sends no message that the gate refuses, and is still read and closed",
    "F37 a WebSocket that is refused once its connection is open sends no request, and is not retried",
    "F37 a write that was admitted, and that waits for its turn to leave, is refused when the lease may be lost by then",
    "F37 a leader that cannot renew starts no write after its deadline, and ends with an error",
    "F37 a write that was in flight and arrives after the successor has begun changes only what nobody else has changed",
    "F37 a write takes at most the time that the lease has left",
  ],
  F38: [
    "F38 a key that its own writes by ${how} drive is a hot loop, named by the field",
    "F38 a foreign change runs a slowed key at once, and the loop is not named again",
    "F38 a key that creates and deletes its child again and again is a loop",
    "F38 a key that its own writes drive is named once with the field, counted, and slowed",
    "F38 a key that requests each run at once is a loop; one with a delay is none",
    "F38 a run that writes what it watches, and then fails, does not drive itself",
    "F38 an event runs a failing key at most a second after the failure, however long its back-off",
    "F38 events do not drive a failing key faster than its back-off",
    "F38 foreign writes, retries, and a reconciler that ends by itself are no loops",
    "F38 hotLoopRuns: Infinity slows nothing, and a value below 2 is refused",
    "F38 keys that failed together in an outage recover together, and not ten a second",
    "F38 on an API server, a status that changes at each run is a loop, named by its path",
    "F38 random runs: a loop is found exactly when enough runs in a row have only own causes",
    "F38 with addDuringBackoff: waits, add() does not bypass the back-off and is not lost",
    "F38 with addDuringBackoff: waits, an add after an early delivery leads to a run",
  ],
  F39: [
    "F39 a wall clock that jumps by hours changes no back-off and no idle deadline of an informer",
    "F39 a wall clock that jumps by hours releases no key of a queue early or late",
    "F39 wall clocks that differ by hours elect one leader, and a jump ahead closes the deadline",
  ],
  F40: [
    "F40 a renewal that meets a conflict reads the lease and renews it, and is counted",
    "F40 /readyz names a candidate that observes no leader, and /healthz stays ok: a restart would not help",
    "F40 health names a candidate that neither leads nor observes a leader, with the reason",
    "F40 a deposed leader that finds the Lease deleted waits for a whole lease before it takes it",
    "F40 a candidate that read the Lease between two deletions waits for a whole lease again",
    "F40 a leader whose renewals are refused or lost stops at its renew deadline",
    "F40 a stolen lease ends the term at once; a deleted one is created again",
    "F40 a candidate without permission never leads; a Lease written by another holder ends the term",
  ],
  F41: [
    "F41 a server accepts the record of three replicas: one leads, a stop releases the lease to the next",
  ],
  F42: [
    "F42 a lease that another process held and released meanwhile ends the term",
    "F42 two processes with one identity never lead at once, and the second waits for the lease to expire",
    "F42 random faults: never may two replicas start a write, and one leads in the end",
    "F42 three replicas under faults: one leads at a time, no write starts after the deadline, the result is correct",
  ],
  F43: [
    "F43 a release that meets conflicts only is tried some times a second, until the renew deadline",
    "F43 a stop ends the work first, releases the lease then, also over a conflict",
  ],
  F44: [
    "F44 a crash ${when} write ${at} leads to the same state by the same writes",
    "F44 a write whose answer was lost is not repeated blindly",
    "F44 the operator ends ${when}: the next operator finishes the work, nothing is written twice",
    "F44 an operator with a finalizer, children and a status writes once per step, and dies at any write without harm",
    "F44 random sequences of crashes at any write lead to the same end",
  ],
  F45: "Left to simulation, which is not built: a reconciler gets keys, not events.",
  F46: [
    "F46 a reader changes its object deeply, and the cache does not change",
    "F46 shared objects are frozen on request; objects from the store belong to the reader",
  ],
  F47: [
    "F47 an HTTP server on a port in use is refused; the first continues",
    "F47 a server whose port is in use is refused with the port and the remedy; the first continues",
    "F47 a server that is set up or run twice, or stopped while it is set up, leaves nothing open",
    "F47 a second run is refused; the first continues",
    "F47 an abort during the start ends every informer, and done resolves",
    "F47 start() called twice opens one watch per informer; later informers start with the next start()",
    "F47 started twice: an error, and one watch; stopped while starting: nothing is left",
    "F47 stopping at any point closes everything: while listing, watching, waiting, and before the start",
    "F47 stopping between the initial events and the watch closes the stream",
    "F47 ten handlers and several listers on one kind make one list-watch",
  ],
  F48:
    "A matter of measure, not of truth: the relist rows of `deno task bench` print it against their targets.",
  F49:
    "A matter of hours: `deno task soak`, whose parts have tests of their own in `tests/soak/soak_test.ts`.",
  F50: [
    "F50 certificate and authority rotate under load, in two replicas, and no review and no handshake fails",
  ],
  F51: [
    "F51 a webhook whose server is down refuses pods elsewhere, and none in the namespace of its server",
    "F51 webhookDeadlocks() names the webhooks that prevent the start of their own server, and the resources",
    "F51 run --webhook-host makes a cluster call this machine, and removes the configurations at its end",
  ],
  F52: [
    "F52 401 twice, or without newer credentials, rejects the call",
    "F52 401 where a watch is resumed: the token is read again, and without a newer token an error is logged",
    "F52 401: the credentials are renewed, and the call is sent once more",
    "F52 F53 a 401 runs the plugin once for all requests, and retries each request once",
    "F52 a 401 reads the token file at once, and is retried only with another token",
    "F52 a 401 is returned to the caller when another run prints the same credential",
    "F52 a client certificate and key replaced on disk are used without a restart",
    "F52 a replaced service account token file: the next request after a 401 has the new token",
    "F52 a token file is read on first use, and again when its token is a minute old",
    "F52 two requests that are refused with the old token are both retried with the new one",
    "F52 while the token file cannot be read the last token is kept, and the file is read again after 10 s",
  ],
  F53: [
    "F53 50 concurrent requests run the plugin once",
    "F53 I15 junk on standard output is never shown",
    "F53 a call whose deadline passes while a plugin runs names the plugin",
    "F53 a credential is kept until its expirationTimestamp, and without one indefinitely",
    "F53 the error for a plugin that fails has its exit code and the end of its output, without secrets",
    "F53 a plugin that hangs is killed after its time-out, a minute by default",
    "F53 a plugin that prompts gets no standard input unless it is interactive",
    "F53 a token from an exec plugin: kubectl's user",
    "F53 connect() does not wait for a plugin once it is aborted",
    "F53 the error for a plugin that fails after a 401 quotes its output, and the failure is not cached",
  ],
};

/** Bad inputs: kubeconfig (1-19), command line (20-23), manifests (24-28), webhook (29), metrics (30). */
export const INPUTS: Readonly<Record<string, Row>> = {
  I1: [
    "I1 the error for an unreadable kubeconfig names the file and the permission",
    "I1 the error for a missing kubeconfig names the paths and what to set",
  ],
  I2: [
    "I2 the error for an empty kubeconfig says that it is empty",
  ],
  I3: [
    "I3 the error for invalid YAML has line and column, and nothing of the text",
    "I3 the error for a repeated key has line and column of the second",
    "I3 invalid UTF-8, too many bytes, too deep nesting and too many aliases are refused",
  ],
  I4: [
    "I4 errors for a root that is not a mapping and for wrong types have field and types, but no value",
  ],
  I5: [
    "I5 the error for a missing or unknown current context lists the contexts",
  ],
  I6: [
    "I6 the error for an unknown cluster or user has both names and the known ones",
  ],
  I7: [
    "I7 contexts, clusters or users that are null are treated as absent",
  ],
  I8: [
    "I8 a cluster without a server is an error only when it is selected",
  ],
  I9: [
    "I9 an IPv6 address with a zone is refused with the reason and the remedy",
    "I9 a server that is not http or https, or has a user, a query or a fragment is refused",
    "I9 parseServerUrl() refuses other texts, and never shows a password",
  ],
  I10: [
    "I10 base64 with line breaks is accepted, as in Go",
    "I10 the error for data that is not base64 names the field, not the data",
  ],
  I11: [
    "I11 the error for an invalid certificate authority says what the file contains instead",
    "I11 a damaged certificate among valid ones is ignored with a warning, as in kubectl",
    "I11 the error for an invalid client certificate or key says which of the two, and why",
    "I11 one file with certificate and key, in any order, as the kubelet writes them",
    "I11 private keys in older encodings are accepted, also after the parameters of their curve",
    "I11 a certificate authority may be several certificates with text between them",
  ],
  I12: [
    "I12 the error for a key of another certificate names both fields",
  ],
  I13: [
    "I13 the error for a missing file names the field and the path",
  ],
  I14: [
    "I14 I16 in a pod, plugins and logins are refused unless a policy allows them",
    "I14 the error for a missing plugin has its name, and the install hint on one line",
    "I14 the error for a plugin without permission names the exact flag",
    "I14 errors for a missing command, an unknown version or mode, and a variable without a name have field and remedy",
    "I14 policies DenyAll and Allowlist name the plugin that they refuse, and the list",
    "I14 the launcher runs the kubeconfig's plugin; XCA_ALLOW_RUN narrows to names, or to none",
  ],
  I15: [
    "I15 a credential that is expired when printed is used, as in kubectl; the error after a refusal names its expiry",
    "I15 a missing kind, unknown fields and null are accepted, as in kubectl",
    "I15 the error for an invalid credential has the reason, the user, the file and the program",
  ],
  I16: [
    "I16 a 401 repeats the login; the same token is not a change",
    "I16 a legacy oidc login: kubectl's user",
    "I16 the error for a login that fails or hangs has the reason without secrets, and the remedy",
    "I16 a token is kept until it expires, an opaque one for a minute; concurrent requests share a login",
    "I16 the error for an unknown login lists the known ones",
    "I16 the configuration has auth-provider with its settings; without a name it is refused",
    "I16 no program contains @kubernetes/client-node unless it imports the package itself",
    "I16 the error of a program that cannot load the code of legacy logins names the package",
    "I16 oidc: an expired token is refreshed at an issuer that the machine trusts",
    "I16 oidc: an expired token without a refresh token is an error with the remedy",
    "I16 oidc: the code of client-node returns the id token",
  ],
  I17: [
    "I17 insecure-skip-tls-verify is kept; together with a certificate authority it is refused",
    "I17 without verification one warning names the server, the field and the file",
  ],
  I18: [
    "I18 the URL of a proxy is not changed, and refused when it ends with a space",
    "I18 tls-server-name and proxy-url are kept and checked",
  ],
  I19: [
    "I19 relative paths start at the folder of the file that contains them",
    "I19 of several files the first current context and the first entry of each name are used",
  ],
  I20: [
    "I20 an unknown flag or command names the nearest one and exits 2",
  ],
  I21: [
    "I21 an invalid namespace is refused before anything is read",
    "I21 a namespace that is not a DNS label is refused, from the flag and from the file",
  ],
  I22: [
    "I22 --request-timeout is checked before any file is read, and converted to milliseconds",
    "I22 an invalid, negative or too long duration exits 2",
    "I22 parseRequestTimeout() names a flag that is negative, too long or not a duration",
    "I22 parseRequestTimeout() accepts whole seconds and durations; zero is no limit",
  ],
  I23: [
    "I23 a module that is missing, broken, or exports no operator exits 2",
    "I23 loading a module that never finishes times out",
  ],
  I24: "Not built: CRD generation; the server's own verdict on a manifest is shown as it is.",
  I25: "Not built: CRD generation; the server's own verdict on a manifest is shown as it is.",
  I26: [
    "I26 a manifest that is a YAML bomb, nested too deep, or too large is refused, and the error names its file",
  ],
  I27: [
    "I27 a manifest with an unknown field, such as __proto__, or a field of another type is refused",
  ],
  I28:
    "The server's own verdict: typed integers beyond 2^63 are refused; of others see docs/embedded_server.md.",
  I29: [
    "I29 a bad request gets its status code and reason, is never allowed, and the server goes on",
    "I29 the last of two fields of one name counts, as in Go, and unknown fields are ignored",
    "I29 clients that send their head or their body too slowly are cut off",
    "I29 a client without a certificate of the API server is refused where one is demanded",
    "I29 the server speaks HTTP/1.1 and TLS 1.2 or later, whatever the client offers",
    "I29 a validator that throws or returns something else refuses the request with code 500 and without a stack",
    "I29 a handler that never answers is refused before the API server stops waiting, and its signal is aborted",
    "I29 a defaulter cannot change the identity of an object, nor make it other than JSON",
    "I29 a denial that JSON cannot hold is a refusal, returned or thrown, also where a failed call is ignored",
  ],
  I30: [
    "I30 /readyz fails until the caches sync; /healthz sends the API server nothing",
    "I30 Prometheus' parser reads back every label value, help text and number, however hostile",
    "I30 metrics server: a review that fails is answered with 503, is not kept, and its log has no token",
    "I30 metrics server: a user with the right reads the metrics over TLS; others are refused with the reason",
    "I30 registry: series above the maximum are counted and not shown",
  ],
};
