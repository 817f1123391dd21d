/**
 * Lists in pages: the limit, the cursor, and the {@code Link} header (RFC 8288) that leads to the next page.
 *
 * <p>A page is a keyset: rows after an identifier, in ascending order. So page 10,000 costs what page 1 costs, no row is repeated, and a
 * walk shows every row that was committed before its first page was read. It may miss a row that is inserted meanwhile: identifiers are drawn
 * before they are committed, so a row can become visible behind a page that has been read. Invalid parameters are refused with
 * {@code invalid_parameter} before anything is read.
 */
package dev.animalstore.page;
