/**
 * A model of what may be served from memory: which copy of a key decides ({@code KeyProtocol}), and which page of the catalogue is served
 * ({@code ListProtocol}). {@code Search} goes through all interleavings of requests, changes and faults on two or three replicas. It shows
 * that each {@code Promise} holds, that each {@code Mechanism} is needed for one, and that the rules of before break them
 * ({@code FormerRules}). A step has the name of the method that it stands for. A change of a protocol changes the model first.
 *
 * <p>Covered for keys: Redis that fails any command, executes it late, loses data or is split; PostgreSQL that is away or restored; replicas
 * that restart; changes by operators and by SQL. For lists: Redis that is away, refuses writes, is emptied or fails over; connections and
 * replies that are lost.
 *
 * <p>Not covered: quotas and bans, more than one key or page, more than two requests at once, clocks that jump, lag of replication, how a
 * look tells that PostgreSQL is behind, how old pages become, copies and pages that are dropped for want of memory, slots of a cluster, except that Redis
 * may refuse only the catalogue's writes. Each step happens at once; a command and its reply are one. Requests, and queries of keys, take no time
 * beside the ten seconds between looks; a query of a page may take any. Redis works for longer than the 65 ms after which an announcement is
 * retried, or does not work.
 */
package dev.animalstore.protocol;
