/**
 * Usage: how many requests of each key were admitted, refused and banned on each UTC day, collected from the quota and stored in
 * PostgreSQL.
 *
 * <p><b>Source.</b> {@code quota.lua} counts in the hash of each key, so the counts are those of the quota itself, over all replicas, and
 * by Redis's clock. Every ten seconds each replica reads the hashes of the keys that it decided on since, and every half hour
 * those of all keys, unless another one is doing so: the counts of a replica that was killed are in Redis. Then it removes usage and records of
 * changes that are older than their retention. With the counts it stores when each key was last used.
 *
 * <p><b>Merge.</b> Of the stored and the present figure, the greater one stands. Storing the same counts twice, or older ones after newer
 * ones, changes nothing, so any number of replicas may collect at the same time.
 *
 * <p><b>Failure.</b> What a replica decides alone while Redis is unavailable is no usage; a metric counts it. While Redis or PostgreSQL is
 * unavailable nothing is lost: counts stay in Redis for three days after their day. If Redis returns empty or with older counts, what
 * it forgot is lost. If Redis executed a command but responded too late, the request was decided locally too: the usage has Redis's decision,
 * and the client got the other.
 */
package dev.animalstore.metering.usage;
