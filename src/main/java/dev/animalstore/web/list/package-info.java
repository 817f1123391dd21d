/**
 * Lists that are exact although their pages come from memory: each shows every change whose response was sent before it was requested, whichever
 * replica made it. A resource defines its list once ({@link dev.animalstore.web.list.ExactLists#at}) and says when it has changed.
 *
 * <p>A list has a version in Redis, which each change replaces. A page is served from memory only while the version is the one that was known
 * before the page was read. If Redis fails, pages are read from PostgreSQL. If PostgreSQL fails, pages whose version is current are served,
 * and others get 503, never a partial list. What is written without the service is listed late (docs/faults.md).
 */
package dev.animalstore.web.list;
