/**
 * A model of what may be served from memory: which copy of a key decides ({@code KeyProtocol}), and which page of the catalogue is served
 * ({@code ListProtocol}). {@code Search} goes through all interleavings of requests, changes and faults on two or three replicas. It shows
 * that each {@code Promise} holds, and that each {@code Mechanism}, and each exception of the contract, is needed for one. A step has the name of
 * the method that it stands for. A change of a protocol changes the model first.
 *
 * <p>Faults of keys: Redis refuses or delays a command, loses data, or splits into two masters; PostgreSQL is unavailable, or is restored from a
 * backup; a replica restarts, freezes, or is suspended with its clock; a DBA changes keys by SQL, too many for a look. Faults of lists: Redis is
 * unavailable, refuses writes, loses all data or fails over; a connection or a reply is lost; a replica freezes, or probes late.
 *
 * <p>Not covered: quotas and bans, more than one key or page, more than two requests at once, clocks that jump, lag of replication, slots
 * of a cluster (but Redis may refuse writes where the catalogue's version is), how a look tells that PostgreSQL is behind, how old pages
 * become, and what memory has no room for. Each step happens at once, and a command and its reply are one. Requests of keys take no time
 * beside the ten seconds between looks, unless their replica is frozen; a query of a page may take any. Redis works for longer than an interval of probes, in which what has
 * failed is tried again, or not at all. The second of two probes is not needed under that condition; it is for what takes longer, such as opening a
 * connection.
 */
package dev.animalstore.protocol;
