/**
 * Lists in pages: the limit, the cursor, and the {@code Link} header (RFC 8288) that leads to the next page.
 *
 * <p>A page is a keyset: rows after an identifier, in ascending order. So page 10,000 costs what page 1 costs, and rows that are inserted
 * meanwhile are neither skipped nor repeated. Invalid parameters are refused with {@code invalid_parameter} before anything is read.
 */
package dev.animalstore.page;
