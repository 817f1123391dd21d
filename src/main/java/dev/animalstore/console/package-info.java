/**
 * The operators' console: server-rendered pages under {@code /console} over the same operations as {@code /admin}. Nothing is decided here
 * that is not decided there; this package turns forms into those operations' requests, and what they return or refuse into pages.
 *
 * <p>An operator signs in with the token and gets a session: a cookie that is signed with a key derived from the token, so any replica
 * takes it, and none does once the token is another. A session that is signed out is remembered in PostgreSQL until it would have ended.
 * Without a session every page but the sign-in leads there. Every form carries a token that is bound to the session, and is taken from the
 * console's own pages only.
 *
 * <p>A new key is in the one response to the form that made it. The same form sent again, by a reload, makes no second key: each form
 * has an identifier that is used up in the transaction that issues or changes, and a form for a key names the version of the key that it
 * showed. The latter also keeps two operators from overwriting each other's changes unseen.
 *
 * <p>If PostgreSQL is unavailable the pages say so with 503. If Redis is, they show what this replica counts alone, say so
 * too, and call unknown whether a key is banned.
 */
package dev.animalstore.console;
