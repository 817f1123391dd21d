/**
 * Quotas: how many requests a subject may send per minute and per day. This package knows no keys, no plans and no HTTP. Its input is the
 * name of a subject and two limits, its output a {@link dev.animalstore.quota.Decision}.
 *
 * <p><b>Algorithm.</b> Two fixed windows, each a count and an end. The minute opens with the first charged request and lasts 60 seconds.
 * The day is the calendar day in UTC. A request is charged to both windows or, if one has no room, to neither.
 *
 * <p><b>Bans.</b> Repeated refusals ban the subject for a while; {@link dev.animalstore.quota.BanConfig} has the rules. While banned, requests
 * are refused without being charged, and do not prolong the ban.
 *
 * <p><b>Concurrency.</b> The counters of a subject are one Redis hash, and one Lua script, {@code quota.lua}, decides and charges in a
 * single atomic step, on Redis's own clock. So the counts are exact whatever the number of replicas and of concurrent requests, and
 * whatever the replicas' clocks say.
 *
 * <p><b>Versions.</b> The hash also holds the newest version of the subject. If the caller's copy is older, or the hash is
 * lost and the caller has not just read its copy, nothing is charged and the reply is {@link dev.animalstore.quota.Reply.Stale}. The name of
 * the hash has the time at which the subject was created, so an earlier subject with its number leaves it nothing.
 *
 * <p><b>Failure.</b> If Redis is unavailable, each replica enforces its share of every limit locally, in memory, and bans nobody. What it
 * admits is not in the counts. Versions may be lost with Redis, or not be announced meanwhile, so copies from before are stale when Redis
 * is available again.
 *
 * <p><b>Known limits.</b> One hash lives on one master of a cluster, so a single busy subject is limited by the capacity of that master. If
 * Redis loses its data, counts, strikes and bans start at 0, and usage that was not yet collected is lost.
 */
package dev.animalstore.quota;
