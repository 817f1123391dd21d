/**
 * Redis, which all replicas share. One client sends all commands, to a server, by way of Sentinel or to a cluster. It does not know what they
 * are about. Its user gives it a probe, the command that must work, and decides what happens when a command fails.
 *
 * <p><b>Known limits.</b> A client of a cluster connects to all nodes. While one hangs, and until the cluster has marked it as failed, a
 * lost connection cannot be replaced, and the circuit breaker is open for all keys.
 */
package dev.animalstore.redis;
