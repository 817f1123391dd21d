/**
 * Usage: how many requests of each key were admitted, refused and banned on each UTC day, collected from the quota and stored in
 * PostgreSQL.
 *
 * <p><b>Source.</b> {@code quota.lua} counts in the hash of each key, so the counts are those of the quota itself, over all replicas, and
 * by Redis's clock. Every {@value dev.animalstore.usage.UsageCollector#EVERY} each replica reads the hashes of the keys that it decided on
 * since, and adds what the rows do not include yet. The counts of a replica that was killed are in Redis. Another replica notices within
 * about 14 seconds that it is gone, and reads the hashes of all keys. Each replica also does so after its start, and then every
 * {@value dev.animalstore.usage.UsageSweep#EVERY}.
 *
 * <p><b>Merge.</b> A row records how much of the current counters in Redis it includes, and their incarnation. Storing the same counts
 * twice, or older ones after newer ones, changes nothing, so any number of replicas may collect at the same time. Counters that restarted,
 * since Redis lost its data, are added to the stored counts.
 *
 * <p><b>Local decisions</b>, made while Redis is unavailable, are counted by each replica in memory and added once: each addition has a
 * number that is committed together with it, so one whose commit succeeded without a response is not repeated.
 *
 * <p><b>Failure.</b> While Redis or PostgreSQL is unavailable nothing is lost: counts stay in Redis for three days after their day, and
 * those of local decisions in memory. The following is lost: local decisions of a replica that is killed before it could store them; counts
 * since the last collection if Redis loses its data; and a decision of which it is unknown whether Redis counted it, because the connection
 * broke in between. The latter are at most those in flight at that moment, and each may be counted twice.
 */
package dev.animalstore.usage;
