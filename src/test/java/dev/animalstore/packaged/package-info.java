/**
 * Integration tests of the packaged application as one process: its contents, start, shutdown, log, traces and headers, and its pages in a
 * real browser or behind a proxy.
 */
package dev.animalstore.packaged;
