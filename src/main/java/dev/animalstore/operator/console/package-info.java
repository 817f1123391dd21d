/**
 * The operators' console: server-rendered pages under {@code /console} over the same operations as {@code /admin}. This package has no
 * rules of its own: it converts the fields of forms to those operations' records, and their results and errors to pages.
 *
 * <p>An operator signs in with a token and gets a session: a cookie signed with that token, so every replica accepts it for at most 8
 * hours, and none does after the token has changed. Without a session every page redirects to the sign-in. A form is accepted
 * from the console's own pages only.
 *
 * <p>A form that changes a key names the version that it showed; for another version nothing is changed, and it is shown again as the key
 * is now. So it is applied at most once, and two operators do not overwrite each other's changes unnoticed. A new key is shown only in the
 * response to the form that issued it. That form has an identifier, marked as used in the transaction that issues the key; sent again, it
 * issues no second one.
 *
 * <p>If PostgreSQL is unavailable the pages respond with 503. If Redis is, they show the local counts of this replica, say so, show as
 * unknown whether a key is banned, say when other replicas obey a change, and lift no ban.
 */
package dev.animalstore.operator.console;
