/**
 * The operators' console: server-rendered pages under {@code /console} over the same operations as {@code /admin}. This package has no
 * rules of its own: it converts forms to those operations' requests, and their results and errors to pages.
 *
 * <p>An operator signs in with the token and gets a session: a cookie signed with a key derived from the token, so every replica accepts
 * it, and none does after the token has changed. A signed-out session is stored in PostgreSQL until it would have expired. Without a
 * session every page redirects to the sign-in. Every form carries a CSRF token that is bound to the session, and is accepted from the
 * console's own pages only.
 *
 * <p>A new key is shown only in the response to the form that issued it. If the same form is sent again, by a reload, it issues no second
 * key: its identifier is marked as used in the transaction that issues or changes. Every form for a key also names the version of the key
 * that it showed, which keeps two operators from overwriting each other's changes unnoticed.
 *
 * <p>If PostgreSQL is unavailable the pages respond with 503. If Redis is, they show the local counts of this replica, say so, and show as
 * unknown whether a key is banned.
 */
package dev.animalstore.console;
