/**
 * Quotas: how many requests a subject may send a minute and a day. This package knows no keys, no plans and no HTTP; it is given the name
 * of a subject and two limits, and gives back a {@link dev.animalstore.quota.Decision}.
 *
 * <p><b>Algorithm.</b> Two fixed windows, each a count and an end. The minute opens with the first request that is charged and lasts 60
 * seconds; the day is the calendar day in UTC. A request is charged to both windows or, where one has no room, to neither.
 *
 * <p><b>Concurrency.</b> The counters live in one Redis hash for each subject, and one Lua script, {@code quota.lua}, decides and charges
 * in a single atomic step, on Redis's own clock. So the counts are exact whatever the number of replicas and of simultaneous requests,
 * and whatever the replicas' clocks say.
 *
 * <p><b>Versions.</b> The hash also holds the newest version of the subject, so that a caller whose copy is older is told so instead.
 *
 * <p><b>Failure.</b> Without Redis each replica meters by itself, in
 * memory, its share of the limit; strikes count against the whole limit. Since versions can be lost with Redis or not be raised meanwhile,
 * whoever keeps copies of subjects is told when it is back.
 */
package dev.animalstore.quota;
