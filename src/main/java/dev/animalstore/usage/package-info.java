/**
 * Usage: how many requests of each key were admitted, refused and banned on each UTC day, collected from the quota and kept in PostgreSQL.
 *
 * <p><b>Where counts come from.</b> {@code quota.lua} counts in the hash of each key, so the counts are those of the quota itself, over all
 * replicas, and by Redis's clock. Every {@value dev.animalstore.usage.UsageCollector#EVERY} each replica reads the hashes of the keys that it
 * metered since, and adds to the rows what they do not hold. What a replica that was killed leaves behind is in Redis. Another replica notices
 * within some 14 seconds that it is gone, and reads the hashes of all keys; so does each replica after its start, and then every
 * {@value dev.animalstore.usage.UsageSweep#EVERY}.
 *
 * <p><b>Merge.</b> A row remembers how much of the present counters in Redis it holds, and which incarnation of them that was. Storing the
 * same counts twice, or older ones after newer ones, changes nothing, so any number of replicas may collect at the same time. Counters that
 * began anew, since Redis lost its data, are added to what was stored before.
 *
 * <p><b>Local decisions</b>, made while Redis does not respond, are counted by each replica in memory and added once: each addition has a
 * number, and is committed together with it, so that one whose commit succeeded without a response is not repeated.
 *
 * <p><b>Failure.</b> While Redis or PostgreSQL is unavailable nothing is lost: counts stay in Redis for three days after their day, and those of
 * local decisions in memory. Lost are: local decisions of a replica that is killed before it could store them; what a Redis that loses its
 * data counted since the last collection; and a decision of which it cannot be known whether Redis counted it, because the connection
 * broke between the two. The latter are at most those in flight at that moment, and each may be counted twice.
 */
package dev.animalstore.usage;
