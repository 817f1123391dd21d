/**
 * Lists in pages: the limit, the cursor, and the {@code Link} header (RFC 8288) to the next page.
 *
 * <p>A page is a keyset: rows after an identifier, in ascending order. So page 10,000 costs as much as page 1, no row is repeated, and a
 * walk shows every row that was committed before its first page was read. It may miss a row inserted meanwhile: identifiers are drawn
 * before the commit, so a row can appear before the position of a page that was already read. Invalid parameters are refused with {@code
 * invalid_parameter} before anything is read.
 */
package dev.animalstore.web.page;
